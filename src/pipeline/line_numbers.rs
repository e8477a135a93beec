//! Line numbers.

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memrchr};

use crate::text::LineEndBytes;

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

    /// Goes forward to the end of `range`, which contains this number of line breaks. Does nothing
    /// if they were not counted, if the range does not end with a line, or if its start was passed
    /// before.
    pub fn pass_counted(&mut self, text: &[u8], range: Range<usize>, breaks: Option<u64>) {
        let Range { start, end } = range;
        let ends_line = matches!(text.get(start..end), Some([.., b'\n' | b'\r'])) && text.get(end) != Some(&b'\n');
        if let Some(breaks) = breaks.filter(|_| ends_line && self.at <= start) {
            self.advance(text, start);
            self.pass(breaks, end);
        }
    }

    /// The line number of `at`, from 1, and its column in bytes. There is no line break between the
    /// two places.
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
        let ends = LineEndBytes::count(part);
        let (mut alone, mut last_cr) = (0, None);
        if ends.cr > ends.cr_lf {
            // A CR before LF ends no line by itself. The LF may follow the part.
            let ends_line = |at: &usize| text.get(at + 1) != Some(&b'\n');
            for at in memchr_iter(b'\r', part).map(|found| self.at + found).filter(ends_line) {
                (alone, last_cr) = (alone + 1, Some(at));
            }
        }
        self.line += ends.lf as u64 + alone;
        let last_lf = memrchr(b'\n', part).map(|found| self.at + found);
        if let Some(last) = last_cr.max(last_lf) {
            self.line_start = self.base + last as u64 + 1;
        }
        self.at = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of up to eight bytes, counted in two steps.
    #[test]
    fn lines_are_counted_as_one_by_one() {
        let mut with_cr = 0;
        for number in 0..1 << 16 {
            let text: Vec<u8> = (0..8).map(|at| [b'x', b'\n', b'\r', b'\r'][number >> (2 * at) & 3]).collect();
            let ends_line = |at: &usize| text[*at] == b'\n' || text[*at] == b'\r' && text.get(at + 1) != Some(&b'\n');
            for part in [3, 8] {
                let mut lines = Lines { at: 0, base: 7, line: 0, line_start: 7 };
                lines.advance(&text, part);
                lines.advance(&text, 8);
                let mut passed = Lines { at: 0, base: 7, line: 0, line_start: 7 };
                let counted = (part..8).filter(ends_line).count() as u64;
                // The text may go on with LF.
                passed.pass_counted(&[&text[..], b"\n"].concat(), part..8, Some(counted));
                assert!(passed.at == 0 || text[7] == b'\n', "{:?}", String::from_utf8_lossy(&text));
                passed.pass_counted(&text, part..8, Some(counted));
                passed.advance(&text, 8);
                assert_eq!(
                    (passed.line, passed.line_start),
                    (lines.line, lines.line_start),
                    "{:?}",
                    String::from_utf8_lossy(&text)
                );
                let breaks: Vec<usize> = (0..8).filter(ends_line).collect();
                let expected = (breaks.len() as u64, breaks.last().map_or(7, |last| 8 + *last as u64));
                assert_eq!((lines.line, lines.line_start), expected, "{:?}", String::from_utf8_lossy(&text));
                with_cr += usize::from(text.contains(&b'\r'));
            }
        }
        assert!(with_cr > 1000, "{with_cr} texts with CR");
    }
}
