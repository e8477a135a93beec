//! Whether two games are the same: what is kept of each, and how two of them are compared.

mod card;
mod games;
mod main_line;
mod ply;
mod search;

pub use card::{CardBatch, CardBytes, GameCard, GameKeys, GamePlace, GameTraits, KEPT_TAGS, OPENING_PLIES};
pub use games::Games;
pub use main_line::{FirstPosition, MainLine};
pub use ply::Ply;
pub use search::{Shared, search_keys};
