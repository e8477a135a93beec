//! Retro-analysis: what must have happened before a position.

mod cages;
mod goal;
mod home_rank;
mod kernel;
mod kinds;
mod last_move;
mod limits;
mod pawn_captures;
mod pawns;
mod promotion;
mod ranks;
mod side_view;
mod structure;

pub use home_rank::{ANY_START, HomeRank, STANDARD_START, StartingRanks};
pub use kernel::Effort;
pub use kinds::Kind;
pub use last_move::{KnownHistory, LastMoves};
pub use pawn_captures::Verdict;
pub use structure::{Argument, BarredPromotion, PawnCaptures, Structure};
