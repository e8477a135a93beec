//! `back-rank-pawn`.

use shakmaty::Bitboard;

use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts};

/// POS05: a pawn stands on rank 1 or 8.
pub static RULE: Rule = Rule {
    code: code!("POS05"),
    name: "back-rank-pawn",
    severity: Severity::Error,
    summary: "A pawn stands on rank 1 or 8",
    what: "Pawns begin on their second rank and are promoted on their last one.",
    why: "The position cannot arise; engines crash on it.",
    fix: "Correct the placement; a board that is upside down looks like this.",
    source: "Laws of Chess, article 3.7",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/8/3⟦P⟧K3 w - - 0 1")],
    silent: &[Sample::Positions("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    let pawns = board.pawns() & Bitboard::BACKRANKS;
    let Some(first) = pawns.last() else { return };
    let place = facts.square_place(first);
    let squares = pawns.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    findings.add(&RULE, place).message(format!("no pawn can stand on {squares}")).found(squares);
}
