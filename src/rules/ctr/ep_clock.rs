//! `ep-clock`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown};

/// CTR01: the halfmove clock is not 0 although a pawn has just moved.
pub static RULE: Rule = Rule {
    code: code!("CTR01"),
    name: "ep-clock",
    severity: Severity::Error,
    summary: "The halfmove clock is not 0 although a pawn has just moved",
    what: "The en passant square says that the last move was a double step of a pawn, which sets the clock to 0. Not reported where the square itself is wrong.",
    why: "One of the two fields is false.",
    fix: "Set the clock to 0, or write `-` for the square.",
    source: "PGN standard 1994, sections 16.1.3.5 and 16.1.3.6",
    yields: &[
        Yield::InRecord(code!("EPS01")),
        Yield::InRecord(code!("EPS02")),
        Yield::InRecord(code!("EPS03")),
        Yield::InRecord(code!("EPS04")),
    ],
    fires: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 ⟦1⟧ 30")],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 30")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(en_passant), Some(clock), Some(place)) = (facts.en_passant(), facts.halfmove_clock, facts.fen.halfmove_clock())
    else {
        return;
    };
    if clock != 0 {
        findings.add(&RULE, place).found(shown(place.of(facts.text))).expected("0").message(format!(
            "the square {} says that a pawn has just moved, the clock that none has for {clock} plies",
            en_passant.target
        ));
    }
}
