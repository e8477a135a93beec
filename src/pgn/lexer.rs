//! The tokens of movetext, each with its span.

use shakmaty::Outcome;

use super::{
    MarkerKind,
    boundary::{BOM, CommentEnd, begins_line, comment_end, near_brace, opens_tag_pair},
    line_end::{MAX_NEARBY, line_end, nearby_line_end},
    result::marker_of_token,
};

/// A token of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Digits and the periods after them.
    Number {
        /// The number; `None` if it is too large.
        value: Option<u32>,
        /// Number of periods.
        dots: u32,
    },
    /// A word: a move, or a text that is not a PGN token.
    Word,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    Marker(Outcome),
    /// `$` and digits.
    Nag,
    /// `!`, `?` or both, apart from a move.
    Glyph,
    /// A brace comment, a `;` comment or an escape line.
    Comment,
    /// A brace comment that is not closed. The lexer is at the place where reading continues.
    UnclosedComment,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `}` outside a comment.
    StrayBrace,
    /// A tag pair begins. The lexer is before it.
    TagPair,
    /// The end of the text.
    End,
}

/// The class of a byte, by the token that it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Digit,
    Letter,
    Comment,
    Other,
}

const fn class(byte: u8) -> Class {
    match byte {
        b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C => Class::Space,
        b'0'..=b'9' => Class::Digit,
        b'A'..=b'Z' | b'a'..=b'z' => Class::Letter,
        b'{' => Class::Comment,
        _ => Class::Other,
    }
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = class(byte as u8);
        byte += 1;
    }
    classes
};

/// Whether a byte ends a word.
static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        ends[byte] = matches!(class(byte as u8), Class::Space)
            || matches!(byte as u8, b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'*' | 0x1A | 0)
            // This byte may begin non-ASCII whitespace.
            || matches!(byte as u8, 0xC2 | 0xE2 | 0xE3);
        byte += 1;
    }
    ends
};

/// Length of the non-ASCII whitespace at the start of the text: next line, no-break space, line and
/// paragraph separators, Unicode spaces.
#[cold]
fn separator(text: &[u8]) -> Option<usize> {
    match text {
        [0xC2, 0x85 | 0xA0, ..] => Some(2),
        [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..] | [0xE2, 0x81, 0x9F, ..] | [0xE3, 0x80, 0x80, ..] => Some(3),
        _ => None,
    }
}

/// Reads the tokens of movetext one by one.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    /// Start of the last token.
    pub start: usize,
    /// End of the last token.
    pub at: usize,
    /// Whether a token depended on the end of the text, so that more text could change it.
    pub touched_end: bool,
    /// The first `{` inside the last brace comment that contains one. The reader of comments takes
    /// it.
    pub inner_brace: Option<usize>,
}

impl<'a> Lexer<'a> {
    /// Reads `text` from byte `at`.
    pub fn new(text: &'a [u8], at: usize) -> Lexer<'a> {
        Lexer { text, start: at, at, touched_end: false, inner_brace: None }
    }

    /// The bytes of the last token.
    #[inline]
    pub fn token(&self) -> &'a [u8] {
        &self.text[self.start..self.at]
    }

    /// Reads the next token.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "callers need the span from the lexer after each token")]
    pub fn next(&mut self) -> Token {
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                self.start = self.at;
                self.touched_end = true;
                return Token::End;
            };
            match CLASSES[byte as usize] {
                Class::Space => self.at += 1,
                Class::Letter => {
                    self.start = self.at;
                    self.end_word(self.at + 1);
                    return Token::Word;
                }
                Class::Digit => {
                    self.start = self.at;
                    return self.number();
                }
                Class::Comment => {
                    self.start = self.at;
                    return self.comment();
                }
                Class::Other => {
                    if let Some(token) = self.other(byte) {
                        return token;
                    }
                }
            }
        }
    }

    #[inline]
    fn end_word(&mut self, from: usize) {
        let mut at = from;
        loop {
            while at < self.text.len() && !ENDS_WORD[self.text[at] as usize] {
                at += 1;
            }
            self.at = at;
            match self.text.get(at) {
                Some(b';') if self.ends_in_entity() => at += 1,
                Some(0xC2 | 0xE2 | 0xE3) if separator(&self.text[at..]).is_none() => at += 1,
                _ => return,
            }
        }
    }

    /// Whether the semicolon after the word closes an HTML entity such as `&nbsp;`, and does not
    /// begin a comment.
    #[cold]
    fn ends_in_entity(&self) -> bool {
        let word = &self.text[self.start..self.at];
        word.iter().rposition(|byte| *byte == b'&').is_some_and(|at| {
            let name = &word[at + 1..];
            (2..=6).contains(&name.len()) && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
        })
    }

    #[inline]
    fn number(&mut self) -> Token {
        let mut at = self.at;
        let mut value = 0u32;
        while let Some(digit) = self.text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
            value = value.saturating_mul(10).saturating_add(u32::from(digit));
            at += 1;
        }
        let digits = at;
        while self.text.get(at) == Some(&b'.') {
            at += 1;
        }
        let dots = (at - digits) as u32;
        // `0-0`, `1-0`, `1/2`, `0000`, `1O`: a word that begins with a digit. A letter directly
        // after the digits or periods begins a move.
        let next = self.text.get(at).copied().unwrap_or(b' ');
        if dots == 0
            && (matches!(next, b'-' | b'/' | b':' | b',' | b'=' | 0x80..)
                || (value == 0 && digits - self.start > 1)
                || next == b'O')
        {
            self.end_word(at);
            return match marker_of_token(self.token()) {
                Some(MarkerKind::Standard(outcome)) => Token::Marker(outcome),
                _ => Token::Word,
            };
        }
        if dots == 1 && matches!(self.text.get(self.start..at + 1), Some(b"0.5" | b"1.0" | b"0.0")) {
            self.end_word(at);
            if marker_of_token(self.token()).is_some() {
                return Token::Word;
            }
        }
        self.at = at;
        Token::Number { value: (value != u32::MAX).then_some(value), dots }
    }

    /// A brace comment.
    #[inline]
    fn comment(&mut self) -> Token {
        // Fast path: nearly all comments are short and on one line, and a header begins a line.
        if let Some(close) = near_brace(self.text, self.at + 1) {
            self.at = close + 1;
            return Token::Comment;
        }
        self.far_comment()
    }

    /// A comment that is longer, has several lines or contains a brace.
    #[inline(never)]
    fn far_comment(&mut self) -> Token {
        let (end, touched) = comment_end(self.text, self.at);
        self.touched_end |= touched;
        if let CommentEnd::Closed(end) = end {
            let inner = self.at + 1;
            self.inner_brace = memchr::memchr(b'{', &self.text[inner..end]).map(|brace| inner + brace);
        }
        let (at, token) = match end {
            CommentEnd::Closed(end) => (end, Token::Comment),
            CommentEnd::AtHeader(header) => (header, Token::UnclosedComment),
            CommentEnd::AtEnd => (self.text.len(), Token::UnclosedComment),
        };
        self.at = at;
        token
    }

    /// A token that does not begin with a letter or digit; `None` if the text was only skipped.
    #[inline(never)]
    fn other(&mut self, byte: u8) -> Option<Token> {
        self.start = self.at;
        match byte {
            b'(' => {
                self.at += 1;
                return Some(Token::Open);
            }
            b')' => {
                self.at += 1;
                return Some(Token::Close);
            }
            b'*' => {
                self.at += 1;
                return Some(Token::Marker(Outcome::Unknown));
            }
            b'$' => {
                self.at += 1;
                let digits = self.at;
                while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
                    self.at += 1;
                }
                if self.at == digits {
                    self.end_word(self.at);
                }
                return Some(Token::Nag);
            }
            b'!' | b'?' => {
                while matches!(self.text.get(self.at), Some(b'!' | b'?')) {
                    self.at += 1;
                }
                return Some(Token::Glyph);
            }
            b'}' => {
                self.at += 1;
                return Some(Token::StrayBrace);
            }
            b';' => {
                self.at = line_end(self.text, self.at);
                return Some(Token::Comment);
            }
            b'%' if matches!(self.text.get(self.at.wrapping_sub(1)), None | Some(b'\n' | b'\r')) => {
                self.at = line_end(self.text, self.at);
                return Some(Token::Comment);
            }
            b'[' if opens_tag_pair(self.text, self.at) || (begins_line(self.text, self.at) && self.looks_like_header()) => {
                return Some(Token::TagPair);
            }
            b'[' => {
                // A command such as `[%clk 0:01:00]` outside its comment is one token.
                let ends = |byte: &u8| matches!(byte, b']' | b'}' | b'\n' | b'\r');
                let near = &self.text[self.at..self.text.len().min(self.at + MAX_NEARBY)];
                let end = self.at + near.iter().position(ends).unwrap_or(near.len());
                let is_closed = matches!(self.text.get(end), Some(b']' | b'}'));
                self.at = end + usize::from(is_closed);
                return Some(Token::Word);
            }
            b'/' if self.text.get(self.at + 1) == Some(&b'*') => {
                // A comment as in source code is one token.
                let line = nearby_line_end(self.text, self.at);
                let close = memchr::memmem::find(&self.text[self.at + 2..line], b"*/");
                self.at = close.map_or(self.at + 1, |close| self.at + close + 4);
                return Some(Token::Word);
            }
            b'.' => {
                // Periods that are separate from their move number.
                self.at += 1;
                return None;
            }
            0 | 0x1A | 0x7F => {
                // Control characters are reported as bytes; they separate tokens.
                self.at += 1;
                return None;
            }
            0xC2 | 0xE2 | 0xE3 if let Some(length) = separator(&self.text[self.at..]) => {
                // Looks like whitespace. ENC07 reports it.
                self.at += length;
                return None;
            }
            0xEF if self.text[self.at..].starts_with(BOM) => {
                self.at += BOM.len();
                return None;
            }
            b']' => {
                self.at += 1;
                return Some(Token::Word);
            }
            _ => {}
        }
        self.end_word(self.at + 1);
        Some(Token::Word)
    }

    /// Whether a line that begins with `[` is a damaged tag pair: `[Event Foo]`, `[[Event "Foo"]`.
    fn looks_like_header(&self) -> bool {
        const ROSTER: [&[u8]; 8] = [b"Event", b"Site", b"Date", b"Round", b"White", b"Black", b"Result", b"FEN"];
        let inside = &self.text[self.at + 1..];
        if opens_tag_pair(self.text, self.at + 1) {
            return true;
        }
        ROSTER.iter().any(|name| inside.strip_prefix(*name).is_some_and(|rest| rest.first() == Some(&b' ')))
    }
}

/// Words outside comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// What has a square or is castling, in whatever language.
    pub moves: usize,
    /// Other words, and numbers without periods.
    pub others: usize,
    /// Lines that begin with a bracket and a letter.
    pub tags: usize,
}

/// Counts the words of a text outside comments.
pub fn count_words(text: &[u8]) -> WordCounts {
    let has_square = |word: &[u8]| word.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    let is_castling = |word: &[u8]| word.starts_with(b"O-O") || word.starts_with(b"0-0");
    let mut lexer = Lexer::new(text, 0);
    let mut counts = WordCounts::default();
    loop {
        match lexer.next() {
            Token::Word if has_square(lexer.token()) || is_castling(lexer.token()) => counts.moves += 1,
            Token::Word | Token::Number { dots: 0, .. } => counts.others += 1,
            Token::TagPair => {
                counts.tags += 1;
                lexer.at = line_end(text, lexer.at).max(lexer.at + 1);
            }
            Token::End => return counts,
            _ => {}
        }
    }
}

/// Whether a text without tag pairs contains moves, and at most as many other words outside
/// comments.
pub fn is_mostly_moves(text: &[u8]) -> bool {
    let words = count_words(text);
    words.moves > 0 && words.moves >= words.others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(Token, &str)> {
        let mut lexer = Lexer::new(text.as_bytes(), 0);
        let mut tokens = Vec::new();
        loop {
            let token = lexer.next();
            if matches!(token, Token::End | Token::TagPair) {
                return tokens;
            }
            tokens.push((token, &text[lexer.start..lexer.at]));
        }
    }

    #[test]
    fn movetext() {
        let number = |value, dots| Token::Number { value: Some(value), dots };
        assert_eq!(
            tokens("1.e4 {c} e5!? 2. ... $4(2... O-O-O) 1-0"),
            [
                (number(1, 1), "1."),
                (Token::Word, "e4"),
                (Token::Comment, "{c}"),
                (Token::Word, "e5!?"),
                (number(2, 1), "2."),
                (Token::Nag, "$4"),
                (Token::Open, "("),
                (number(2, 3), "2..."),
                (Token::Word, "O-O-O"),
                (Token::Close, ")"),
                (Token::Marker(marker_of_token(b"1-0").and_then(MarkerKind::outcome).unwrap_or(Outcome::Unknown)), "1-0"),
            ]
        );
    }

    #[test]
    fn words_that_begin_with_digits() {
        for word in ["0-0", "0-0-0+", "1/2", "1:0", "0000", "1-O", "0.5-0.5"] {
            assert_eq!(tokens(word), [(Token::Word, word)]);
        }
        assert!(matches!(tokens("1/2-1/2")[..], [(Token::Marker(_), "1/2-1/2")]));
        assert!(matches!(tokens("12Nf3")[..], [(Token::Number { dots: 0, .. }, "12"), (Token::Word, "Nf3")]));
    }

    #[test]
    fn non_ascii_whitespace_separates_tokens() {
        for space in ['\u{85}', '\u{A0}', '\u{2003}', '\u{2028}', '\u{2029}', '\u{202F}', '\u{3000}'] {
            let text = format!("1.{space}e4{space}e5");
            let words: Vec<String> = tokens(&text).into_iter().map(|(_, token)| token.to_owned()).collect();
            assert_eq!(words, ["1.", "e4", "e5"], "{space:?}");
        }
        for word in ["N\u{200B}f3", "Â", "1–0", "♘f3", "e4½"] {
            assert_eq!(tokens(word), [(Token::Word, word)]);
        }
    }

    #[test]
    fn prose_about_moves_is_not_movetext() {
        for text in ["1. e4 e5 2. Sf3 *", "e2e4 e7e5", "1. e4 {a comment, not movetext} 1-0", "1. O-O", "Line 1. e4"] {
            assert!(is_mostly_moves(text.as_bytes()), "{text}");
        }
        for text in ["", "*", "1-0", "Round 3 had 1.e4 e5 2.Nf3. The games of board 2 were lost (again).", "{1. e4}"] {
            assert!(!is_mostly_moves(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn escape_lines_begin_in_the_first_column() {
        assert_eq!(tokens("e4\n%x y\ne5"), [(Token::Word, "e4"), (Token::Comment, "%x y"), (Token::Word, "e5")]);
        assert_eq!(tokens("e4 %x"), [(Token::Word, "e4"), (Token::Word, "%x")]);
    }

    #[test]
    fn a_command_outside_a_comment_is_not_a_tag_pair() {
        assert_eq!(tokens("e4\n[%clk 0:01] e5"), [(Token::Word, "e4"), (Token::Word, "[%clk 0:01]"), (Token::Word, "e5")]);
        assert_eq!(tokens("e4\n[Event Foo]"), [(Token::Word, "e4")]);
    }
}
