//! Replacements of whole tokens, lines and values, for rules of several families.

use memchr::memrchr2;

use super::{Patch, Span};
use crate::{
    identity::GameCard,
    pgn::{KnownTag, Lexer, Token, nearby_line_end},
};

/// Number of bytes in which a line break is looked for.
const NEARBY: usize = 16 * 1024;

/// The line break after the byte `at`. On the last line, the line break before it.
pub(crate) fn line_break(text: &[u8], at: usize) -> &'static str {
    let end = nearby_line_end(text, at);
    let of = |rest: &[u8]| match rest {
        [b'\r', b'\n', ..] => Some("\r\n"),
        [b'\n', ..] => Some("\n"),
        [b'\r', ..] => Some("\r"),
        _ => None,
    };
    let before = || {
        let near = text.get(at.saturating_sub(NEARBY)..at)?;
        let last = memrchr2(b'\n', b'\r', near)?;
        let first = if near[..=last].ends_with(b"\r\n") { last - 1 } else { last };
        of(&near[first..])
    };
    of(&text[end..]).or_else(before).unwrap_or("\n")
}

/// Replaces the value of a tag, if its place in the input is known and the new value can be written
/// as it is.
pub(crate) fn replace_value(game: &GameCard<'_>, tag: KnownTag, value: &str) -> Option<Patch> {
    let (place, old) = game.written(tag)?;
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'));
    is_plain.then(|| Patch { place, old: old.into(), new: value.into() })
}

/// Removes the token at `place` and the whitespace that separates it from one of its neighbours.
pub(crate) fn without_token(text: &[u8], place: Span) -> Patch {
    let before = place.start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let rest = text.get(place.end..).unwrap_or_default();
    let is_blank = |byte: Option<u8>| byte.is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    // A line without anything else would become a blank line.
    if rest.iter().find(|byte| !matches!(byte, b' ' | b'\t')).is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
        && let Some(patch) = whole_line(text, place)
    {
        return patch;
    }
    let is_bracket = |byte: u8| matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}');
    match (before, rest.first().copied()) {
        (Some(last), Some(next)) if last.is_ascii_whitespace() && next.is_ascii_whitespace() => {
            if is_blank(before) {
                return Patch::remove(text, Span::new(place.start - 1, place.end));
            }
            let breaks = if rest.starts_with(b"\r\n") { 2 } else { 1 };
            Patch::remove(text, Span::new(place.start, place.end + breaks))
        }
        (Some(last), Some(next)) if ![last, next].into_iter().any(|byte| byte.is_ascii_whitespace() || is_bracket(byte)) => {
            Patch::replace(text, place, *b" ")
        }
        (_, None) if is_blank(before) => Patch::remove(text, Span::new(place.start - 1, place.end)),
        _ => Patch::remove(text, place),
    }
}

/// Removes the text at `place`, and its line if nothing else is on it.
pub(crate) fn without_line(text: &[u8], place: Span) -> Patch {
    whole_line(text, place).unwrap_or_else(|| without_token(text, place))
}

/// Removes the line of the text at `place`, if nothing else is on it.
fn whole_line(text: &[u8], place: Span) -> Option<Patch> {
    let before = text.get(..place.start)?;
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = place.start - blanks;
    let begins_line = start == 0 || matches!(text[start - 1], b'\n' | b'\r');
    let end = nearby_line_end(text, place.end);
    let rest = text.get(end..)?;
    let breaks = if rest.starts_with(b"\r\n") { 2 } else { usize::from(!rest.is_empty()) };
    let is_whole = begins_line && text.get(place.end..end)?.trim_ascii().is_empty();
    is_whole.then(|| Patch::remove(text, Span::new(start, end + breaks)))
}

/// Maximum length of a variation that is made a comment.
const MAX_COMMENT: usize = 4096;

/// Makes the variation that opens at `place` a comment.
pub(crate) fn as_comment(text: &[u8], place: Span) -> Option<Vec<Patch>> {
    let mut lexer = Lexer::new(&text[..text.len().min(place.end + MAX_COMMENT)], place.end);
    let mut depth = 1;
    while depth > 0 {
        match lexer.next() {
            Token::Open => depth += 1,
            Token::Close => depth -= 1,
            // A comment cannot contain another one.
            Token::Comment | Token::UnclosedComment | Token::StrayBrace | Token::End | Token::TagPair => return None,
            _ => {}
        }
    }
    let close = Span::new(lexer.start, lexer.at);
    Some(vec![Patch::replace(text, place, *b"{"), Patch::replace(text, close, *b"}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, patch: &Patch) -> String {
        let mut bytes = text.as_bytes().to_vec();
        bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn tokens_are_removed_with_their_whitespace() {
        for (text, repaired) in [
            ("e4 ? e5", "e4 e5"),
            ("e4\n? e5", "e4\ne5"),
            ("e4 ?\ne5", "e4\ne5"),
            ("e4\n?\ne5", "e4\ne5"),
            ("e4\n? \ne5", "e4\ne5"),
            ("e4\r\n ? \r\ne5", "e4\r\ne5"),
            ("e4\r\n?\r\ne5", "e4\r\ne5"),
            ("e4 ?", "e4"),
            ("? e4", " e4"),
            ("e4?e5", "e4 e5"),
            ("(e4?)", "(e4)"),
            ("e4 ?)", "e4 )"),
        ] {
            let at = text.find('?').expect("a token");
            assert_eq!(applied(text, &without_token(text.as_bytes(), Span::new(at, at + 1))), repaired, "{text:?}");
        }
    }

    #[test]
    fn lines_are_removed_with_their_line_break() {
        for (text, repaired) in
            [("a\n?\nb\n", "a\nb\n"), ("a\r\n? \r\nb", "a\r\nb"), ("a ?\nb", "a\nb"), ("a\n?", "a\n"), ("? b\n", " b\n")]
        {
            let at = text.find('?').expect("a line");
            assert_eq!(applied(text, &without_line(text.as_bytes(), Span::new(at, at + 1))), repaired, "{text:?}");
        }
    }

    #[test]
    fn line_breaks_are_those_around_them() {
        for (text, at, line_break_there) in [
            ("a\r\nb", 0, "\r\n"),
            ("a\r\nb", 3, "\r\n"),
            ("a\nb", 2, "\n"),
            ("a\rb", 2, "\r"),
            ("a\rb\nc", 2, "\n"),
            ("ab", 1, "\n"),
            ("a\n", 0, "\n"),
        ] {
            assert_eq!(line_break(text.as_bytes(), at), line_break_there, "{text:?}");
        }
    }
}
