//! The part of a text that is in memory.

use std::ops::Range;

use crate::table::Table;

/// Minimum distance of a record from the end of an incomplete text. A record closer to it is read
/// again with more text.
pub(super) const MARGIN: usize = 1024;

/// A text, or the part of it that is in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    /// The bytes in memory.
    pub text: &'a [u8],
    /// Where the text begins in the input.
    pub base: u64,
    /// Start, in the input, of the line with the first record.
    pub line_start: u64,
    /// Whether the text reaches the end of the input.
    pub complete: bool,
    /// Whether there is more text after that, which cannot be read.
    pub is_cut: bool,
}

impl<'a> Window<'a> {
    /// The window without the text from `end` on.
    pub(super) fn up_to(self, end: usize) -> Window<'a> {
        let text = &self.text[..end.min(self.text.len())];
        let is_same = text.len() == self.text.len();
        Window { text, complete: self.complete && is_same, is_cut: self.is_cut && is_same, ..self }
    }

    /// Whether the row at `start` is at or before the header of `table`.
    pub fn is_before_rows(&self, start: usize, table: &Table) -> bool {
        table.header.is_some_and(|header| self.base + start as u64 <= header as u64)
    }

    /// The part of `range` in which it is certain where records seem to begin.
    pub fn certain(&self, range: Range<usize>) -> Range<usize> {
        range.start..range.end.min(self.last_end()).max(range.start)
    }

    /// Maximum end of a record that is not read again with more text.
    pub(super) fn last_end(&self) -> usize {
        if self.complete { self.text.len() } else { self.text.len().saturating_sub(MARGIN) }
    }
}
