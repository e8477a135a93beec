//! `game-over`.

use shakmaty::{Chess, Position, attacks};

use crate::rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts};

/// POS19: the game is over in this position.
pub static RULE: Rule = Rule {
    code: code!("POS19"),
    name: "game-over",
    severity: Severity::Info,
    summary: "The game is over in this position",
    what: "The side to move is mated or stalemated, or neither side can mate with what is left.",
    why: "A position to be played from has nothing to play.",
    fix: "Take the position before the last move, or leave it where that is meant.",
    source: "Laws of Chess, articles 5.1 and 5.2",
    yields: &[Yield::InRecord(code!("EPD16"))],
    fires: &[Sample::Positions("R5⟦k⟧1/5ppp/8/8/8/8/8/4K3 b - - 0 40"), Sample::Positions("4⟦k⟧3/8/8/8/8/8/8/4K1N1 b - - 0 80")],
    silent: &[Sample::Positions("R5k1/5pp1/8/8/8/8/8/4K3 b - - 0 40"), Sample::Positions("4k3/8/8/8/8/8/8/4KNN1 w - - 0 80")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(start) = &facts.start else { return };
    let dead = start.is_insufficient_material();
    if !dead && has_obvious_move(start) {
        return;
    }
    let reason = if dead {
        "neither side can mate with the men that are left"
    } else if start.is_checkmate() {
        "the side to move is mated"
    } else if start.is_stalemate() {
        "the side to move is stalemated"
    } else {
        return;
    };
    let place = start.board().king_of(start.turn()).map_or(facts.placement_place(), |king| facts.square_place(king));
    findings.add(&RULE, place).message(reason);
}

/// Whether a legal move can be seen without generating moves: out of check, a man that is on no line with its king is not
/// pinned, so that it can go wherever it attacks, a pawn to the square before it.
fn has_obvious_move(start: &Chess) -> bool {
    let board = start.board();
    let turn = start.turn();
    let Some(king) = board.king_of(turn).filter(|_| start.checkers().is_empty()) else { return false };
    let ours = board.by_color(turn);
    let free = ours & !attacks::queen_attacks(king, board.occupied());
    let pawns = board.pawns() & free;
    (pawns.shift(turn.fold_wb(8, -8)) & !board.occupied()).any()
        || (free & !pawns & !board.kings()).into_iter().any(|man| (board.attacks_from(man) & !ours).any())
}
