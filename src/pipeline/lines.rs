//! Line numbers.

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memrchr};

/// Start of the line that contains `at`.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |line_break| line_break + 1)
}

/// Counts lines forward. A line ends with LF, CR LF, or a single CR.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub at: usize,
    /// Start of the text in the input.
    pub base: u64,
    /// Line breaks before `at`.
    pub line: u64,
    /// Start, in the input, of the line of `at`.
    pub line_start: u64,
}

impl Lines {
    /// Goes forward to `to`, the start of a line, over this number of lines.
    pub const fn pass(&mut self, lines: u64, to: usize) {
        self.line += lines;
        self.line_start = self.base + to as u64;
        self.at = to;
    }

    /// The line number of `at`, from 1, and its column in bytes. There is no line break between the two
    /// places.
    pub const fn locate(&self, at: usize) -> (u64, u64) {
        (self.line + 1, self.base + at as u64 - self.line_start + 1)
    }

    pub fn advance(&mut self, text: &[u8], to: usize) {
        let Some(part) = text.get(self.at..to) else { return };
        // Most records of positions are one line.
        let line_break = memchr2(b'\n', b'\r', part).map(|at| &part[at..]);
        if let None | Some(b"\n" | b"\r\n") = line_break {
            if line_break.is_some() {
                self.line += 1;
                self.line_start = self.base + to as u64;
            }
            self.at = to;
            return;
        }
        if memchr(b'\r', part).is_none() {
            // Without CR, line breaks can be counted many at a time.
            self.line += memchr_iter(b'\n', part).count() as u64;
            if let Some(last) = memrchr(b'\n', part) {
                self.line_start = self.base + (self.at + last) as u64 + 1;
            }
            self.at = to;
            return;
        }
        for found in memchr2_iter(b'\n', b'\r', part) {
            let at = self.at + found;
            if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') {
                continue;
            }
            self.line += 1;
            self.line_start = self.base + at as u64 + 1;
        }
        self.at = to;
    }
}
