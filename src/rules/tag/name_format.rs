//! TAG11: names with something else in them.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG11"),
    name: "name-format",
    severity: Severity::Info,
    summary: "A player's name has a title, a rating or a country in it, or its comma stands alone",
    what: "White and Black hold the family name, a comma, a blank and the given name or initials; several players are separated by colons, and then every other tag about them lists as many. \
           Reported are a title before the name (`GM Carlsen`), brackets with a rating or a country behind it (`Carlsen (2850)`), a comma without a blank behind it, and lists of different lengths. \
           Handles of servers and programs have no comma and are spared. Once per input and kind.",
    why: "The same player appears under several names.",
    fix: "Put title, rating and country into tags of their own.",
    source: "PGN standard 8.1.1.5",
    fires: &[
        Sample::Tags("[White \"⟦GM Carlsen, Magnus⟧\"]"),
        Sample::Tags("[Black \"⟦Carlsen, Magnus (2850)⟧\"]"),
        Sample::Tags("[Black \"⟦Carlsen,Magnus⟧\"]"),
        Sample::Tags("[White \"Allen:Baker\"]\n[WhiteElo \"⟦2100⟧\"]"),
    ],
    silent: &[
        Sample::Tags("[White \"Carlsen, Magnus\"]\n[Black \"Rybka (32-bit) x\"]"),
        Sample::Tags("[White \"Allen:Baker\"]\n[WhiteElo \"2100:2000\"]"),
    ],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for (tag, others) in [
        (KnownTag::White, [KnownTag::WhiteElo, KnownTag::WhiteTitle]),
        (KnownTag::Black, [KnownTag::BlackElo, KnownTag::BlackTitle]),
    ] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        if let Some((kind, what)) = oddity(value) {
            let found = shown(value);
            let finding = findings.add(&RULE, pair.value).message(format!("the name `{found}` {what}"));
            finding.once_per_input_and(kind).found(found);
        }
        let players = items(value);
        if players < 2 {
            continue;
        }
        for other in others {
            let Some(pair) = facts.pair(other) else { continue };
            let value = pair.value.of(facts.text);
            if matches!(value, b"" | b"-" | b"?") || items(value) == players {
                continue;
            }
            findings.add(&RULE, pair.value).once_per_input_and("list").found(shown(value)).message(format!(
                "{} names {players} players, {} has {}",
                tag.name(),
                other.name(),
                items(value)
            ));
        }
    }
}

fn items(value: &[u8]) -> usize {
    memchr::memchr_iter(b':', value).count() + 1
}

/// What is odd about a name: a word that tells kinds apart, and the end of a sentence.
fn oddity(name: &[u8]) -> Option<(&'static str, &'static str)> {
    let title = name.iter().position(|byte| *byte == b' ').map(|end| &name[..end]);
    if matches!(title, Some(b"GM" | b"IM" | b"FM" | b"CM" | b"WGM" | b"WIM" | b"WFM" | b"WCM")) {
        return Some(("title", "begins with a title"));
    }
    if let Some(open) = memchr::memrchr(b'(', name)
        && let Some(inside) = name[open + 1..].strip_suffix(b")")
    {
        let rating = inside.len() == 4 && inside.iter().all(u8::is_ascii_digit);
        let country = inside.len() == 3 && inside.iter().all(u8::is_ascii_uppercase);
        if rating || country {
            return Some(("brackets", "has a rating or a country in brackets behind it"));
        }
    }
    let comma = memchr::memchr(b',', name)?;
    let next = *name.get(comma + 1)?;
    (next.is_ascii_alphabetic() && name[..comma].iter().all(|byte| !byte.is_ascii_digit()))
        .then_some(("comma", "has no blank behind its comma"))
}
