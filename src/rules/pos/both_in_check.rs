//! `both-in-check`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts};

/// POS04: both kings are in check.
pub static RULE: Rule = Rule {
    code: code!("POS04"),
    name: "both-in-check",
    severity: Severity::Error,
    summary: "Both kings are in check",
    what: "The side that has just moved is never in check; here both are, so that no side to move makes the position right.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, article 3.9",
    yields: &[Yield::InRecord(code!("POS02"))],
    fires: &[Sample::Positions("⟦4k3/8/8/8/8/8/4R3/K2r4⟧ w - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4R3/K7 b - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (white, black) = (facts.checkers.white, facts.checkers.black);
    if white.any() && black.any() {
        findings.add(&RULE, facts.placement_place()).message(format!(
            "the white king is attacked by {}, the black king by {}; neither side can be to move",
            facts.names_of(white),
            facts.names_of(black)
        ));
    }
}
