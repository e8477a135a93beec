//! POS04: both kings are in check.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS04"),
    name: "both-in-check",
    severity: Severity::Error,
    summary: "Both kings are in check",
    what: "The side that has just moved is never in check. Here both kings are attacked, so the \
        position is impossible with either side to move.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.9",
    yields: &in_record([code!("POS02")]),
    fires: &[Sample::Positions("⟦4k3/8/8/8/8/8/4R3/K2r4⟧ w - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4R3/K7 b - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (white, black) = (facts.checkers.white, facts.checkers.black);
    let (Some(white_king), Some(black_king)) = (facts.kings.white, facts.kings.black) else { return };
    if white.any() && black.any() {
        findings
            .add(&RULE, facts.placement_place())
            .message(format!(
                "the white king on {white_king} is attacked by {}, and the black king on \
                 {black_king} by {}",
                facts.names_of(white),
                facts.names_of(black)
            ))
            .squares(white | black)
            .squares(white_king)
            .squares(black_king);
    }
}
