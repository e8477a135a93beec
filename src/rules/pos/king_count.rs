//! `king-count`.

use crate::rules::{Check, Code, Family, Findings, Rule, Sample, Severity, facts::PositionFacts};

/// POS01: a side has not exactly one king.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Pos, 1),
    name: "king-count",
    severity: Severity::Error,
    summary: "A side has not exactly one king",
    what: "Each side has one king, always.",
    why: "Nothing can be said about checks or legal moves.",
    fix: "Correct the placement, or say by a Variant tag that this is another game.",
    source: "Laws of Chess, articles 1.4 and 2.2",
    reachability: false,
    yields: &[],
    fires: &[Sample::Positions("⟦8/2K5/8/8/2K5/4NB2/8/k7⟧ w - - 0 1"), Sample::Positions("⟦8/8/8/8/8/8/8/4K3⟧ w - - 0 1")],
    silent: &[Sample::Positions("8/2K5/8/8/8/4NB2/8/k7 w - - 0 1")],
    check: Check::Position(check),
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    let kings = board.kings();
    let (white, black) = ((kings & board.white()).count(), (kings & board.black()).count());
    if (white, black) != (1, 1) {
        findings
            .add(&RULE, facts.placement_place())
            .found(format!("{white} white, {black} black"))
            .expected("1 white, 1 black")
            .message(format!("White has {white} and Black has {black} kings"));
    }
}
