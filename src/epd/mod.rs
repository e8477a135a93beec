//! EPD lines: which lines contain a position, and the operations after it, each with its span.

mod mate;
mod moves;
mod opcode;
mod operations;
mod perft;

pub use mate::{Mate, is_mated_in, search_mate};
pub use moves::{
    CanonicalMoves, FalseMark, Form, FormCounts, MoveWord, Resolved, Spelling, WordInLine, is_scored_moves, read_moves, resolve,
    word_in_line, written_move,
};
pub use opcode::{Opcode, Operands, integer, near_opcodes};
pub use operations::{Closing, MAX_WORDS, Operand, Operation, Operations};
pub use perft::{count_leaves, perft_line, position_before};

use crate::text::Span;

/// The kind of a line by its first word. Whitespace and a byte order mark before it do not count.
enum Line {
    /// Nothing.
    Blank,
    /// `#`, `;` or `%`.
    Comment,
    /// `id`, as a line of its own.
    Id,
    /// `perft`; the span is what follows.
    Perft(Span),
    /// A position.
    Position(Span),
}

fn kind_of(text: &[u8], line: Span) -> Line {
    let end = line.end.min(text.len());
    let mut start = line.start.min(end);
    if text[start..end].starts_with(b"\xEF\xBB\xBF") {
        start += 3;
    }
    let content = &text[start..end];
    let spaces = content.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    let content = &content[spaces..];
    let after = |word: &[u8]| {
        content
            .strip_prefix(word)
            .filter(|rest| rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')))
            .map(|rest| Span::new(end - rest.len(), end))
    };
    match content.first() {
        None => Line::Blank,
        Some(b'#' | b';' | b'%') => Line::Comment,
        Some(b'i') if after(b"id").is_some() => Line::Id,
        Some(b'p') if let Some(rest) = after(b"perft") => Line::Perft(rest),
        Some(b'e') if let Some(rest) = after(b"epd") => {
            let spaces = rest.of(text).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            Line::Position(Span::new(rest.start + spaces, end))
        }
        Some(_) => Line::Position(Span::new(start, end)),
    }
}

/// The part of a line from its position on, or `None` if the line has no position.
///
/// Blank lines, lines that start with `#`, `;` or `%`, and the `id …` and `perft …` lines of perft
/// files have none. The positions of perft files follow the word `epd`.
pub fn record(text: &[u8], line: Span) -> Option<Span> {
    match kind_of(text, line) {
        Line::Position(place) => Some(place),
        _ => None,
    }
}

/// The moves of a line with the name that UCI has for the starting position, if `place` is one:
/// `startpos`, perhaps after `position`. The span is empty if there are no moves.
pub fn moves_from_startpos(text: &[u8], place: Span) -> Option<Span> {
    let line = place.of(text).trim_ascii();
    let end = place.end - (place.of(text).len() - place.of(text).trim_ascii_end().len());
    let rest = line.strip_prefix(b"position ").unwrap_or(line).strip_prefix(b"startpos")?;
    let moves = if rest.is_empty() { rest } else { rest.trim_ascii_start().strip_prefix(b"moves ")? };
    Some(Span::new(end - moves.len(), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record_of(line: &str) -> Option<&str> {
        record(line.as_bytes(), Span::new(0, line.len())).map(|span| &line[span.start..span.end])
    }

    #[test]
    fn lines_that_are_not_records() {
        for line in ["", "  ", "# positions", "; positions", "% positions", "id gentest-1", "perft 1 20", "\0", "\r"] {
            assert_eq!(record_of(line), None, "{line:?}");
        }
    }

    #[test]
    fn positions_of_perft_files() {
        assert_eq!(record_of("epd 8/8 w - -"), Some("8/8 w - -"));
        assert_eq!(record_of("\u{FEFF}8/8 w - -"), Some("8/8 w - -"));
        assert_eq!(record_of("perfter"), Some("perfter"));
    }
}
