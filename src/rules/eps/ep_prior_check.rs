//! EPS05: the king was already in check before the double step.

use super::impossible;
use crate::chess::fen::checkers;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPS05"),
    name: "ep-prior-check",
    severity: Severity::Error,
    summary: "The king was already in check before the double step",
    what: "The en passant square means that the last move was a double step. With the pawn back on \
        its starting square, the king of the side to move is in check, although the other side is \
        to move. A check that is still on the board is reported by EPS04.",
    why: "The field is left over from an earlier position, and engines rely on it.",
    fix: "Write `-`.",
    source: "PGN standard 16.1.3.4; FIDE Laws 3.9",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("POS02"), code!("POS04"), code!("POS09"), code!("POS10"), code!("EPS04")]),
    fires: &[
        Sample::Positions("b6k/8/8/3pP3/8/8/8/7K w - ⟦d6⟧ 0 30"),
        // The pawn gives check itself and blocks the bishop.
        Sample::Positions("b6k/8/8/3pP3/4K3/8/8/8 w - ⟦d6⟧ 0 30"),
    ],
    silent: &[Sample::Positions("b6k/8/8/3pP3/8/8/8/6K1 w - d6 0 30"), Sample::Positions("b6k/8/8/3pP3/8/8/8/7K w - - 0 30")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(en_passant), Some(place)) = (&facts.board, facts.sound_en_passant(), facts.fen.en_passant()) else {
        return;
    };
    let Some(king) = *facts.kings.get(en_passant.turn) else { return };
    let mut before = board.clone();
    before.discard_piece_at(en_passant.pawn);
    before.set_piece_at(en_passant.origin, (!en_passant.turn).pawn());
    let earlier = checkers(&before, king, en_passant.turn);
    let blocked = earlier & !facts.own_checkers();
    if blocked.is_empty() {
        return;
    }
    impossible(&RULE, facts, place, findings)
        .message(format!(
            "before the last move, {}-{}, the king on {king} was already in check from {} with {} \
             to move",
            en_passant.origin,
            en_passant.pawn,
            facts.names_of(blocked),
            color_name(!en_passant.turn)
        ))
        .squares(blocked)
        .squares(king)
        .squares(en_passant.origin)
        .squares(en_passant.target)
        .squares(en_passant.pawn);
}
