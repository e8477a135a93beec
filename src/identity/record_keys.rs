//! What tells records from others in reports.

use super::{GameCard, PositionCard};

/// Hashes of what tells records from others in reports. Records with the same one are alike.
#[derive(Clone, Copy, Debug)]
pub struct RecordKeys {
    /// That of a game.
    pub game: fn(&GameCard<'_>) -> u64,
    /// That of a position.
    pub position: fn(&PositionCard<'_>) -> u64,
}
