//! Retro-analysis: what must have happened before a position.

mod cages;
mod last_move;
mod pawn_captures;
mod pawns;
mod side_view;
mod structure;

pub use last_move::{KnownHistory, LastMoves};
pub use structure::{CaptureCounts, PassedPawns, PawnCaptures, Promotions, Structure};
