//! Where a game begins, judged only from the text around a place.

use memchr::{memchr, memchr2, memmem};

/// Maximum number of bytes between a header inside a comment and the closing brace of that comment.
const MAX_COMMENT_AFTER_HEADER: usize = 1 << 20;

/// Maximum length of a tag name that is recognised at the start of a game.
const MAX_TAG_NAME: usize = 256;

/// The byte order mark in UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Whether a byte is whitespace other than a line ending. Form feeds separate pages of lists that
/// were made for printing, often between games.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0B | 0x0C)
}

/// Whether `at` is the first byte of a line, apart from a byte order mark and spaces.
pub fn begins_line(text: &[u8], at: usize) -> bool {
    let mut before = &text[..at.min(text.len())];
    loop {
        before = before.strip_suffix(BOM).unwrap_or(before);
        match before.last() {
            None | Some(b'\n' | b'\r') => return true,
            Some(&byte) if is_space(byte) => before = &before[..before.len() - 1],
            Some(_) => return false,
        }
    }
}

/// Whether the line that contains `at` follows a blank line, or is the first line of the text.
pub fn follows_blank_line(text: &[u8], at: usize) -> bool {
    let line = text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    let Some(line_break) = line else { return true };
    let previous = if text[..=line_break].ends_with(b"\r\n") { line_break - 1 } else { line_break };
    for &byte in text[..previous].iter().rev() {
        match byte {
            b'\n' | b'\r' => return true,
            byte if is_space(byte) => {}
            _ => return false,
        }
    }
    true
}

/// Whether a tag pair begins at `at`: `[`, a name and a quote, with or without whitespace in
/// between.
pub fn opens_tag_pair(text: &[u8], at: usize) -> bool {
    tag_name(text, at).is_some_and(|end| text.get(end + whitespace(&text[end..])) == Some(&b'"'))
}

/// Number of leading spaces and tabs, with at most one line break among them. That much whitespace
/// is accepted between the tokens of a tag pair (PGN standard 8.1).
pub(super) fn whitespace(text: &[u8]) -> usize {
    let spaces_end = |from: usize| from + text[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let line_end = spaces_end(0);
    match text[line_end..] {
        [b'\r', b'\n', ..] => spaces_end(line_end + 2),
        [b'\n' | b'\r', ..] => spaces_end(line_end + 1),
        _ => line_end,
    }
}

/// Whether `at` is the start of `[Event `.
pub fn opens_event(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"[Event ")
}

/// End of the name of the tag pair that begins at `at`.
pub(super) fn tag_name(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let start = at + 1 + whitespace(&text[at + 1..]);
    let name = text[start..].iter().take(MAX_TAG_NAME).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    (name > 0).then_some(start + name)
}

/// Whether the header of a game begins at `at`, inside a possible comment: `[Event "` at the start
/// of a line, or a tag pair after a blank line.
fn is_header_in_comment(text: &[u8], at: usize) -> bool {
    let line_starts = matches!(text.get(at.wrapping_sub(1)), Some(b'\n' | b'\r'));
    line_starts && (text[at..].starts_with(b"[Event \"") || (follows_blank_line(text, at) && opens_tag_pair(text, at)))
}

/// How a brace comment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentEnd {
    /// It is closed. The offset is one past its closing brace.
    Closed(usize),
    /// It is not closed. Reading continues at the header at this offset.
    AtHeader(usize),
    /// It is not closed, and the text ends.
    AtEnd,
}

/// Finds the end of the brace comment that begins at `open`. The second value is whether the answer
/// depends on the end of `text`, so that more text could change it.
///
/// A comment ends at the first `}`. A comment that contains a header is closed only if a `}`
/// follows the header before any `{` and within 1 MiB. Otherwise the closing brace is missing, and
/// the header begins a game.
pub fn comment_end(text: &[u8], open: usize) -> (CommentEnd, bool) {
    const BLOCK: usize = 4096;
    let mut from = open + 1;
    while from < text.len() {
        let block_end = (from + BLOCK).min(text.len());
        let close = memchr(b'}', &text[from..block_end]).map(|at| from + at);
        let searched = close.unwrap_or(block_end);
        if let Some(header) = header_between(text, from, searched) {
            let limit = header.saturating_add(MAX_COMMENT_AFTER_HEADER).min(text.len());
            return match memchr2(b'{', b'}', &text[header..limit]).map(|at| header + at) {
                Some(at) if text[at] == b'}' => (CommentEnd::Closed(at + 1), false),
                Some(_) => (CommentEnd::AtHeader(header), false),
                None => (CommentEnd::AtHeader(header), limit == text.len()),
            };
        }
        if let Some(close) = close {
            return (CommentEnd::Closed(close + 1), false);
        }
        from = block_end;
    }
    (CommentEnd::AtEnd, true)
}

/// The closing brace within the next 64 bytes, if it is on the same line and before any opening
/// brace.
///
/// Reads eight bytes at a time: most comments are a clock time, too short for a vectorised search
/// to be worthwhile.
#[inline]
pub(super) fn near_brace(text: &[u8], from: usize) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    // The lowest bit that is set belongs to the first byte that equals `byte`.
    let equal = |word: u64, byte: u8| {
        let word = word ^ (LOW * u64::from(byte));
        word.wrapping_sub(LOW) & !word & HIGH
    };
    let mut at = from;
    for _ in 0..8 {
        let word = u64::from_le_bytes(text.get(at..at + 8)?.try_into().ok()?);
        let found = equal(word, b'}') | equal(word, b'\n') | equal(word, b'\r') | equal(word, b'{');
        if found != 0 {
            let place = at + found.trailing_zeros() as usize / 8;
            return (text[place] == b'}').then_some(place);
        }
        at += 8;
    }
    None
}

/// The first header that begins in `from..to`.
fn header_between(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = memchr(b'[', &text[at..to]) {
        let bracket = at + found;
        if is_header_in_comment(text, bracket) {
            return Some(bracket);
        }
        at = bracket + 1;
    }
    None
}

/// Guesses where the first game begins in `from..to`, only from the text around each place. Reading
/// the text shows whether the guess is right.
///
/// A game after a byte order mark begins with the mark, so the place of the mark decides which
/// range the game belongs to.
pub fn guess_start(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let to = to.min(text.len());
    let last_bracket = (to + BOM.len()).min(text.len());
    let brackets = places(b"[", text, from, last_bracket).filter(|&bracket| seems_to_open_header(text, bracket));
    let header = brackets.map(|bracket| with_bom(text, bracket)).find(|start| (from..to).contains(start));
    // Games without tags.
    header.or_else(|| places(b"1.", text, from, to).find(|&number| follows_marker(text, number)))
}

/// The places in `from..to` at which `wanted` begins.
fn places<'a>(wanted: &'a [u8], text: &'a [u8], from: usize, to: usize) -> impl Iterator<Item = usize> + 'a {
    memmem::find_iter(text.get(from..to).unwrap_or_default(), wanted).map(move |found| from + found)
}

/// Whether the header of a game seems to begin at the bracket at `at`: at a line start after a
/// blank line or after anything but a tag pair, or directly after a termination marker.
fn seems_to_open_header(text: &[u8], at: usize) -> bool {
    if !begins_line(text, at) {
        return opens_tag_pair(text, at) && follows_marker(text, at);
    }
    if follows_blank_line(text, at) {
        return tag_name(text, at).is_some();
    }
    !text[..at].trim_ascii_end().ends_with(b"]") && opens_tag_pair(text, at)
}

/// Whether the text before `at` ends with a termination marker and whitespace.
fn follows_marker(text: &[u8], at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    before.len() < at && [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"].iter().any(|marker| before.ends_with(marker))
}

/// The start of the byte order mark directly before `at`, or `at` if there is none.
pub(crate) fn with_bom(text: &[u8], at: usize) -> usize {
    if text[..at].ends_with(BOM) { at - BOM.len() } else { at }
}

/// Whether a line starts like movetext: a move number indication and a move.
pub fn is_movetext(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = &line[digits..];
    if digits == 0 || digits > 4 || !after.starts_with(b".") {
        return false;
    }
    let dots = after.iter().take_while(|byte| **byte == b'.').count();
    let text = after[dots..].trim_ascii_start();
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    match word {
        [b'O' | b'0', b'-', ..] => true,
        [b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N', rest @ ..] => {
            word.len() <= 10 && rest.iter().any(|byte| matches!(byte, b'1'..=b'8'))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_at_its_brace() {
        assert_eq!(comment_end(b"{ a } b", 0), (CommentEnd::Closed(5), false));
        assert_eq!(comment_end(b"{ a b", 0), (CommentEnd::AtEnd, true));
    }

    #[test]
    fn a_header_in_a_comment_counts_only_if_the_comment_is_not_closed_after_it() {
        let quoted = b"{ text\n[Event \"fake\"]\n} e4";
        assert_eq!(comment_end(quoted, 0), (CommentEnd::Closed(quoted.len() - 3), false));
        let swallowed = b"{ text\n\n[Event \"true\"]\n\n1. e4 {x} *";
        assert_eq!(comment_end(swallowed, 0), (CommentEnd::AtHeader(8), false));
        let last = b"{ text\n\n[White \"true\"]\n\n1. e4 *";
        assert_eq!(comment_end(last, 0), (CommentEnd::AtHeader(8), true));
        let clock = b"{ text\n[%clk 0:01] }";
        assert_eq!(comment_end(clock, 0), (CommentEnd::Closed(clock.len()), false));
    }

    #[test]
    fn blank_lines() {
        assert!(follows_blank_line(b"a\n\n[", 3));
        assert!(follows_blank_line(b"a\r\n \r\n[", 6));
        assert!(follows_blank_line(b"a\r\r[", 3));
        assert!(!follows_blank_line(b"a\r\n[", 3));
        assert!(!follows_blank_line(b"a\n[", 2));
        assert!(follows_blank_line(b"[", 0));
        assert!(follows_blank_line(b"a\n\x0C\n[", 4));
    }

    #[test]
    fn spaces_before_a_line() {
        assert!(begins_line(b"a\n \t[", 4));
        assert!(begins_line(b"a\n\x0C[", 3));
        assert!(begins_line(b"\xEF\xBB\xBF[", 3));
        assert!(!begins_line(b"a [", 2));
    }

    #[test]
    fn guesses() {
        let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Site \"c\"]\n";
        assert_eq!(guess_start(text, 0, text.len()), Some(0));
        assert_eq!(guess_start(text, 1, text.len()), Some(22));
        assert_eq!(guess_start(text, 23, text.len()), None);
    }

    #[test]
    fn guesses_without_blank_lines() {
        for (before, after) in [
            ("[Event \"a\"]\n1. e4 *\n", "[Event \"b\"]\n[Site \"c\"]\n1. d4 *\n"),
            ("[Event \"a\"]\r\n1. e4\r\n", "[Site \"c\"]\r\n[Event \"b\"]\r\n1. d4\r\n"),
            ("[Event \"a\"] 1. e4 1-0 ", "[Event \"b\"] 1. d4 1/2-1/2"),
            ("1. e4 {1. d4} 0-1\n\n", "1. d4 1/2-1/2\n"),
            ("1. e4 1/2-1/2 ", "1. d4"),
        ] {
            let text = [before, after].concat();
            assert_eq!(guess_start(text.as_bytes(), 1, text.len()), Some(before.len()), "{text:?}");
            assert_eq!(guess_start(text.as_bytes(), before.len() + 1, text.len()), None, "{text:?}");
        }
    }

    #[test]
    fn a_guess_is_in_the_given_range() {
        let text = b"1. e4 *\n\n\xEF\xBB\xBF[Event \"a\"]\n";
        for from in 0..text.len() {
            for to in from..=text.len() {
                let expected = (from..to).contains(&9).then_some(9);
                assert_eq!(guess_start(text, from, to), expected, "{from}..{to}");
            }
        }
    }
}
