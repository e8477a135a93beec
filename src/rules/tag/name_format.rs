//! TAG11: player names that contain something else.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
    text::wording::quantity,
};

pub static RULE: Rule = Rule {
    code: code!("TAG11"),
    name: "name-format",
    severity: Severity::Info,
    summary: "A player's name is not in the standard format",
    what: "White or Black begins with a title (`GM Carlsen`), ends with a rating or a country in \
           brackets (`Carlsen (2850)`), or has no space after its comma. Or it lists several \
           players, separated by colons, and the Elo or title tag lists another number of values. \
           Names without a comma, such as user names, are allowed. Reported once per input and \
           kind.",
    why: "The same player appears under several names.",
    fix: "Write the family name, a comma, a space and the given name. Put title, rating and \
           country in their own tags.",
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
        if let Some((kind, what)) = name_fault(value) {
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
                "{} lists {players} players, but {} has {}",
                tag.name(),
                other.name(),
                quantity(items(value), "value", "values")
            ));
        }
    }
}

/// The number of items in a list separated by colons.
fn items(value: &[u8]) -> usize {
    memchr::memchr_iter(b':', value).count() + 1
}

/// What is wrong with a name: a key for its kind, and the end of a sentence. A comma may follow a
/// digit, or come before anything but an ASCII letter.
pub(crate) fn name_fault(name: &[u8]) -> Option<(&'static str, &'static str)> {
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
            return Some(("brackets", "ends with a rating or a country in brackets"));
        }
    }
    let comma = memchr::memchr(b',', name)?;
    let next = *name.get(comma + 1)?;
    (next.is_ascii_alphabetic() && name[..comma].iter().all(|byte| !byte.is_ascii_digit()))
        .then_some(("comma", "has no space after its comma"))
}
