//! Games inside other text: template strings and other strings of programs, JSON strings, and
//! Markdown fences.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2, memchr2_iter, memmem};

use super::{CellContent, MAX_ROW, Unquoted};
use crate::{
    chess::WrittenSan,
    pgn::{Lexer, Token, begins_line, is_movetext, line_end, marker_of_token, opens_tag_pair, read_tag},
    text::Span,
};

/// What is before and after games inside other text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// Backticks, as in template strings.
    Backtick,
    /// Lines that begin with three backticks or tildes, as in Markdown.
    Fence,
    /// Three quotes of this kind.
    Triple(u8),
    /// Quotes, with `#` at least once before the first and after the last, as in Rust.
    Hashes,
    /// Quotes and parentheses, as in raw strings of C++.
    Parentheses,
    /// Quotes. Those inside are doubled, as in verbatim strings.
    Doubled,
    /// Quotes of this kind. Those inside follow a backslash.
    Quote(u8),
    /// `[pgn]` and `[/pgn]`, as in forums.
    Markup,
}

/// A game inside other text, and what follows it up to the closing delimiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosedGame {
    /// The text of the game, as it is meant.
    pub content: CellContent,
    /// The end of that text, in the text around it.
    pub end: usize,
    /// Whether another game begins there, inside the same delimiters.
    pub goes_on: bool,
    /// Whether the end of the text affected the result.
    pub touched_end: bool,
}

/// A text inside delimiters is cut at a game that begins more than this number of bytes after its
/// start, so that the time for each game is limited.
const FAR: usize = 1 << 16;

/// Maximum length of what is written between two parts of a string that is continued, in bytes.
const MAX_GLUE: usize = 256;

/// The delimiter of all games of a text of which `head` is the start. `None` if there are no games,
/// or one of them is not inside these delimiters. `whole` says that there is no more text.
pub fn delimiter_of_games(head: &[u8], whole: bool) -> Option<Delimiter> {
    let mut all = None;
    let (mut outside, mut at) = (0, 0);
    let has_movetext = |from: usize, to: usize| head[from..to].split(|byte| matches!(byte, b'\n' | b'\r')).any(is_movetext);
    while let Some(bracket) = next_tag_pair(head, at) {
        let found = delimiter_before(head, bracket);
        if found.is_none() && begins_line(head, bracket) {
            return None;
        }
        at = bracket + 1;
        let Some(delimiter) = found else { continue };
        let game = delimiter.game_at(head, bracket);
        let is_cut = game.touched_end && !whole;
        if !(is_cut || is_whole_game(game.content.bytes(head))) {
            continue;
        }
        if all.is_some_and(|all| all != delimiter) || (game.touched_end && whole) || has_movetext(outside, bracket) {
            return None;
        }
        all = Some(delimiter);
        (outside, at) = (game.end, game.end);
    }
    all.filter(|_| !has_movetext(outside, head.len()))
}

impl Delimiter {
    /// The first game that begins in `from..to`. The second value is whether the end of the text
    /// affects it.
    pub fn next_game(self, text: &[u8], from: usize, to: usize) -> (Option<usize>, bool) {
        let mut at = from;
        while let Some(bracket) = next_tag_pair(&text[..to.min(text.len())], at) {
            if delimiter_before(text, bracket) == Some(self) {
                let game = self.game_at(text, bracket);
                if game.touched_end || is_whole_game(game.content.bytes(text)) {
                    return (Some(bracket), game.touched_end);
                }
            } else if begins_line(text, bracket) {
                // A game outside the delimiters is not skipped.
                return (Some(bracket), false);
            }
            at = bracket + 1;
        }
        (None, true)
    }

    /// Whether `at`, where a record begins, is inside the delimiters.
    pub fn is_inside(self, text: &[u8], at: usize) -> bool {
        opens_written_tag_pair(text, at) || is_movetext(&text[at..line_end(text, at)])
    }

    /// The game that begins at `start`, inside the delimiters.
    pub fn game_at(self, text: &[u8], start: usize) -> EnclosedGame {
        match self {
            Delimiter::Doubled | Delimiter::Quote(b'"') if is_written_plainly(text, start) => {
                // It is not in a string, and ends where the next game begins.
                let brackets = memchr_iter(b'[', &text[start + 1..]).map(|found| start + 1 + found);
                let next = brackets.into_iter().find(|bracket| begins_far_game(text, *bracket, &text[..*bracket]));
                let end = next.unwrap_or(text.len());
                let (goes_on, touched_end) = (next.is_some(), next.is_none());
                EnclosedGame { content: CellContent::Plain(Span::new(start, end)), end, goes_on, touched_end }
            }
            Delimiter::Doubled | Delimiter::Quote(_) => self.string_at(text, start),
            _ => {
                let (end, is_closed, touched_end) = self.raw_end(text, start);
                let goes_on = !is_closed && !touched_end;
                let place = Span::new(start, end);
                let may_have_escapes = matches!(self, Delimiter::Backtick | Delimiter::Triple(_));
                if may_have_escapes && memmem::find(place.of(text), b"\\n").is_some() {
                    let game = self.string_at(&text[..end], start);
                    let goes_on = game.goes_on || goes_on;
                    return EnclosedGame { goes_on, touched_end: touched_end && !goes_on, ..game };
                }
                EnclosedGame { content: CellContent::Plain(place), end, goes_on, touched_end }
            }
        }
    }

    /// The text of a record as it is meant.
    pub fn meant(self, record: &[u8]) -> Cow<'_, [u8]> {
        match self.game_at(record, 0).content {
            CellContent::Plain(place) => Cow::Borrowed(place.of(record)),
            CellContent::Unquoted(content) => Cow::Owned(content.bytes),
        }
    }

    /// The end of a text that is written as it is meant, whether that is its closing delimiter, and
    /// whether the end of `text` affects it.
    fn raw_end(self, text: &[u8], start: usize) -> (usize, bool, bool) {
        let near = text.len().min(start + FAR);
        if let Some(end) = self.closing_in(text, start, near) {
            return (end, true, false);
        }
        let is_game = |bracket: &usize| begins_far_game(text, *bracket, &text[..*bracket]);
        let next = memchr_iter(b'[', &text[near..]).map(|found| near + found).find(is_game);
        let limit = next.unwrap_or(text.len());
        match self.closing_in(text, near.saturating_sub(MAX_GLUE).max(start), limit) {
            Some(end) => (end, true, false),
            None => (limit, false, next.is_none()),
        }
    }

    /// The first closing delimiter that begins in `from..to`.
    fn closing_in(self, text: &[u8], from: usize, to: usize) -> Option<usize> {
        let all = |wanted: u8| memchr_iter(wanted, &text[from..to]).map(move |found| from + found);
        let rest = |at: usize| &text[at..];
        match self {
            Delimiter::Backtick => all(b'`').find(|at| text.get(at.wrapping_sub(1)) != Some(&b'\\')),
            Delimiter::Fence => {
                let marks = memchr2_iter(b'`', b'~', &text[from..to]).map(|found| from + found);
                let is_fence = |at: &usize| begins_line(text, *at) && is_fence(rest(*at));
                marks.into_iter().find(is_fence).map(|at| at - spaces_before(text, at))
            }
            Delimiter::Triple(quote) => all(quote).find(|at| rest(*at).starts_with(&[quote; 3])),
            Delimiter::Hashes => all(b'"').find(|at| rest(*at).starts_with(b"\"#")),
            Delimiter::Parentheses => all(b')').find(|at| {
                let name = rest(at + 1).iter().take(16).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                rest(at + 1 + name).first() == Some(&b'"') && rest(at + 2 + name).first() != Some(&b']')
            }),
            Delimiter::Markup => memmem::find(&text[from..to], b"[/").map(|found| from + found),
            Delimiter::Doubled | Delimiter::Quote(_) => None,
        }
    }

    /// The text of a string from `start` on, up to its closing quote, as it is meant. A string that
    /// is continued in another one is read as one.
    fn string_at(self, text: &[u8], start: usize) -> EnclosedGame {
        let mut meant = Unquoted::default();
        let mut at = start;
        let (mut is_closed, mut goes_on) = (false, false);
        // A string may be continued in one with the other quotes.
        let mut delimiter = self;
        // Where the text of that string begins in what is meant.
        let mut part = 0;
        while let Some(&byte) = text.get(at) {
            match delimiter {
                Delimiter::Doubled if byte == b'"' && text.get(at + 1) == Some(&b'"') => {
                    meant.push(b'"', at);
                    at += 2;
                    continue;
                }
                Delimiter::Doubled if byte == b'"' => is_closed = true,
                // `'Queen''s Club'`, as in SQL.
                Delimiter::Quote(b'\'') if is_doubled_apostrophe(text, at) => {
                    meant.push(b'\'', at);
                    at += 2;
                    continue;
                }
                Delimiter::Quote(quote) if byte == quote => match continued(text, at, &meant.bytes) {
                    Some(Continued { quote, next, is_list }) => {
                        if is_list && !meant.bytes[part..].ends_with(b"\n") {
                            meant.push(b'\n', at);
                        }
                        (delimiter, at, part) = (Delimiter::Quote(quote), next, meant.bytes.len());
                        continue;
                    }
                    None => is_closed = true,
                },
                Delimiter::Doubled => {}
                _ if byte == b'\\' => {
                    at += escape(text, at, &mut meant);
                    continue;
                }
                _ => {}
            }
            let is_far = || meant.bytes.len() > FAR && begins_far_game(text, at, &meant.bytes);
            goes_on = meant.bytes.len() >= MAX_ROW || (byte == b'[' && is_far());
            if is_closed || goes_on {
                break;
            }
            meant.push(byte, at);
            at += 1;
        }
        meant.places.push(at);
        let touched_end = !(is_closed || goes_on);
        EnclosedGame { content: CellContent::Unquoted(meant), end: at, goes_on: goes_on && !is_closed, touched_end }
    }
}

/// Whether a game seems to begin at the bracket at `at`. `before` is the text before it as it is
/// meant.
fn begins_far_game(text: &[u8], at: usize, before: &[u8]) -> bool {
    let follows_blank_line = || [&b"\n\n"[..], b"\n\r\n", b"\r\r"].iter().any(|blank| before.ends_with(blank));
    opens_written_tag_pair(text, at) && (text[at..].starts_with(b"[Event ") || follows_blank_line())
}

/// Adds what the backslash at `at` and the characters after it stand for. Returns how long that is.
fn escape(text: &[u8], at: usize, meant: &mut Unquoted) -> usize {
    let Some(&escaped) = text.get(at + 1) else { return 1 };
    let byte = match escaped {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'\n' | b'\r' => {
            // The string goes on in the next line.
            return 1 + text[at + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        b'u' => {
            let digits = text.get(at + 2..at + 6).and_then(|digits| std::str::from_utf8(digits).ok());
            let Some(character) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32) else {
                meant.push(b'u', at);
                return 2;
            };
            character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| meant.push(byte, at));
            return 6;
        }
        other => other,
    };
    meant.push(byte, at);
    2
}

/// Whether the apostrophe at `at` in a string, and the one after it, stand for one.
fn is_doubled_apostrophe(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..at + 3), Some([b'\'', b'\'', after]) if after.is_ascii_alphanumeric() || *after == b' ')
}

/// Where a string goes on in another one.
struct Continued {
    /// The quote of that one.
    quote: u8,
    /// Its first byte.
    next: usize,
    /// Whether it is another line of the text, in a list of lines.
    is_list: bool,
}

/// Where a string goes on that ends with the quote at `at` and is continued in another one: after
/// whitespace and perhaps an operator. In a list of lines, it goes on after a comma. `meant` is the
/// text so far.
fn continued(text: &[u8], at: usize, meant: &[u8]) -> Option<Continued> {
    let near = &text[at + 1..text.len().min(at + 1 + MAX_GLUE)];
    let blank = |from: usize| near[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let first = blank(0);
    let operator = usize::from(matches!(near.get(first), Some(b'+' | b'.' | b'&' | b'\\' | b',')));
    let next = first + operator + blank(first + operator);
    let quote = *near.get(next).filter(|quote| matches!(quote, b'"' | b'\''))?;
    let is_list = near.get(first) == Some(&b',');
    let line = &near[next + 1..];
    let goes_on = match line.first() {
        _ if !is_list => true,
        _ if is_movetext(line) => !ends_with_marker(meant),
        Some(b'[' | b'{' | b'\\') => meant.trim_ascii_end().ends_with(b"]"),
        Some(end) if *end == quote => meant.trim_ascii_end().ends_with(b"]"),
        _ => false,
    };
    (next > 0 && goes_on).then_some(Continued { quote, next: at + 2 + next, is_list })
}

/// Whether a text ends with a termination marker.
fn ends_with_marker(text: &[u8]) -> bool {
    let word = text.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    marker_of_token(word).is_some()
}

/// The next bracket from `from` on that opens a tag pair, however its quotes are written.
fn next_tag_pair(text: &[u8], from: usize) -> Option<usize> {
    memchr_iter(b'[', text.get(from..)?).map(|found| from + found).find(|at| opens_written_tag_pair(text, *at))
}

/// Whether the bracket at `at` opens a tag pair, with a quote that is perhaps escaped.
fn opens_written_tag_pair(text: &[u8], at: usize) -> bool {
    let Some(inside) = text.get(at..).and_then(|rest| rest.strip_prefix(b"[")) else { return false };
    let name = inside.iter().take(64).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let spaces = inside[name..].iter().take_while(|byte| **byte == b' ').count();
    let value = &inside[name + spaces..];
    name > 0 && inside[0].is_ascii_uppercase() && spaces > 0 && (value.starts_with(b"\"") || value.starts_with(b"\\\""))
}

/// The value of the tag pair at `bracket`, as it is written.
fn written_value(text: &[u8], bracket: usize) -> &[u8] {
    let space = text[bracket..].iter().position(|byte| *byte == b' ').unwrap_or_default();
    text[bracket + space..].trim_ascii_start()
}

/// Whether the quotes of a written value are doubled.
fn is_doubled(value: &[u8]) -> bool {
    value.starts_with(b"\"\"") && !value.starts_with(b"\"\"]")
}

/// Whether a tag pair begins at `at` that is written as in PGN.
fn is_written_plainly(text: &[u8], at: usize) -> bool {
    opens_tag_pair(text, at) && !is_doubled(written_value(text, at))
}

/// The delimiter that opens before the tag pair at `bracket`.
fn delimiter_before(text: &[u8], bracket: usize) -> Option<Delimiter> {
    let value = written_value(text, bracket);
    let (is_escaped, is_doubled) = (value.starts_with(b"\\\""), is_doubled(value));
    let mut before = text[..bracket].trim_ascii_end();
    // An empty first line of the string.
    before = before.strip_suffix(b"\\n").unwrap_or(before);
    let is_on_next_line = memchr2(b'\n', b'\r', &text[before.len()..bracket]).is_some();
    if is_on_next_line {
        let line = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |line_break| line_break + 1);
        if is_fence(before[line..].trim_ascii_start()) {
            return Some(Delimiter::Fence);
        }
        before = before.strip_suffix(b"\\").unwrap_or(before);
    }
    let (rest, last) = before.split_at(before.len().checked_sub(1)?);
    match last[0] {
        b'`' => Some(Delimiter::Backtick),
        b']' => {
            let open = rest.iter().rposition(|byte| *byte == b'[')?;
            rest[open + 1..].get(..3).is_some_and(|name| name.eq_ignore_ascii_case(b"pgn")).then_some(Delimiter::Markup)
        }
        b'(' => {
            let name = rest.iter().rev().take(16).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            rest[..rest.len() - name].ends_with(b"R\"").then_some(Delimiter::Parentheses)
        }
        quote @ (b'"' | b'\'') if rest.ends_with(&[quote; 2]) => Some(Delimiter::Triple(quote)),
        b'"' if rest.ends_with(b"#") && !is_escaped => Some(Delimiter::Hashes),
        b'"' if is_doubled => Some(Delimiter::Doubled),
        b'"' if is_escaped => Some(Delimiter::Quote(b'"')),
        b'\'' if !is_doubled => Some(Delimiter::Quote(b'\'')),
        _ => None,
    }
}

/// Whether a line is a fence.
fn is_fence(line: &[u8]) -> bool {
    line.starts_with(b"```") || line.starts_with(b"~~~")
}

/// Number of spaces directly before `at`.
fn spaces_before(text: &[u8], at: usize) -> usize {
    text[..at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Whether a text begins with tag pairs and then movetext.
fn is_whole_game(text: &[u8]) -> bool {
    let mut at = 0;
    while opens_tag_pair(text, at) {
        let read = read_tag(text, at);
        if read.pair.is_none() || read.end <= at {
            return false;
        }
        at = read.end + text[read.end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
    let mut lexer = Lexer::new(text, at);
    let mut token = lexer.next();
    while token == Token::Comment {
        token = lexer.next();
    }
    at > 0
        && match token {
            Token::Number { dots: 1.., .. } | Token::Marker(_) => true,
            Token::Word => WrittenSan::read(lexer.token()).is_some(),
            _ => false,
        }
}
