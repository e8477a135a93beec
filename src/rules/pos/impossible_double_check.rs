//! POS10: no single move can give this double check.

use shakmaty::Bitboard;

use crate::chess::fen::aligned_through;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS10"),
    name: "impossible-double-check",
    severity: Severity::Error,
    summary: "No single move can give this double check",
    what: "In a double check, the piece that moved gives check and opens a line for a second \
        piece, or en passant opens two lines. So two pieces that are pawns or knights never give \
        check together, and neither do two bishops on squares of one colour or two pieces on one \
        line through the king. A pawn can give check together with another piece only if that is a \
        rook or queen on the file of the king.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.9",
    reachability: true,
    yields: &in_record([code!("POS02"), code!("POS04")]),
    fires: &[
        Sample::Positions("8/8/R3⟦k⟧2R/8/8/4K3/8/8 b - - 0 1"),
        Sample::Positions("8/8/4⟦k⟧3/8/3N1N2/8/8/4K3 b - - 0 1"),
        Sample::Positions("8/8/4⟦k⟧3/3P4/8/7B/8/4K3 b - - 0 1"),
    ],
    silent: &[Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - 0 1"), Sample::Positions("8/8/4k3/3P4/8/8/4R3/4K3 b - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let checkers = facts.own_checkers();
    if checkers.count() != 2 {
        return;
    }
    let Some(board) = &facts.board else { return };
    let Some(king) = facts.turn.and_then(|turn| *facts.kings.get(turn)) else { return };
    let (Some(one), Some(other)) = (checkers.first(), checkers.last()) else { return };
    let pawns = checkers & board.pawns();
    let on_file = board.rooks_and_queens() & Bitboard::from_file(king.file());
    let bishops = checkers & board.bishops();
    let reason = if (checkers & board.steppers()).count() == 2 {
        "neither can have opened a line for the other"
    } else if aligned_through(king, one, other) {
        "the king is between them on one line"
    } else if pawns.any() && (checkers & !pawns & !on_file).any() {
        "the pawn can have opened only the file of the king"
    } else if bishops.count() == 2 && (bishops.is_subset(Bitboard::LIGHT_SQUARES) || bishops.is_subset(Bitboard::DARK_SQUARES)) {
        "a bishop that opens a line for a bishop of the same square colour was already giving check"
    } else {
        return;
    };
    let place = facts.square_place(king);
    findings
        .add(&RULE, place)
        .found(king.to_string())
        .message(format!("{} cannot both give check to the king on {king}: {reason}", facts.names_of(checkers)))
        .squares(checkers)
        .squares(king);
}
