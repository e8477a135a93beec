//! POS19: the game is over in this position.

use shakmaty::{Bitboard, Position};

use crate::chess::has_legal_move;
use crate::chess::winnability::is_dead;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS19"),
    name: "game-over",
    severity: Severity::Info,
    summary: "The game is over in this position",
    what: "The side to move is checkmated or stalemated, or neither side can checkmate by any \
        sequence of legal moves: because of the pieces that are left, or because pawns block the \
        position. Only proven cases are reported.",
    why: "There is nothing left to play from this position.",
    fix: "Use the position before the last move, unless the final position is meant.",
    source: "FIDE Laws 5.1, 5.2",
    yields: &in_record([code!("EPD16")]),
    fires: &[
        Sample::Positions("R5⟦k⟧1/5ppp/8/8/8/8/8/4K3 b - - 0 40"),
        Sample::Positions("4⟦k⟧3/8/8/8/8/8/8/4K1N1 b - - 0 80"),
        Sample::Positions("8/2⟦k⟧5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - - 0 60"),
    ],
    silent: &[
        Sample::Positions("R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 40"),
        Sample::Positions("4k3/8/8/8/8/8/8/4KNN1 w - - 0 80"),
        Sample::Positions("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 b - - 0 60"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(start) = &facts.start else { return };
    let can_move = has_legal_move(start);
    let reason = if start.is_insufficient_material() {
        "neither side has enough material to checkmate"
    } else if can_move && is_dead(start) {
        "neither side can checkmate"
    } else if can_move {
        return;
    } else if start.is_check() {
        "the side to move is checkmated"
    } else {
        "the side to move is stalemated"
    };
    let king = start.board().king_of(start.turn());
    let place = king.map_or(facts.placement_place(), |king| facts.square_place(king));
    let squares = if can_move { start.board().occupied() } else { king.map_or(Bitboard::EMPTY, Bitboard::from) };
    findings.add(&RULE, place).message(reason).squares(squares);
}
