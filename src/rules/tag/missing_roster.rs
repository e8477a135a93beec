//! TAG01: a seven tag roster with gaps.

use super::SEVEN_TAG_ROSTER;
use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG01"),
    name: "missing-roster",
    severity: Severity::Warning,
    summary: "A tag of the seven tag roster is missing",
    what: "Event, Site, Date, Round, White, Black and Result stand in every game of an archive. One finding for each game, which lists the missing ones. \
           A tag whose value is `?` is there; one whose name is spelt otherwise (`event`) is not.",
    why: "Readers fill the gap with `?` without a word, and joins over databases then miss the game or take two games for one.",
    fix: "Add the tag, with the value `?` where it is not known (`????.??.??` for Date, `*` for Result).",
    source: "PGN standard 8.1.1",
    fires: &[Sample::Pgn(
        "⟦[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]⟧\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Moves("1. e4 e5 *")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let is_missing = |tag: &&KnownTag| {
        facts.pair(**tag).is_none() && !facts.names.iter().any(|name| name.of(facts.text) == tag.name().as_bytes())
    };
    if SEVEN_TAG_ROSTER.iter().all(|tag| facts.pair(*tag).is_some()) {
        return;
    }
    let missing: Vec<&str> = SEVEN_TAG_ROSTER.iter().filter(is_missing).map(|tag| tag.name()).collect();
    let message = match missing[..] {
        [] => return,
        [one] => format!("the tag {one} of the seven tag roster is missing"),
        _ if missing.len() == SEVEN_TAG_ROSTER.len() => "the whole seven tag roster is missing".to_owned(),
        _ => format!("tags of the seven tag roster are missing: {}", missing.join(", ")),
    };
    findings.add(&RULE, facts.place).expected(missing.join(", ")).message(message);
}
