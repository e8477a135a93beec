//! Proof games: games from the starting position to a given one.
//!
//! A position counts as reached if the pieces, the side to move, the castling rights and the square
//! of a legal en passant capture are the same. Counters do not count, and the game need not be
//! short.
//!
//! # Method
//!
//! The search goes backwards, from the position to the starting position (`beam_search.rs`). Going
//! forwards, almost every move leads away from the position. Going back, pieces come home from
//! wherever they are, and what was captured appears where it is useful.
//!
//! * A state is a position and what the moves that have been taken back say of castling
//!   (`retraction.rs`): rights of this position, whose king and rook have not moved before, and
//!   rights that were lost later. The starting position is reached when each right is one of both.
//! * The score of a state is an estimate of the moves that are left (`estimate.rs`): the cheapest
//!   assignment of all units of a side to their squares at home, by the Hungarian method
//!   (`assignment.rs`). A piece may be a promoted pawn, and pawns change files by captures. Units
//!   that are not on the board have a fixed cost.
//! * What has not moved before is in the way for the rest of the search: pawns at home, and kings
//!   and rooks with rights. Distances are those around it (`distances.rs`). So a bishop never waits
//!   in front of pawns that have gone home without it.
//! * Pawns pass each other only by captures. Positions whose pawns cannot come home with the
//!   captures that are left are dropped (`kernel.rs`), and the score counts those they need.
//! * The score also counts captures that cannot have happened, pawns that have passed each other,
//!   the tempo that one side is ahead by, and rights that were lost without a move.
//! * A beam search keeps the best states of each ply, first 32 of them, then more and more. Both
//!   sides move in turn, so states of a ply can be compared. A state that was kept is not visited
//!   again.
//!
//! Nothing depends on the clock, except what the caller does with it.
//!
//! # Limits
//!
//! A search that finds nothing proves nothing. Most positions with many promoted pieces and few
//! captures stay open: whether their pawns can come home is known, but not which way leads there.
//!
//! A search uses up to 256 MiB of memory. That is more than the rest of a run may use for a thread.

mod assignment;
mod beam_search;
mod distances;
mod estimate;
mod kernel;
mod retraction;

use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Move, Position};

use super::position_key_of;
use assignment::UNITS;
use retraction::{Manner, Past, Retraction, Rights};

/// Looks for a game of standard chess that leads to a position: its moves, which have been
/// replayed. `None` if none was found.
///
/// `goes_on` is called from time to time with the number of nodes since it was last called: moves
/// that were taken back, about two million a second. It returns whether the search may go on.
pub fn find_proof_game(goal: &Chess, goes_on: &mut dyn FnMut(u64) -> bool) -> Option<Vec<Move>> {
    // A side never has more than it starts with.
    if Color::ALL.iter().any(|color| goal.board().by_color(*color).count() > UNITS) {
        return None;
    }
    let past = past_of(goal);
    if past.is_start() {
        return Some(Vec::new());
    }
    replay(&beam_search::search(&past, goes_on)?, goal)
}

fn past_of(goal: &Chess) -> Past {
    let mut rights = Rights::default();
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if goal.castles().has(color, side) {
                rights.add(Rights::of(color, side));
            }
        }
    }
    let advanced = goal.ep_square(EnPassantMode::Legal).and_then(|passed| passed.offset(goal.turn().fold_wb(-8, 8)));
    Past { board: goal.board().clone(), turn: goal.turn(), rights, lost: Rights::default(), advanced }
}

/// Replays moves that were taken back, the last one of the game first. `None` if one is not legal,
/// or if they lead to another position.
fn replay(retractions: &[Retraction], goal: &Chess) -> Option<Vec<Move>> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(retractions.len());
    for retraction in retractions.iter().rev() {
        let is_meant = |played: &Move| match retraction.manner {
            Manner::Castling(side) => played.castling_side() == Some(side),
            _ => {
                !played.is_castle()
                    && played.from() == Some(retraction.to)
                    && played.to() == retraction.from
                    && played.promotion() == retraction.promotion
            }
        };
        let played = position.legal_moves().into_iter().find(is_meant)?;
        position.play_unchecked(played);
        moves.push(played);
    }
    (position_key_of(&position) == position_key_of(goal)).then_some(moves)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    /// A game that leads to a position, within a number of nodes.
    fn found(fen: &str, nodes: u64) -> Option<Vec<Move>> {
        let goal: Chess = fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen);
        let mut left = nodes;
        let game = find_proof_game(&goal, &mut |spent| {
            left = left.saturating_sub(spent);
            left > 0
        })?;
        let mut position = Chess::default();
        for played in &game {
            assert!(position.is_legal(*played), "{fen}");
            position.play_unchecked(*played);
        }
        assert_eq!(position_key_of(&position), position_key_of(&goal), "{fen}");
        Some(game)
    }

    #[test]
    fn finds_games() {
        for (fen, max_plies) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 40),
            ("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7", 20),
            // En passant is legal in the first one, and the pawn captured so in the second one.
            ("rnbqkbnr/ppp1pppp/8/8/3pP3/5N1P/PPPP1PP1/RNBQKB1R b KQkq e3 0 3", 20),
            ("rnbqkbnr/ppp1pppp/8/8/8/4pN1P/PPPP1PP1/RNBQKB1R w KQkq - 0 4", 20),
            // Promoted pieces.
            ("rnbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1", 60),
            ("QnbqkbnQ/1pppppp1/8/8/8/8/1PPPPPP1/RNBQKBNR b KQ - 0 1", 100),
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", 200),
        ] {
            let game = found(fen, 3_000_000).unwrap_or_else(|| panic!("{fen} stays open"));
            assert!(game.len() <= max_plies, "{fen}: {} plies", game.len());
        }
    }

    #[test]
    fn impossible_positions_stay_open() {
        for fen in [
            // The bishop cannot have left c1.
            "rnbqkbnr/pppppppp/8/8/5B2/8/PPPPPPPP/RN1QKBNR b KQkq - 0 1",
            // No pawn can have captured.
            "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 1",
            // Only knights can have moved, and none has lost a move.
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        ] {
            assert!(found(fen, 100_000).is_none(), "{fen}");
        }
    }

    #[test]
    fn the_same_nodes_find_the_same_game() {
        let fen = "r2qkbnr/ppp2ppp/2np4/4p3/2B1P1b1/2N2N2/PPPP1PPP/R1BQ1RK1 w kq - 0 6";
        assert_eq!(found(fen, 1_000_000), found(fen, 2_000_000));
        assert!(found(fen, 1).is_none());
    }
}
