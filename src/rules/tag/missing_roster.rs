//! TAG01: missing tags of the seven tag roster.

use super::{SEVEN_TAG_ROSTER, tag_name::meant_tag};
use crate::pgn::{TagPair, is_bughouse_tag};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG01"),
    name: "missing-roster",
    severity: Severity::Warning,
    summary: "A tag of the seven tag roster is missing",
    what: "Every game in an archive has the tags Event, Site, Date, Round, White, Black and \
           Result. One finding per game lists those that are missing. If 20 or more games lack the \
           same tags, this is reported once per input. It is an info if nearly all games lack \
           them. A tag with the value `?` is present, and so is a tag such as `event`, which TAG04 \
           reports.",
    why: "Readers silently fill in `?`. Databases then fail to find the game, or take two games \
           for one.",
    fix: "Add the tag. If its value is unknown, write `?` (`????.??.??` for Date, `*` for Result).",
    source: "PGN standard 8.1.1",
    fires: &[Sample::Pgn(
        "⟦[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]⟧\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Moves("1. e4 e5 *")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// A tag whose pair could not be read counts as present if its name is right.
fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let is_missing = |tag: &&KnownTag| {
        let is_name = |name: &Span| name.of(facts.text).eq_ignore_ascii_case(tag.name().as_bytes());
        facts.pair(**tag).is_none() && !facts.pairs.iter().map(|pair| &pair.name).chain(facts.names).any(is_name)
    };
    if SEVEN_TAG_ROSTER.iter().all(|tag| facts.pair(*tag).is_some()) {
        return;
    }
    // TAG04 reports a misspelled name. In bughouse, WhiteA is the player with White on board A.
    let has_other_name = |tag: &&KnownTag| {
        let is_meant = |pair: &TagPair| {
            let name = pair.name.of(facts.text);
            meant_tag(name) == Some(**tag) || (is_bughouse_tag(name) && name.starts_with(tag.name().as_bytes()))
        };
        facts.pairs.iter().any(is_meant)
    };
    let missing: Vec<&str> =
        SEVEN_TAG_ROSTER.iter().filter(is_missing).filter(|tag| !has_other_name(tag)).map(|tag| tag.name()).collect();
    // A name that cannot be read may be the missing one: SYN02 reports it.
    let unreadable = facts.names.iter().filter(|name| KnownTag::named(name.of(facts.text)).is_none()).count();
    if missing.len() <= unreadable {
        return;
    }
    let message = match missing[..] {
        [] => return,
        [one] => format!("the tag {one} of the seven tag roster is missing"),
        _ if missing.len() == SEVEN_TAG_ROSTER.len() => "all tags of the seven tag roster are missing".to_owned(),
        _ => format!("tags of the seven tag roster are missing: {}", join_and(&missing)),
    };
    let missing = missing.join(", ");
    findings.add(&RULE, facts.place).grouped_or_usual(missing.as_str()).expected(missing).message(message);
}
