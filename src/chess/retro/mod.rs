//! Retro-analysis: what must have happened before a position.

mod cages;
pub(crate) mod glance;
mod home_rank;
mod kernel;
mod last_move;
mod pawn_captures;
mod pawn_order;
mod pawns;
mod promoted_kinds;
mod promotion;
mod ranks;
mod side_limits;
mod side_view;
mod structure;

pub use home_rank::{ANY_START, HomeRank, STANDARD_START, StartingRanks};
pub use kernel::Effort;
pub use last_move::{KnownHistory, LastMoves};
pub use pawn_captures::Reachability;
pub use promoted_kinds::PromotedKind;
pub use structure::{Argument, BarredPromotion, PawnCaptures, Structure};
