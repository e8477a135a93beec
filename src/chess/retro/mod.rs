//! Retro-analysis: what must have happened before a position.

mod cages;
mod camp;
mod crossings;
mod last_move;
mod pawns;
mod structure;

pub use last_move::{Known, LastMoves};
pub use structure::{KernelCounts, Passages, PawnCaptures, Promotions, Structure};
