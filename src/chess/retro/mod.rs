//! Retro-analysis: what must have happened before a position.

mod cages;
mod camp;
mod last_move;
mod pawns;
mod structure;

pub use last_move::{Known, LastMoves};
pub use structure::{Passages, PawnCaptures, Promotions, Structure};
