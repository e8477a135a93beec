//! Answers of an engine.

use std::fmt;

use shakmaty::{Chess, Color, Move, Position};

use crate::chess::has_legal_move;

/// A score, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Number of moves to mate; negative if the side to move is mated, and 0 if it is already.
    Mate(i32),
}

impl Score {
    /// The winner and the number of plies of an announced mate, in a position with this side to
    /// move.
    pub(super) const fn mate(self, turn: Color) -> Option<(Color, u64)> {
        let Score::Mate(moves) = self else { return None };
        let plies = 2 * moves.unsigned_abs() as u64;
        Some(if moves > 0 { (turn, plies - 1) } else { (turn.other(), plies) })
    }
}

/// As `+0.35`, `#3` or `#-2`.
impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(0) => formatter.write_str("0.00"),
            Score::Centipawns(value) => write!(formatter, "{:+.2}", f64::from(*value) / 100.0),
            Score::Mate(moves) => write!(formatter, "#{moves}"),
        }
    }
}

/// What an engine says about a position. All moves are legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The score of the line.
    pub score: Score,
    /// The best move; `None` if there are no legal moves.
    pub best_move: Option<Move>,
    /// The best line, which may be shorter than the mate that the score announces.
    pub line: Vec<Move>,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The number of nodes after which the line was found.
    pub nodes: u64,
}

/// What the line of an answer shows about the mate that the score announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLine {
    /// The score does not announce a mate.
    NotAnnounced,
    /// The line is too short to end in mate, so it shows nothing yet. See
    /// [`Engines::complete_mate`](super::Engines::complete_mate).
    Short,
    /// The line ends in mate, after this number of moves of the winner. It shows one defence only:
    /// whether the others lose too is the opinion of the engine.
    Shown(u32),
    /// The line is long enough and does not end in the mate. [`Engines::ask`](super::Engines::ask)
    /// never returns it.
    False,
}

impl Answer {
    /// The answer for a position without legal moves. No engine is needed for it.
    pub(super) fn of_final_position(position: &Chess) -> Option<Answer> {
        let is_final = !has_legal_move(position);
        let score = if position.is_check() { Score::Mate(0) } else { Score::Centipawns(0) };
        is_final.then_some(Answer { score, best_move: None, line: Vec::new(), depth: 0, nodes: 0 })
    }

    /// Replays the line from the position of the question, and says whether it ends in the mate
    /// that the score announces.
    pub fn mate_line(&self, position: &Chess) -> MateLine {
        let Some((winner, plies)) = self.score.mate(position.turn()) else { return MateLine::NotAnnounced };
        let mut position = position.clone();
        let mut played = 0;
        for next in &self.line {
            if played == plies {
                break;
            }
            let Ok(after) = position.play(*next) else { return MateLine::False };
            position = after;
            played += 1;
        }
        if position.is_checkmate() && position.turn() != winner {
            return MateLine::Shown(u32::try_from(played.div_ceil(2)).unwrap_or(u32::MAX));
        }
        if played < plies && has_legal_move(&position) { MateLine::Short } else { MateLine::False }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn mate_line(fen: &str, announced: i32, line: &str) -> MateLine {
        let start: Chess = fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in line.split_whitespace() {
            let next = text.parse::<UciMove>().expect("a move").to_move(&position).expect("a legal move");
            position.play_unchecked(next);
            moves.push(next);
        }
        let answer = Answer { score: Score::Mate(announced), best_move: moves.first().copied(), line: moves, depth: 1, nodes: 1 };
        answer.mate_line(&start)
    }

    #[test]
    fn lines_are_replayed_to_the_mate() {
        const BACK_RANK: &str = "6k1/5ppp/8/8/8/1p6/8/R6K w - - 0 1";
        const BLACK_TO_MOVE: &str = "6k1/5ppp/8/8/8/1p6/8/R6K b - - 0 1";
        assert_eq!(mate_line(BACK_RANK, 1, "a1a8"), MateLine::Shown(1));
        assert_eq!(mate_line(BACK_RANK, 1, "a1a7"), MateLine::False);
        assert_eq!(mate_line(BACK_RANK, 1, ""), MateLine::Short);
        assert_eq!(mate_line(BACK_RANK, 2, "h1g1 b3b2"), MateLine::Short);
        assert_eq!(mate_line(BACK_RANK, 2, "h1g1 b3b2 a1b1"), MateLine::False);
        assert_eq!(mate_line(BACK_RANK, 2, "h1g1 g8h8 a1a8"), MateLine::Shown(2));
        assert_eq!(mate_line(BACK_RANK, 2, "h1g1 h7h6 a1a8"), MateLine::False, "the king has h7");
        assert_eq!(mate_line(BACK_RANK, 3, "a1a8"), MateLine::Shown(1), "sooner than announced");
        assert_eq!(mate_line(BACK_RANK, -1, "a1a8"), MateLine::False, "the wrong side mates");
        assert_eq!(mate_line(BLACK_TO_MOVE, -1, "b3b2 a1a8"), MateLine::Shown(1));
        assert_eq!(mate_line(BLACK_TO_MOVE, -1, "h7h5 a1a8"), MateLine::False, "the king has h7");
        assert_eq!(mate_line("7k/5Q2/5K2/8/8/8/8/8 w - - 0 1", 2, "f6g6"), MateLine::False, "stalemate");
        assert_eq!(mate_line("R5k1/5ppp/8/8/8/1p6/8/7K b - - 0 1", 0, ""), MateLine::Shown(0));
        assert_eq!(mate_line(BACK_RANK, i32::MIN, ""), MateLine::Short);
    }
}
