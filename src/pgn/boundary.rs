//! Where a game begins, judged from the text around a place alone.

use memchr::{memchr, memchr2};

/// How far a header inside a comment may lie before the brace that closes it.
const LONGEST_COMMENT_BEHIND_HEADER: usize = 1 << 20;

/// Longest name of a tag that is recognised at the beginning of a game.
const LONGEST_NAME: usize = 256;

/// The byte order mark of UTF-8.
pub const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Whether a byte is white space that ends no line. Form feeds part the pages of lists that were once printed, often between games.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0B | 0x0C)
}

/// Whether `at` is the first byte of a line; a byte order mark and blanks before it do not count.
pub fn begins_line(text: &[u8], at: usize) -> bool {
    let mut before = &text[..at.min(text.len())];
    loop {
        before = before.strip_suffix(BOM).unwrap_or(before);
        match before.last() {
            None | Some(b'\n' | b'\r') => return true,
            Some(&byte) if is_blank(byte) => before = &before[..before.len() - 1],
            Some(_) => return false,
        }
    }
}

/// Whether the line that holds `at` follows a blank line, or is the first of the text.
pub fn follows_blank_line(text: &[u8], at: usize) -> bool {
    let line = text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    let Some(line_break) = line else { return true };
    let previous = if text[..=line_break].ends_with(b"\r\n") { line_break - 1 } else { line_break };
    for &byte in text[..previous].iter().rev() {
        match byte {
            b'\n' | b'\r' => return true,
            byte if is_blank(byte) => {}
            _ => return false,
        }
    }
    true
}

/// Whether a tag pair opens at `at`: `[`, a name and a quote, with or without white space between.
pub fn opens_tag_pair(text: &[u8], at: usize) -> bool {
    tag_name(text, at).is_some_and(|end| text.get(end + white_space(&text[end..])) == Some(&b'"'))
}

/// How many of the first bytes are blanks, and at most one line break between them: as much as may stand between the tokens
/// of a tag pair (PGN standard, 8.1) without its falling apart.
pub(super) fn white_space(text: &[u8]) -> usize {
    let blanks = |from: usize| from + text[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let line_end = blanks(0);
    match text[line_end..] {
        [b'\r', b'\n', ..] => blanks(line_end + 2),
        [b'\n' | b'\r', ..] => blanks(line_end + 1),
        _ => line_end,
    }
}

/// Whether `[Event ` stands at `at`.
pub fn opens_event(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(b"[Event ")
}

/// One past the name of a tag that opens at `at`.
pub(super) fn tag_name(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'[') {
        return None;
    }
    let start = at + 1 + white_space(&text[at + 1..]);
    let name = text[start..].iter().take(LONGEST_NAME).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    (name > 0).then_some(start + name)
}

/// Whether a game's header begins at `at`, inside what may be a comment: `[Event "` at the start of a line, or a tag pair
/// after a blank line.
fn is_header_in_comment(text: &[u8], at: usize) -> bool {
    let line_starts = matches!(text.get(at.wrapping_sub(1)), Some(b'\n' | b'\r'));
    line_starts && (text[at..].starts_with(b"[Event \"") || (follows_blank_line(text, at) && opens_tag_pair(text, at)))
}

/// How a brace comment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentEnd {
    /// One past its closing brace.
    Closed(usize),
    /// It was never closed; reading goes on at this header.
    AtHeader(usize),
    /// It was never closed; the text ends.
    AtEnd,
}

/// Finds the end of the brace comment that opens at `open`. The second value tells whether the end of `text` had a part in
/// the answer, so that more text could change it.
///
/// A comment ends at the first `}`. One that holds a header is closed only if a `}` follows the header before any `{` and
/// within 1 MiB; otherwise it was never closed, and has swallowed a game.
pub fn comment_end(text: &[u8], open: usize) -> (CommentEnd, bool) {
    const BLOCK: usize = 4096;
    let mut from = open + 1;
    while from < text.len() {
        let block_end = (from + BLOCK).min(text.len());
        let close = memchr(b'}', &text[from..block_end]).map(|at| from + at);
        let searched = close.unwrap_or(block_end);
        if let Some(header) = header_between(text, from, searched) {
            let limit = header.saturating_add(LONGEST_COMMENT_BEHIND_HEADER).min(text.len());
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

/// The closing brace that follows within a few dozen bytes, in the same line and before any opening one, if there is one. Eight bytes at a time: most
/// comments are a clock, and too short for a vectorised search to pay.
#[inline]
pub(super) fn near_brace(text: &[u8], from: usize) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    // The lowest bit set tells the first byte that equals `byte`.
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

/// Guesses where the first game begins in `from..to`, from the text around each place alone: a tag pair at the start of a
/// line, after a blank line, that does not continue a tag section. Reading decides whether the guess is right.
///
/// A game behind a byte order mark begins with the mark: only where that lies decides to which range the game belongs.
pub fn guess_start(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    let to = to.min(text.len());
    let last_bracket = (to + BOM.len()).min(text.len());
    while at < last_bracket {
        let bracket = at + memchr(b'[', &text[at..last_bracket])?;
        if begins_line(text, bracket) && follows_blank_line(text, bracket) && tag_name(text, bracket).is_some() {
            let start = with_bom(text, bracket);
            if (from..to).contains(&start) {
                return Some(start);
            }
        }
        at = bracket + 1;
    }
    None
}

/// `at`, or the byte order mark right before it.
pub(crate) fn with_bom(text: &[u8], at: usize) -> usize {
    if text[..at].ends_with(BOM) { at - BOM.len() } else { at }
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
    fn a_header_in_a_comment_counts_only_if_the_comment_is_not_closed_behind_it() {
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
    fn blanks_before_a_line() {
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
    fn a_guess_lies_in_the_range_that_was_asked_about() {
        let text = b"1. e4 *\n\n\xEF\xBB\xBF[Event \"a\"]\n";
        for from in 0..text.len() {
            for to in from..=text.len() {
                let expected = (from..to).contains(&9).then_some(9);
                assert_eq!(guess_start(text, from, to), expected, "{from}..{to}");
            }
        }
    }
}
