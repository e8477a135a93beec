//! EPD lines: which lines hold a position, and the operations behind it, each with its span.

mod moves;
mod operations;

pub use moves::{Resolved, WordInLine, resolve, word_in_line};
pub use operations::{Closing, Operand, Operation, Operations, is_known_opcode};

use crate::chess::Span;

/// Where the position of a line begins, or `None` where the line holds none: blank lines, lines that begin with `#` or `;`,
/// and the `id …` and `perft …` lines of perft files, whose positions stand behind the word `epd`.
pub fn record(text: &[u8], line: Span) -> Option<Span> {
    let end = line.end.min(text.len());
    let mut start = line.start.min(end);
    if text[start..end].starts_with(b"\xEF\xBB\xBF") {
        start += 3;
    }
    let content = &text[start..end];
    let blanks = content.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    let content = &content[blanks..];
    let word_follows =
        |word: &[u8]| content.strip_prefix(word).is_some_and(|rest| rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t')));
    match *content.first()? {
        b'#' | b';' => None,
        b'i' if word_follows(b"id") => None,
        b'p' if word_follows(b"perft") => None,
        b'e' if word_follows(b"epd") => {
            let blanks = content[3..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            Some(Span::new(end - content.len() + 3 + blanks, end))
        }
        _ => Some(Span::new(start, end)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record_of(line: &str) -> Option<&str> {
        record(line.as_bytes(), Span::new(0, line.len())).map(|span| &line[span.start..span.end])
    }

    #[test]
    fn lines_that_are_no_records() {
        for line in ["", "  ", "# positions", "; positions", "id gentest-1", "perft 1 20", "\0", "\r"] {
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
