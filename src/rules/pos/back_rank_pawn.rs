//! POS05: a pawn is on rank 1 or 8.

use shakmaty::Bitboard;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS05"),
    name: "back-rank-pawn",
    severity: Severity::Error,
    summary: "A pawn is on rank 1 or 8",
    what: "Pawns start on the second rank of their side and promote on the last one. They are \
        never on rank 1 or 8.",
    why: "The position cannot occur in a game. Some engines crash on it.",
    fix: "Correct the piece placement. If the board is upside down, turn it around.",
    source: "FIDE Laws 3.7",
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
    let squares: Vec<String> = pawns.into_iter().map(|square| square.to_string()).collect();
    let on = if pawns.count() == 1 { "a pawn is on" } else { "pawns are on" };
    findings
        .add(&RULE, place)
        .message(format!("{on} {}: pawns are never on rank 1 or 8", join_and(&squares)))
        .found(squares.join(" "))
        .squares(pawns);
}
