//! An engine inside the tests: it counts pieces three plies ahead, and finds mates in at most three
//! moves.

use chess_audit::internals::{
    epd::{Mate, search_mate},
    oracle::{
        Engine,
        engine::{Answer, EngineError, Limit, Question, Score},
    },
};
use shakmaty::{Chess, Color, Move, Position, Role};

/// Number of plies that it looks ahead.
const DEPTH: u32 = 3;
/// What a mate counts as, in hundredths of a pawn.
const MATE: i32 = 30_000;

#[derive(Debug)]
pub struct SmallEngine;

fn material(position: &Chess, color: Color) -> i32 {
    let worth = [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500), (Role::Queen, 900)];
    let board = position.board();
    worth.into_iter().map(|(role, worth)| worth * (board.by_color(color) & board.by_role(role)).count() as i32).sum()
}

/// What a position is worth to the side to move.
fn worth(position: &Chess, depth: u32) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_check() { -MATE - depth as i32 } else { 0 };
    }
    if depth == 0 {
        return material(position, position.turn()) - material(position, !position.turn());
    }
    moves.into_iter().map(|played| -worth(&after(position, played), depth - 1)).max().unwrap_or_default()
}

fn after(position: &Chess, played: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(played);
    next
}

impl Engine for SmallEngine {
    fn ask(&self, question: &Question) -> Result<Answer, EngineError> {
        let position = &question.position;
        let mut moves: Vec<Move> = question.search_moves.clone();
        if moves.is_empty() {
            moves = position.legal_moves().to_vec();
        }
        let answer = |score, best: Move| Answer { score, best_move: Some(best), line: vec![best], depth: DEPTH, nodes: 1 };
        if let Limit::Mate { moves: limit, .. } = question.limit {
            for length in 1..=limit.min(3) {
                if matches!(search_mate(position, length, 100_000), Mate::In(_)) {
                    let mates = |played: &&Move| {
                        let reached = after(position, **played);
                        reached.is_checkmate()
                            || (length > 1
                                && !reached.legal_moves().is_empty()
                                && reached.legal_moves().into_iter().all(|reply| {
                                    matches!(search_mate(&after(&reached, reply), length - 1, 100_000), Mate::In(_))
                                }))
                    };
                    let best = moves.iter().find(mates).expect("one of them mates");
                    return Ok(answer(Score::Mate(length as i32), *best));
                }
            }
        }
        let judged = moves.iter().map(|played| (-worth(&after(position, *played), DEPTH - 1), *played));
        let (value, best) = judged.max_by_key(|(value, _)| *value).expect("there are legal moves");
        Ok(answer(Score::Centipawns(value), best))
    }
}
