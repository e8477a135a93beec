//! `rook-missing`.

use crate::{
    chess::{color_name, fen::RightReading},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// CAS02: castling is claimed without a rook to castle with.
pub static RULE: Rule = Rule {
    code: code!("CAS02"),
    name: "rook-missing",
    severity: Severity::Error,
    summary: "Castling is claimed without a rook to castle with",
    what: "`K` and `Q` need an own rook on the back rank on that side of the king, a file letter needs one on that file. Only what fits neither the standard array nor one of Chess960 or double Chess960 is reported.",
    why: "The rook has moved or was captured, so that the right is lost for ever.",
    fix: "Take the letter out.",
    source: "Laws of Chess, article 3.8.2",
    fires: &[Sample::Positions("rn2k3/8/8/8/8/8/8/4K2R w K⟦k⟧ - 0 1")],
    silent: &[Sample::Positions("r3k3/8/4p3/8/8/8/8/4K2R w Kq - 0 1"), Sample::Positions("r3k1r1/8/8/8/8/8/8/4K2R w Kk - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    super::king_not_home::report(facts, findings, &RULE, RightReading::RookMissing, |color, king, letters| {
        format!("{} claims castling with its king on {king}, but no rook stands where `{letters}` needs one", color_name(color))
    });
}
