//! Retro-analysis: what must have happened before a position.

mod cages;
mod home_rank;
mod last_move;
mod pawn_captures;
mod pawns;
mod side_view;
mod structure;

pub use home_rank::{ANY_START, HomeRank, STANDARD_START, StartingRanks};
pub use last_move::{KnownHistory, LastMoves};
pub use pawn_captures::Verdict;
pub use structure::{CaptureCounts, PassedPawns, PawnCaptures, Promotions, Structure};
