//! CTR02: the halfmove clock is not 0 after a pawn check.

use crate::rules::placeholders::HALFMOVE_CLOCK_REAL;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR02"),
    name: "pawn-check-clock",
    severity: Severity::Error,
    summary: "The halfmove clock is not 0 after a pawn check",
    what: "A pawn gives check only by moving, which sets the clock to 0. Checked only if the \
        halfmove clocks of this input are real values.",
    why: "The clock was copied from another position, or pawn moves do not reset it.",
    fix: "Set the clock to 0.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("POS02"), code!("POS04"), code!("POS09"), code!("POS10"), code!("CTR01")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/4p3/5K2/8/8 w - - ⟦3⟧ 60"),
        Sample::Positions("4k3/8/8/8/4p3/5K2/8/8 w - - fmvn 60; hmvc ⟦3⟧;"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/4p3/5K2/8/8 w - - 0 60"), Sample::Positions("4k3/8/8/8/4p3/4K3/8/8 w - - 3 60")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(clock), Some(place)) = (&facts.board, facts.halfmove_clock, facts.clock_place()) else {
        return;
    };
    if clock == 0 {
        return;
    }
    let pawns = facts.own_checkers() & board.pawns();
    if pawns.any() {
        findings
            .add(&RULE, place)
            .only_if(HALFMOVE_CLOCK_REAL)
            .found(shown(place.of(facts.text)))
            .expected("0")
            .repair(Certainty::Likely, Patch::replace(facts.text, place, *b"0"))
            .message(format!(
                "{} gives check and so has just moved, but the halfmove clock is {clock} instead \
                 of 0",
                facts.names_of(pawns)
            ))
            .squares(pawns);
    }
}
