//! CAS02: a castling right has no rook to castle with.

use crate::{
    chess::{color_name, fen::RightReading},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

pub static RULE: Rule = Rule {
    code: code!("CAS02"),
    name: "rook-missing",
    severity: Severity::Error,
    summary: "A castling right has no rook to castle with",
    what: "`K` and `Q` need a rook of the same side on the back rank, on that side of the king. A \
        file letter needs a rook on that file. A rook that fits Chess960 or double Chess960 is \
        enough.",
    why: "The rook has moved or was captured, so the castling right is lost.",
    fix: "Remove the castling letter.",
    source: "FIDE Laws 3.8.2",
    fires: &[Sample::Positions("rn2k3/8/8/8/8/8/8/4K2R w K⟦k⟧ - 0 1")],
    silent: &[Sample::Positions("r3k3/8/4p3/8/8/8/8/4K2R w Kq - 0 1"), Sample::Positions("r3k1r1/8/8/8/8/8/8/4K2R w Kk - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    super::king_not_home::report(facts, findings, &RULE, RightReading::RookMissing, |color, king, letters| {
        let rights = if letters.len() == 1 { "the castling right" } else { "the castling rights" };
        format!("{} has {rights} `{letters}` with its king on {king}, but no rook to castle with", color_name(color))
    });
}
