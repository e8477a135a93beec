//! RES14: results of games that were not played.

use super::Stated;
use crate::rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::Ending, shown};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES14"),
    name: "decided-unplayed",
    severity: Severity::Info,
    summary: "A game without moves has a result",
    what: "No move stands before a termination marker that is a score. Forfeits are written so, and there is nothing wrong with them; once per input, with their number.",
    why: "Statistics over openings and results should leave such games out.",
    fix: "Nothing, where it is a forfeit; otherwise the moves were lost.",
    source: "PGN standard 8.2.6",
    yields: &[Yield::InRecord(code!("RES04"))],
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
            .message("the game has a result and no moves");
    }
}
