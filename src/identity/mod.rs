//! Whether two games are the same: what is kept of each, and how two of them are compared.

mod card;
mod ply;

pub use card::{GameCard, GameKeys, GamePlace, GameTraits, KEPT_TAGS, OPENING_PLIES};
pub use ply::Ply;
