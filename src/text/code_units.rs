//! Columns as editors count them: in UTF-16 code units.

use serde::{Deserialize, Serialize};

use super::Span;

/// Number of UTF-16 code units of a text. A byte that is not UTF-8 counts as one, as in Latin-1.
pub fn code_units(text: &[u8]) -> u64 {
    if text.is_ascii() {
        return text.len() as u64;
    }
    let of_chunk = |chunk: std::str::Utf8Chunk<'_>| chunk.valid().encode_utf16().count() + chunk.invalid().len();
    text.utf8_chunks().map(of_chunk).sum::<usize>() as u64
}

/// Where a span is in its lines. Columns count UTF-16 code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The column of its start, from 1.
    pub column: u64,
    /// Number of line breaks in it.
    pub lines: u64,
    /// The column of its end, in its last line.
    pub end_column: u64,
}

/// Finds extents in ascending order. A line is counted once, however many of them it contains.
#[derive(Debug, Default)]
pub struct Extents {
    line_start: usize,
    /// A place in that line, where a character begins.
    at: usize,
    /// Number of code units of the line before that place.
    before: u64,
}

impl Extents {
    /// The extent of a span of `text` whose line begins at `line_start`.
    pub fn next(&mut self, text: &[u8], line_start: usize, place: Span) -> Extent {
        if self.line_start != line_start || self.at < line_start || self.at > place.start {
            *self = Extents { line_start, at: line_start, before: 0 };
        }
        let before = self.before + code_units(Span::new(self.at, place.start).of(text));
        let is_inside_character = text.get(place.start).is_some_and(|byte| matches!(byte, 0x80..=0xBF));
        if !is_inside_character && place.start >= self.at {
            (self.at, self.before) = (place.start, before);
        }
        let content = place.of(text);
        let ends_line = |at: &usize| content[*at] == b'\n' || place.of(text).get(at + 1).or(text.get(place.end)) != Some(&b'\n');
        let breaks = memchr::memchr2_iter(b'\n', b'\r', content).filter(ends_line);
        let (lines, last) = breaks.fold((0, None), |(lines, _), at| (lines + 1, Some(at)));
        let end = match last {
            None => before + code_units(content),
            Some(last) => code_units(&content[last + 1..]),
        };
        Extent { column: before + 1, lines, end_column: end + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(text: &[u8], start: usize, end: usize) -> (u64, u64, u64) {
        let line_start = text[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let Extent { column, lines, end_column } = Extents::default().next(text, line_start, Span::new(start, end));
        (column, lines, end_column)
    }

    #[test]
    fn columns_count_code_units() {
        assert_eq!(extent(b"1. e4 e5", 3, 5), (4, 0, 6));
        assert_eq!(extent("é♔𝄞 e4".as_bytes(), 10, 12), (6, 0, 8), "one, one and two units, and a space");
        assert_eq!(extent(b"\xE9\xE9 e4", 3, 5), (4, 0, 6), "Latin-1");
        assert_eq!(extent(b"a\nbc", 4, 4), (3, 0, 3), "the end of the text");
    }

    #[test]
    fn a_span_may_have_several_lines() {
        assert_eq!(extent(b"x{a\nb\r\nc\rde}", 1, 12), (2, 3, 4));
        assert_eq!(extent(b"ab\ncd", 1, 3), (2, 1, 1));
        assert_eq!(extent(b"ab\r\ncd", 1, 3), (2, 0, 4), "half a line break");
    }

    #[test]
    fn a_line_is_counted_as_from_its_start() {
        let text = [&b"\xE9"[..], "é1. ♔ \u{10FFFF}x\n\u{FEFF}é".as_bytes(), b"\xA0\xE2\x99"].concat();
        let line = text.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        for line_start in [0, line] {
            for first in line_start..text.len() {
                for second in first..text.len() {
                    let mut extents = Extents::default();
                    extents.next(&text, line_start, Span::new(first, first));
                    let second = Span::new(second, text.len());
                    assert_eq!(extents.next(&text, line_start, second), Extents::default().next(&text, line_start, second));
                }
            }
        }
    }
}
