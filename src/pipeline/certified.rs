//! Positions whose legality was proven, or not.

use serde::{Deserialize, Serialize};

use super::panics::trial;
use crate::record::Certificate;

/// A position line and what is proven about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertifiedPosition {
    /// Its line, from 1.
    pub line: u64,
    /// Its ordinal in the input, from 1.
    pub game: u64,
    /// Its piece placement, side to move, castling rights and en passant square, as written.
    pub position: String,
    /// What is proven.
    pub certificate: Certificate,
}

impl CertifiedPosition {
    /// Judges the position in a line of text, within a number of nodes. Counts are from the start
    /// of a part of the input. `None` if it cannot be read.
    pub(super) fn of(text: &[u8], line: u64, game: u64, nodes: u64) -> Option<CertifiedPosition> {
        let mut left = nodes;
        let mut goes_on = |spent: u64| {
            trial("the search", text, 0);
            left = left.saturating_sub(spent);
            left > 0
        };
        let certificate = Certificate::of_line(text, &mut goes_on)?;
        let text = String::from_utf8_lossy(text);
        let position = text.split_ascii_whitespace().take(4).collect::<Vec<_>>().join(" ");
        Some(CertifiedPosition { line, game, position, certificate })
    }

    /// The same position after other parts of the input.
    #[must_use]
    pub(super) const fn after(mut self, lines: u64, records: u64) -> CertifiedPosition {
        self.line += lines;
        self.game += records;
        self
    }
}
