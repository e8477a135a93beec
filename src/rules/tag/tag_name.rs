//! TAG04: misspelled and malformed tag names.

use crate::pgn::{TagPair, is_bughouse_tag, is_tag_of_other_game};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG04"),
    name: "tag-name",
    severity: Severity::Warning,
    summary: "A tag name is misspelled or contains invalid characters",
    what: "The name differs from a known tag only in case (`Fen`, `WhiteELO`) or by one typo \
           (`PlayCount`). Or it contains characters other than letters, digits and underscores. \
           Names of fewer than five letters and names that end in a digit are not checked for \
           typos. A name that repeats another tag of the game in another case is a duplicate \
           (TAG03). Reported once per input and name.",
    why: "Tag names are case-sensitive, so readers do not find the tag. They start a game with \
           `Fen` instead of `FEN` from the starting position.",
    fix: "Rename the tag.",
    source: "PGN standard 8.1.1",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Tags("[⟦eco⟧ \"C20\"]"),
        Sample::Tags("[⟦PlayCount⟧ \"2\"]"),
        Sample::Tags("[⟦Anotator⟧ \"Nunn\"]"),
        Sample::Pgn(
            "[⟦event⟧ \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        // The game is replayed from that position.
        Sample::Game { tags: "[SetUp \"1\"]\n[⟦fen⟧ \"6k1/8/8/8/8/8/4P3/4K3 b - - 0 30\"]", moves: "30... Kf7 31. e4 *" },
    ],
    silent: &[Sample::Tags("[ECO \"C20\"]\n[Elos \"?\"]\n[Annotator2 \"Nunn\"]\n[Tournament \"x\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// Known tags are those of the PGN standard and others in wide use.
fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for pair in facts.pairs {
        let name = pair.name.of(facts.text);
        if KnownTag::named(name).is_some() {
            continue;
        }
        let is_malformed = !has_name_characters(name);
        let meant = meant_tag(name);
        if meant.is_some_and(|meant| facts.pair(meant).is_some() && name.eq_ignore_ascii_case(meant.name().as_bytes())) {
            continue;
        }
        if !is_malformed && meant.is_none() {
            continue;
        }
        let found = shown(name);
        let finding = findings.add(&RULE, pair.name);
        match meant {
            Some(meant) => {
                finding.expected(meant.name()).message(format!("unknown tag `{found}`: {} is probably meant", meant.name()));
                // The tag must not occur twice.
                let is_meant_too = |other: &&TagPair| meant_tag(other.name.of(facts.text)) == Some(meant);
                if facts.pair(meant).is_none() && facts.pairs.iter().filter(is_meant_too).count() == 1 {
                    finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.name, meant.name()));
                }
            }
            None => {
                finding.message(format!("the tag name `{found}` contains characters other than letters, digits and underscores"));
            }
        }
        finding.once_per_input_and(found.as_str()).found(found);
    }
}

fn has_name_characters(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Whether no rule has anything to say about the name of a tag that is not known.
pub(crate) fn is_other_tag(name: &[u8]) -> bool {
    has_name_characters(name) && meant_tag(name).is_none() && !is_tag_of_other_game(name)
}

/// Whether a name is another one with a typo, and that is all that rules say about it. A name in
/// another case may be read as the tag, and may repeat it.
pub(crate) fn is_only_misspelled(name: &[u8]) -> bool {
    has_name_characters(name) && meant_tag(name).is_some_and(|meant| !name.eq_ignore_ascii_case(meant.name().as_bytes()))
}

/// The known tag that a name means: the name in another case, or with one typo.
pub(super) fn meant_tag(name: &[u8]) -> Option<KnownTag> {
    KnownTag::ALL.iter().copied().find(|tag| is_meant(name, tag.name().as_bytes())).filter(|_| !is_bughouse_tag(name))
}

/// Whether `name` is `known` in another case, or with one typo.
fn is_meant(name: &[u8], known: &[u8]) -> bool {
    if name.len().abs_diff(known.len()) > 1 {
        return false;
    }
    if name.eq_ignore_ascii_case(known) {
        return true;
    }
    let long = name.len().min(known.len()) >= 5;
    let numbered = name.last().is_some_and(u8::is_ascii_digit);
    long && !numbered && is_one_typo(name, known)
}

/// Whether the two differ, apart from case, by one extra, missing or wrong character, or by two
/// swapped ones.
fn is_one_typo(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let same = |a: &u8, b: &u8| a.eq_ignore_ascii_case(b);
    let at = short.iter().zip(long).take_while(|(a, b)| same(a, b)).count();
    let rest_is_same = |a: &[u8], b: &[u8]| a.eq_ignore_ascii_case(b);
    match long.len() - short.len() {
        0 if at == short.len() => false,
        0 => {
            rest_is_same(&short[at + 1..], &long[at + 1..])
                || (at + 1 < short.len()
                    && same(&short[at], &long[at + 1])
                    && same(&short[at + 1], &long[at])
                    && rest_is_same(&short[at + 2..], &long[at + 2..]))
        }
        1 => rest_is_same(&short[at..], &long[at + 1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos() {
        for (one, other, is_typo) in [
            ("Annotator", "Anotator", true),
            ("Annotator", "Annotatro", true),
            ("Annotator", "Annotater", true),
            ("Annotator", "annotator", false),
            ("Annotator", "Annotations", false),
            ("Event", "Events", true),
            ("Event", "Evetn", true),
            ("Event", "Eevnt", true),
            ("Event", "Vesnt", false),
        ] {
            assert_eq!(is_one_typo(one.as_bytes(), other.as_bytes()), is_typo, "{one} {other}");
            assert_eq!(is_one_typo(other.as_bytes(), one.as_bytes()), is_typo, "{other} {one}");
        }
    }

    #[test]
    fn no_known_tag_is_another_in_other_case() {
        for tag in KnownTag::ALL {
            let alike: Vec<_> =
                KnownTag::ALL.iter().filter(|other| *other != tag && tag.name().eq_ignore_ascii_case(other.name())).collect();
            assert!(alike.is_empty(), "{}: {alike:?}", tag.name());
        }
    }
}
