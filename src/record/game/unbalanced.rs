//! Missing, doubled or mistyped braces and parentheses. The fault is reported, and reading
//! continues after it.

use shakmaty::{Color, Position};

use super::{lookahead::Ahead, reinterpretation::replay_extent, replay::GameReplay};
use crate::{
    chess::{WrittenMove, WrittenSan, resolve},
    pgn::Token,
    rules::facts::{BraceFault, SyntaxFaultKind},
    text::Span,
};

/// Maximum number of bytes examined after a bracket.
const LOOKAHEAD: usize = 1 << 16;

/// Number of bytes that each brace counts for that is looked for, beyond those before it.
const PER_BRACE: usize = 4;

/// Maximum number of places in a comment at which a continuation of the game is tried.
const MAX_TRIED: usize = 200;

/// Maximum length of a comment without its `{`.
const MAX_REMARK: usize = 4096;

/// Maximum number of plies that are replayed per try.
const MAX_REPLAYED_PLIES: u32 = 400;

impl GameReplay<'_, '_> {
    /// Reads a comment, which may contain an opening brace.
    #[inline]
    pub(super) fn comment(&mut self) {
        if let Some(inner) = self.lexer.inner_brace.take() {
            self.comment_with_brace(inner);
        }
        self.read_comment();
    }

    /// Handles a comment with a `{` at `inner`: a nested comment, or a comment that was not closed.
    #[cold]
    fn comment_with_brace(&mut self, inner: usize) {
        let brace = Span::new(inner, inner + 1);
        if let Some(end) = self.nested_end() {
            self.lexer.at = end;
            self.fault(SyntaxFaultKind::Brace(BraceFault::NestedComment), brace);
        } else if self.fits(self.lexer.at) || !self.continues_inside(inner) {
            self.fault(SyntaxFaultKind::Brace(BraceFault::Nested), brace);
        }
    }

    /// Handles a comment that is not closed. The game may continue inside it.
    #[cold]
    pub(super) fn unclosed_comment(&mut self) {
        let end = self.lexer.at;
        if self.continues_inside(end) {
            return;
        }
        let brace = self.lexer.start;
        let at_header = end < self.text.len();
        self.fault(SyntaxFaultKind::UnclosedComment { at_header, end }, Span::new(brace, brace + 1));
    }

    /// The end of the comment just read if braces nest: the text after its first closing brace is
    /// not movetext.
    fn nested_end(&mut self) -> Option<usize> {
        let inside = &self.text[self.lexer.start..self.lexer.at];
        let count = |brace: u8| inside.iter().filter(|&&byte| byte == brace).count();
        let mut depth = count(b'{').checked_sub(count(b'}'))?;
        let limit = (self.lexer.at + LOOKAHEAD).min(self.text.len());
        self.lexer.touched_end |= limit == self.text.len();
        let mut at = self.lexer.at;
        while depth > 0 {
            let to_brace = memchr::memchr2(b'{', b'}', &self.text[at..limit])? + 1;
            if !self.lookahead().spend(to_brace + PER_BRACE) {
                return None;
            }
            at += to_brace;
            if self.text[at - 1] == b'{' { depth += 1 } else { depth -= 1 }
        }
        let mut lexer = Ahead::new(&self.text[..at - 1], self.lexer.at, self.lookahead());
        loop {
            match lexer.next() {
                Token::End => return Some(at),
                Token::Number { dots: 1.., .. } | Token::Marker(_) | Token::TagPair | Token::UnclosedComment => return None,
                Token::Word if WrittenSan::canonical(lexer.token()).is_some() => return None,
                _ => {}
            }
        }
    }

    /// Whether the movetext continues at `at`: with the next number and a legal move, a legal move,
    /// or the termination marker.
    pub(super) fn fits(&self, at: usize) -> bool {
        let mut lexer = self.ahead_from(at);
        loop {
            match lexer.next() {
                Token::Number { value, dots } if self.is_next_number(value, dots) => {}
                Token::Comment => {}
                Token::Word => return self.plays(lexer.token()),
                Token::Marker(_) => return true,
                _ => return false,
            }
        }
    }

    /// Whether a token is a legal move in the position reached.
    pub(super) fn plays(&self, token: &[u8]) -> bool {
        let written = match self.reading.notation {
            Some(notation) => notation.read(token),
            None => WrittenSan::read(token),
        };
        self.reading.line.stop.is_none()
            && written.is_some_and(|written| resolve(&self.reading.position, self.reading.checkers, &written).is_some())
    }

    /// Whether a number is the next one of the line.
    pub(super) fn is_next_number(&self, value: Option<u32>, dots: u32) -> bool {
        let expected = i64::from(self.reading.position.fullmoves().get()) + self.reading.line.numbering;
        let side = if self.reading.position.turn() == Color::White { dots == 1 } else { dots > 1 };
        value.map(i64::from) == Some(expected) && side
    }

    /// Whether the game continues inside the comment that begins with the last token, up to `end`.
    /// If so, this is reported, and the lexer is where the game continues.
    fn continues_inside(&mut self, end: usize) -> bool {
        if self.reading.line.stop.is_some() || self.reading.outside_movetext {
            return false;
        }
        let open = self.lexer.start;
        let text = &self.text[..end.min(open + LOOKAHEAD)];
        let mut lexer = Ahead::new(text, open + 1, self.lookahead());
        let mut tried = 0;
        let resumes_at = loop {
            let by_number = match lexer.next() {
                Token::End | Token::TagPair | Token::UnclosedComment => return false,
                Token::Number { value, dots } if self.is_next_number(value, dots) => true,
                Token::Word if self.plays(lexer.token()) => false,
                _ => continue,
            };
            tried += 1;
            let extent = self.extent_from(text, lexer.start, &self.reading.position, MAX_REPLAYED_PLIES);
            let enough = extent.plies >= if by_number { 1 } else { 2 } && (extent.plies >= 4 || text.len() == end);
            if extent.to_end && enough {
                break lexer.start;
            }
            if tried == MAX_TRIED {
                return false;
            }
        };
        let remark = self.text[open + 1..resumes_at].trim_ascii_end();
        let (place, fault) = match remark.split_last() {
            Some((b')', inner)) if !inner.contains(&b'(') => {
                let before = self.before_last();
                let variation = self.extent_from(&self.text[..open + 1 + inner.len()], open + 1, &before, MAX_REPLAYED_PLIES);
                if variation.to_end && variation.plies > 0 {
                    (Span::new(open, open + 1), BraceFault::MeantParenthesis)
                } else {
                    (Span::new(open + 1 + inner.len(), open + 2 + inner.len()), BraceFault::MeantBrace)
                }
            }
            Some((b']', inner)) if !inner.contains(&b'[') => {
                (Span::new(open + 1 + inner.len(), open + 2 + inner.len()), BraceFault::MeantBrace)
            }
            _ => (Span::new(open, open + 1), BraceFault::Unclosed { end: open + 1 + remark.len() }),
        };
        self.lexer.at = resumes_at;
        self.fault(SyntaxFaultKind::Brace(fault), place);
        true
    }

    /// Handles a closing brace outside a comment.
    #[cold]
    pub(super) fn stray_brace(&mut self) {
        let place = self.place();
        let text = self.text;
        let is_before = |unknown: Span| unknown.end <= place.start && text[unknown.end..place.start].trim_ascii().is_empty();
        let unknown = self.reading.unknown.and_then(|id| self.findings.get(id)).filter(|finding| is_before(finding.place));
        if let Some(finding) = unknown {
            finding.merged = true;
            let remark = finding.place.start;
            self.reading.line.damage = self.reading.line.damage.filter(|damage| Some(*damage) != self.reading.unknown);
            self.reading.unknown = None;
            let frame = self.reading.frames.last().map(|frame| frame.open);
            match frame.filter(|&open| self.text[open + 1..remark].trim_ascii().is_empty()) {
                Some(open) => {
                    self.leave_variation();
                    self.fault(SyntaxFaultKind::Brace(BraceFault::MeantOpeningBrace), Span::new(open, open + 1));
                }
                None => self.fault(SyntaxFaultKind::Brace(BraceFault::MissingOpen), Span::new(remark, place.end)),
            }
            return;
        }
        if self.ends_variation_otherwise() {
            self.fault(SyntaxFaultKind::Brace(BraceFault::MeantClosingParenthesis), place);
            self.close_variation();
            return;
        }
        let limit = (place.end + LOOKAHEAD).min(self.text.len());
        if let Some(open) = memchr::memchr2(b'{', b'}', &self.text[place.end..limit]).map(|at| place.end + at)
            && self.text[open] == b'{'
            && !self.fits(place.end)
            && self.fits(open + 1)
        {
            self.lexer.at = open + 1;
            self.fault(SyntaxFaultKind::Brace(BraceFault::Swapped), self.place());
            return;
        }
        self.fault(SyntaxFaultKind::Brace(BraceFault::Stray), place);
    }

    /// Whether a bracket of another kind closes the open variation: there are moves in it, and not
    /// enough parentheses up to the end of the game close the open variations.
    fn ends_variation_otherwise(&mut self) -> bool {
        self.reading.too_deep == 0
            && self.in_variation()
            && self.reading.line.has_begun
            && !self.are_closed_later(self.reading.frames.len())
    }

    /// Whether parentheses up to the end of the game close `count` variations that are open now.
    fn are_closed_later(&mut self, count: usize) -> bool {
        let mut ahead = self.ahead();
        let (mut depth, mut closed) = (0usize, 0);
        while closed < count {
            match ahead.next() {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => closed += 1,
                Token::Close => depth -= 1,
                Token::End => {
                    self.lexer.touched_end = true;
                    return false;
                }
                Token::TagPair | Token::UnclosedComment => return false,
                _ => {}
            }
            if ahead.at > self.lexer.at + LOOKAHEAD {
                return true;
            }
        }
        true
    }

    /// Reads a square bracket that stands for a parenthesis: `[12. Nf3 d5]`.
    pub(super) fn bracket_in_variation(&mut self, place: Span) -> bool {
        let bracket = Span::new(place.start, place.start + 1);
        match place.of(self.text) {
            [b']', ..] if self.ends_variation_otherwise() => {
                self.lexer.at = bracket.end;
                self.fault(SyntaxFaultKind::Brace(BraceFault::MeantClosingParenthesis), bracket);
                self.close_variation();
                true
            }
            [b'[', b'0'..=b'9', ..] if self.reading.line.last.is_some() => {
                self.lexer.at = bracket.end;
                if self.are_closed_later(self.reading.frames.len() + 1) {
                    self.fault(SyntaxFaultKind::MissingVariationOpen, bracket);
                    self.open_variation();
                    return true;
                }
                self.lexer.at = place.end;
                false
            }
            _ => false,
        }
    }

    /// Reads a comment without its `{`, which begins with the unknown token at `place`: its `}`
    /// comes before any `{`, and the game continues after that.
    pub(super) fn comment_without_brace(&mut self, place: Span) -> bool {
        if self.reading.line.stop.is_some() || self.reading.line.damage.is_some() || self.reading.too_deep > 0 {
            return false;
        }
        let limit = (place.end + MAX_REMARK).min(self.text.len());
        let begins_remark = matches!(place.of(self.text).first(), Some(b'[' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..));
        let close = memchr::memchr2(b'{', b'}', &self.text[place.end..limit]).map(|at| place.end + at);
        self.lexer.touched_end |= close.is_none() && limit == self.text.len();
        let Some(close) = close.filter(|&close| begins_remark && self.text[close] == b'}') else { return false };
        let mut lexer = Ahead::new(&self.text[..close], place.end, self.lookahead());
        let is_remark = loop {
            match lexer.next() {
                Token::End => break true,
                Token::TagPair | Token::UnclosedComment => break false,
                // Moves of the game come before the brace.
                Token::Number { value, dots } if self.is_next_number(value, dots) => break false,
                _ => {}
            }
        };
        if !is_remark {
            return false;
        }
        let open = self.reading.frames.last().map(|frame| frame.open);
        let open = open.filter(|&open| self.text[open + 1..place.start].trim_ascii().is_empty());
        if let Some(open) = open {
            // `(` instead of `{`: the variation is none.
            if self.is_followed_by_game(close + 1) {
                self.leave_variation();
                self.lexer.at = close + 1;
                self.fault(SyntaxFaultKind::Brace(BraceFault::MeantOpeningBrace), Span::new(open, open + 1));
                return true;
            }
            return false;
        }
        if !self.fits(close + 1) {
            return false;
        }
        self.lexer.at = close + 1;
        if place.of(self.text)[0] == b'[' && self.text[place.start + 1] != b'%' {
            self.fault(SyntaxFaultKind::Brace(BraceFault::MeantOpeningBrace), Span::new(place.start, place.start + 1));
        } else {
            self.fault(SyntaxFaultKind::Brace(BraceFault::MissingOpen), Span::new(place.start, close + 1));
        }
        true
    }

    /// Where `count` open variations end in `inside`: the game continues there with the next number
    /// and legal moves up to its end. The line that they branch off from is the current one.
    pub(super) fn variation_end(&self, open: usize, count: usize, inside: Span) -> Option<usize> {
        if self.reading.line.stop.is_some() {
            return None;
        }
        let text = &self.text[..inside.end.min(open + LOOKAHEAD)];
        let mut lexer = Ahead::new(text, inside.start, self.lookahead());
        let mut depth = 1;
        let mut tried = 0;
        loop {
            match lexer.next() {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End | Token::TagPair | Token::UnclosedComment => return None,
                Token::Number { value, dots } if depth == count && self.is_next_number(value, dots) => {
                    let extent = self.extent_from(text, lexer.start, &self.reading.position, MAX_REPLAYED_PLIES);
                    if extent.to_end && extent.plies > 0 && text.len() == inside.end {
                        return self.after_last_token(Span::new(inside.start, lexer.start));
                    }
                    tried += 1;
                    if tried == MAX_TRIED {
                        return None;
                    }
                }
                _ => {}
            }
            if depth == 0 {
                return None;
            }
        }
    }

    /// The end of the last token of a part of the movetext. `None` if something added there would
    /// become part of a line comment.
    pub(super) fn after_last_token(&self, part: Span) -> Option<usize> {
        let trimmed = part.of(self.text).trim_ascii_end();
        let line = trimmed.rsplit(|byte| matches!(byte, b'\n' | b'\r')).next()?;
        (!line.contains(&b';') && !line.starts_with(b"%")).then_some(part.start + trimmed.len())
    }

    /// Whether the line around the open variation continues at `at`.
    fn is_followed_by_game(&self, at: usize) -> bool {
        let Some(frame) = self.reading.frames.last() else { return false };
        let (number, turn) = (i64::from(frame.position.fullmoves().get()) + frame.line.numbering, frame.position.turn());
        let mut lexer = self.ahead_from(at);
        loop {
            match lexer.next() {
                Token::Number { value, dots } => {
                    let side = if turn == Color::White { dots == 1 } else { dots > 1 };
                    return value.map(i64::from) == Some(number) && side;
                }
                Token::Comment | Token::Nag => {}
                Token::Word => {
                    let written = self.read_move(lexer.token());
                    return written.is_some_and(|written| resolve(&frame.position, frame.checkers, &written).is_some());
                }
                Token::Marker(_) => return true,
                _ => return false,
            }
        }
    }

    /// Whether the number just read begins a variation whose `(` is missing. It is the number of
    /// the last ply, the next move can replace that ply, and a `)` follows.
    pub(super) fn opens_variation(&mut self, value: Option<u32>, dots: u32) -> bool {
        if self.reading.line.last.is_none() || self.reading.too_deep > 0 {
            return false;
        }
        let before = self.before_last();
        let number = i64::from(before.fullmoves().get()) + self.reading.line.numbering;
        let side = if before.turn() == Color::White { dots == 1 } else { dots > 1 };
        if value.map(i64::from) != Some(number) || !side || !self.are_closed_later(self.reading.frames.len() + 1) {
            return false;
        }
        let mut ahead = self.ahead();
        let is_null = ahead.next() == Token::Word
            && WrittenSan::read(ahead.token()).is_some_and(|written| written.what == WrittenMove::Null);
        is_null || replay_extent(self.text, self.lexer.start, &before, self.reading.notation, 1, self.lookahead()).plies == 1
    }
}
