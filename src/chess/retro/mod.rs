//! Retro-analysis: what must have happened before a position.

mod last_move;

pub use last_move::{Known, LastMoves};
