//! Glyphs, variations, and positions that are written beside the moves.

pub mod embedded_fen_mismatch;
pub mod nag_range;
pub mod nag_undefined;
pub mod rav_echo;
