//! Text with carets under a part of it.

use std::ops::Range;

use crate::rules::Span;

use super::text::escaped;

/// A line of text, and the carets under it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The text, with invisible characters escaped.
    pub text: String,
    /// Carets under the marked part, and spaces before them.
    pub carets: String,
}

/// Splits `text` at line feeds and marks the bytes `marked`. An empty range marks the place between
/// two bytes. A marked line feed has its caret after the end of its line.
pub fn lines(text: &str, marked: Option<Range<usize>>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = Line::default();
    let mark = |line: &mut Line, from: usize, width: usize| {
        let spaces = from.saturating_sub(line.carets.chars().count());
        line.carets.push_str(&" ".repeat(spaces));
        line.carets.push_str(&"^".repeat(width));
    };
    let mut column = 0;
    for (at, character) in text.char_indices() {
        if marked.as_ref().is_some_and(|marked| marked.is_empty() && marked.start == at) {
            mark(&mut line, column, 1);
        }
        let is_marked = marked.as_ref().is_some_and(|marked| marked.contains(&at));
        if character == '\n' {
            if is_marked {
                mark(&mut line, column, 1);
            }
            lines.push(std::mem::take(&mut line));
            column = 0;
            continue;
        }
        let shown = super::text::printable(character.encode_utf8(&mut [0; 4])).into_owned();
        let width = shown.chars().count();
        if is_marked {
            mark(&mut line, column, width);
        }
        line.text.push_str(&shown);
        column += width;
    }
    if marked.as_ref().is_some_and(|marked| marked.is_empty() && marked.start == text.len()) {
        mark(&mut line, column, 1);
    }
    if line != Line::default() {
        lines.push(line);
    }
    lines
}

/// The part of a line around `place`, at most about `width` columns wide, with carets under
/// `place`.
pub fn around(line: &[u8], place: Span, width: usize) -> Line {
    let end = place.end.min(line.len());
    let start = place.start.min(end);
    let [before, inside, after] = [&line[..start], &line[start..end], &line[end..]].map(escaped);
    let marked = before.len()..before.len() + inside.len();
    let shown = lines(&format!("{before}{inside}{after}"), Some(marked)).into_iter().next().unwrap_or_default();
    clipped(shown, width)
}

/// Cuts a line to `width` columns around its first caret, with dots where text is left out.
fn clipped(line: Line, width: usize) -> Line {
    const DOTS: &str = "...";
    let count = line.text.chars().count();
    if count <= width {
        return line;
    }
    let first = line.carets.chars().take_while(|caret| *caret == ' ').count();
    let start = if first < width * 3 / 4 { 0 } else { (first - width / 4).min(count - width) };
    let window = |text: &str| text.chars().skip(start).take(width).collect::<String>();
    let (before, spaces) = if start > 0 { (DOTS, "   ") } else { ("", "") };
    let after = if start + width < count { DOTS } else { "" };
    Line { text: format!("{before}{}{after}", window(&line.text)), carets: format!("{spaces}{}", window(&line.carets)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_are_under_the_marked_part() {
        let of = |text: &str, marked: Range<usize>| lines(text, Some(marked));
        let line = |text: &str, carets: &str| Line { text: text.into(), carets: carets.into() };
        assert_eq!(of("ab\ncd\n", 1..4), [line("ab", " ^^"), line("cd", "^")]);
        assert_eq!(of("é\u{0}x", 2..3), [line("é\\u{0}x", " ^^^^^")]);
        assert_eq!(of("a\n\nb", 2..2), [line("a", ""), line("", "^"), line("b", "")]);
        assert_eq!(of("a\n", 2..2), [line("a", ""), line("", "^")]);
    }

    #[test]
    fn long_lines_are_clipped_around_the_marked_part() {
        let line = |text: &str, carets: &str| Line { text: text.into(), carets: carets.into() };
        let of = |start, end| around(b"0123456789abcdefghij", Span::new(start, end), 8);
        assert_eq!(of(1, 3), line("01234567...", " ^^"));
        assert_eq!(of(10, 11), line("...89abcdef...", "     ^"));
        assert_eq!(of(18, 40), line("...cdefghij", "         ^^"));
        assert_eq!(around(b"a\xE9\x07b", Span::new(1, 2), 20), line("a\\xE9\\u{7}b", " ^^^^"));
    }
}
