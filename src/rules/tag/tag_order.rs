//! TAG02: tags in another order than that of PGN export format.

use super::SEVEN_TAG_ROSTER;
use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG02"),
    name: "tag-order",
    severity: Severity::Info,
    summary: "The tags are not in the order of PGN export format",
    what: "The seven tag roster comes first, in its order (Event, Site, Date, Round, White, Black, Result), then all other tags sorted by ASCII. \
           One finding for each game, at the first name that stands behind one it belongs before. Tags that are missing or stand twice are other rules' business.",
    why: "Files that differ in nothing else cannot be compared byte by byte.",
    fix: "Sort the tag pairs.",
    source: "PGN standard 8.1.1, 3.2",
    layout: true,
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Result \"*\"]\n[⟦White⟧ \"?\"]\n[Black \"?\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[PlyCount \"2\"]\n\
             [⟦ECO⟧ \"C20\"]\n\n1. e4 e5 *\n",
        ),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[ECO \"C20\"]\n[PlyCount \"2\"]\n\n\
         1. e4 e5 *\n",
    )],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let rank =
        |name: &[u8]| SEVEN_TAG_ROSTER.iter().position(|tag| tag.name().as_bytes() == name).unwrap_or(SEVEN_TAG_ROSTER.len());
    for pair in facts.pairs.windows(2) {
        let (before, name) = (pair[0].name.of(facts.text), pair[1].name.of(facts.text));
        if (rank(before), before) <= (rank(name), name) || rank(before) == rank(name) && rank(name) < SEVEN_TAG_ROSTER.len() {
            continue;
        }
        let (before, name) = (shown(before), shown(name));
        findings.add(&RULE, pair[1].name).message(format!("{name} stands behind {before}, and belongs before it")).found(name);
        return;
    }
}
