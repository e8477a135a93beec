//! The result of reading a game.

use crate::{
    oracle::OracleCounts,
    pgn::MarkerKind,
    record::{Consequences, PositionEvidence, UnsupportedCounts},
};

/// The result of reading a game.
#[derive(Clone, Debug)]
pub(in crate::record) struct GameOutcome {
    /// Start of the next record, or end of the text.
    pub next: usize,
    /// One past the marker of the game. Without a marker, the start of the next record.
    pub end: usize,
    /// Start of the movetext. Without movetext, start of the next record.
    pub movetext: usize,
    /// Whether there is a game, not only blank lines, comments and stray text.
    pub is_game: bool,
    /// Whether it is a game with other pieces than those of chess.
    pub is_other_game: bool,
    /// Whether there is a tag pair, even a damaged one.
    pub has_tags: bool,
    /// What its termination marker means, if it has one.
    pub marker: Option<MarkerKind>,
    /// Plies of the main line that were replayed.
    pub main_line: u32,
    /// Plies replayed.
    pub plies: u64,
    /// Plies read but not replayed.
    pub plies_not_examined: u64,
    /// Whether it is a game of a variant that is not supported.
    pub is_unsupported: bool,
    /// Whether more text could change the result.
    pub touched_end: bool,
    /// What its first position shows about the input.
    pub evidence: PositionEvidence,
    /// How often oracles were asked.
    pub oracles: OracleCounts,
    /// What other readers do not read.
    pub consequences: Consequences,
}

impl GameOutcome {
    /// What its moves add to the counts if its variant is not supported.
    pub fn unsupported(&self) -> UnsupportedCounts {
        let is_unsupported = self.is_game && self.is_unsupported;
        UnsupportedCounts { games: u64::from(is_unsupported), plies: if is_unsupported { self.plies_not_examined } else { 0 } }
    }
}
