//! What was read: bytes, records and plies.

use serde::{Deserialize, Serialize};

use crate::oracle::OracleCounts;

/// What was read of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Bytes of (decompressed) text.
    pub bytes: u64,
    /// Games.
    pub games: u64,
    /// Position lines.
    pub positions: u64,
    /// Plies replayed, in the main line and in variations.
    pub plies: u64,
    /// Plies read but not replayed: after an illegal move, or in an unsupported variant.
    pub plies_not_examined: u64,
    /// Positions that oracles were asked about.
    #[serde(default, skip_serializing_if = "OracleCounts::is_empty")]
    pub oracles: OracleCounts,
}

impl Counts {
    /// Games and position lines.
    pub const fn records(self) -> u64 {
        self.games + self.positions
    }

    /// Adds the counts of another part of the input.
    pub fn add(&mut self, other: Counts) {
        self.bytes += other.bytes;
        self.games += other.games;
        self.positions += other.positions;
        self.plies += other.plies;
        self.plies_not_examined += other.plies_not_examined;
        self.oracles.add(other.oracles);
    }
}
