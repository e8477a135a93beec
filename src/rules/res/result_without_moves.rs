//! RES14: results of games that were not played.

use super::Stated;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES14"),
    name: "result-without-moves",
    severity: Severity::Info,
    summary: "A game without moves has a result",
    what: "The game has no moves, but a win or a draw is recorded. This is normal for forfeits, \
           so it is reported once per input, with a count.",
    why: "Such games distort statistics of openings and results.",
    fix: "Keep the game if it was forfeited. Otherwise restore its moves from another source.",
    source: "PGN standard 8.2.6",
    yields: &in_record([code!("RES04")]),
    fires: &[Sample::Moves("⟦1-0⟧")],
    silent: &[Sample::Moves("*"), Sample::Moves("1. e4 e5 1-0")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(marker) = facts.marker.filter(|_| facts.plies == 0) else { return };
    if Stated::of(facts).each().all(|(_, kind)| kind.outcome().is_some_and(|outcome| outcome.is_known())) {
        findings
            .add(&RULE, marker.place)
            .once_per_input()
            .found(shown(marker.place.of(facts.text)))
            .message("the game has a result but no moves");
    }
}
