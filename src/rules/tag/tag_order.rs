//! TAG02: tags that are not in the order of PGN export format.

use super::SEVEN_TAG_ROSTER;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG02"),
    name: "tag-order",
    severity: Severity::Info,
    summary: "Tags are not in the order of PGN export format",
    what: "In export format the seven tag roster comes first, in the order Event, Site, Date, \
           Round, White, Black, Result. All other tags follow in ASCII order. One finding per game \
           marks the first tag that belongs before the previous one. Missing and repeated tags do \
           not count; see TAG01 and TAG03.",
    why: "Files with the same content cannot be compared byte by byte.",
    fix: "Sort the tag pairs.",
    source: "PGN standard 3.2, 8.1.1",
    layout: true,
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[Result \"*\"]\n[⟦White⟧ \"?\"]\n[Black \"?\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Game { tags: "[PlyCount \"2\"]\n[⟦ECO⟧ \"C20\"]", moves: "1. e4 e5 *" },
    ],
    silent: &[Sample::Game { tags: "[ECO \"C20\"]\n[PlyCount \"2\"]", moves: "1. e4 e5 *" }],
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
        findings
            .add(&RULE, pair[1].name)
            .once_if_usual("")
            .message(format!("{name} comes after {before}, but belongs before it"))
            .found(name);
        return;
    }
}
