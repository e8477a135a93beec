//! Places in a text.

use serde::{Deserialize, Serialize};

/// A range of bytes, counted from 0; `end` is exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` to `end`, exclusive.
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The same range, `by` bytes later.
    pub const fn shifted(self, by: usize) -> Span {
        Span { start: self.start + by, end: self.end + by }
    }

    /// Whether all of `other` is within the span.
    pub const fn covers(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The bytes of the span in `text`. What is outside `text` is left out.
    pub fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.end.min(text.len())).unwrap_or_default()
    }
}
