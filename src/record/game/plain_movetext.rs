//! Plain movetext: moves in their canonical spelling, numbers with periods, spaces and line ends.
//!
//! Most movetext is plain. Where no move is played, it is read in a shorter way than token by
//! token.

use shakmaty::Color;

use crate::{
    chess::{WrittenPly, WrittenSan},
    text::{
        Span,
        swar::{padded_word, token_length},
    },
};

/// Maximum number of plies that are kept.
pub(super) const MAX_PLIES: usize = 20_000;

/// A token of plain movetext.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlainToken {
    /// A move.
    Move(WrittenSan),
    /// A number and how many periods follow it, at least one.
    Number(u32, usize),
}

/// The tokens of plain movetext, up to the first one that is something else.
#[derive(Clone, Debug)]
pub(super) struct PlainMovetext<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> PlainMovetext<'a> {
    /// The tokens from byte `at` of the text.
    pub const fn new(text: &'a [u8], at: usize) -> PlainMovetext<'a> {
        PlainMovetext { text, at }
    }
}

impl Iterator for PlainMovetext<'_> {
    type Item = (Span, PlainToken);

    #[inline(always)]
    fn next(&mut self) -> Option<(Span, PlainToken)> {
        let text = self.text;
        let (mut start, mut word) = (self.at, padded_word(text, self.at));
        while let b' ' | b'\n' | b'\r' = word as u8 {
            start += 1;
            word = padded_word(text, start);
        }
        if (word as u8).is_ascii_digit() {
            let (end, token) = short_number(start, word).or_else(|| any_number(text, start))?;
            self.at = end;
            return Some((Span::new(start, end), token));
        }
        let length = token_length(word);
        let short = if (1..8).contains(&length) { WrittenSan::canonical_word(word, length) } else { None };
        let (end, after, written) = match short {
            Some(written) => (start + length as usize, (word >> (8 * length)) as u8, written),
            None => long_move(text, start, length)?,
        };
        self.at = end;
        // Other control characters do not end a move.
        let is_ended = matches!(after, b' ' | b'\n' | b'\r') || end >= text.len();
        is_ended.then_some((Span::new(start, end), PlainToken::Move(written)))
    }
}

/// A move that is read in the longer way, with its end and the byte after it. Of its first eight
/// bytes, `length` belong to it.
fn long_move(text: &[u8], start: usize, length: u32) -> Option<(usize, u8, WrittenSan)> {
    let mut end = start + length as usize;
    // No move in its canonical spelling is longer than that.
    end += if length == 8 { token_length(padded_word(text, end)) as usize } else { 0 };
    let written = WrittenSan::canonical(text.get(start..end)?)?;
    Some((end, text.get(end).copied().unwrap_or_default(), written))
}

/// A number of one or two digits before one period, and its end. Its first bytes are in `word`, the
/// first one lowest.
#[inline(always)]
fn short_number(start: usize, word: u64) -> Option<(usize, PlainToken)> {
    let byte = |at: u32| (word >> (8 * at)) as u8;
    let (value, digits) = match byte(1) {
        b'.' => (byte(0) & 15, 1),
        second @ b'0'..=b'9' if byte(2) == b'.' => (10 * (byte(0) & 15) + (second & 15), 2),
        _ => return None,
    };
    let is_last = !matches!(byte(digits + 1), b'.' | b'0'..=b'9');
    is_last.then_some((start + digits as usize + 1, PlainToken::Number(value.into(), 1)))
}

/// A number, of which the first digit is at `start`, and its end.
fn any_number(text: &[u8], start: usize) -> Option<(usize, PlainToken)> {
    let digit = |at: usize| text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10);
    let (mut value, mut end) = (0, start);
    while let Some(digit) = digit(end) {
        // Longer numbers may be too large.
        if end - start == 9 {
            return None;
        }
        value = 10 * value + u32::from(digit);
        end += 1;
    }
    let periods = text.get(end..)?.iter().take_while(|byte| **byte == b'.').count();
    end += periods;
    // `0.5` may be part of a termination marker.
    (periods > 0 && digit(end).is_none()).then_some((end, PlainToken::Number(value, periods)))
}

/// How many plies of plain movetext at byte `at` come before its last token, and the place of the
/// token before it. `None` for fewer than two tokens.
pub(super) fn plies_before_last_token(text: &[u8], at: usize) -> Option<(u32, Span)> {
    let mut tokens = PlainMovetext::new(text, at);
    let is_ply = |token| u32::from(matches!(token, PlainToken::Move(_)));
    let (mut last, token) = tokens.next()?;
    let (mut plies, mut next, mut before) = (0, is_ply(token), None);
    for (place, token) in tokens {
        (plies, next) = (plies + next, is_ply(token));
        (before, last) = (Some(last), place);
    }
    before.map(|before| (plies, before))
}

/// The plies of plain movetext.
#[derive(Debug, Default)]
pub(super) struct PlainPlies {
    /// The plies, with the numbers before them.
    plies: Vec<WrittenPly>,
    /// Where the text begins.
    start: usize,
    /// The number after the last ply, if there is one.
    number: Option<(u32, Option<Color>)>,
    /// The last number before all of them that a ply follows.
    number_before: Option<u32>,
    /// Whether a number follows another one.
    has_idle_number: bool,
}

impl PlainPlies {
    /// The plies of the text at byte `start`, up to [`MAX_PLIES`] of them, in the memory of a
    /// finished list.
    pub fn read(text: &[u8], start: usize, memory: Vec<WrittenPly>) -> PlainPlies {
        let mut plies = PlainPlies::from(start, memory);
        plies.read_on(text, start, text.len(), MAX_PLIES);
        plies
    }

    /// No plies of a text that begins at `start`, in the memory of a finished list.
    pub fn from(start: usize, mut memory: Vec<WrittenPly>) -> PlainPlies {
        memory.clear();
        PlainPlies { plies: memory, start, ..PlainPlies::default() }
    }

    /// The same after plies of which the last number is `number`.
    pub fn after_number(self, number: Option<u32>) -> PlainPlies {
        PlainPlies { number_before: number, ..self }
    }

    /// The plies.
    pub fn plies(&self) -> &[WrittenPly] {
        &self.plies
    }

    /// The plies, or their memory for another list. Nothing is left.
    pub fn take_plies(&mut self) -> Vec<WrittenPly> {
        std::mem::take(self).plies
    }

    /// The start of the text.
    pub const fn start(&self) -> usize {
        self.start
    }

    /// The end of the last of them; without plies, the start of the text.
    pub fn end(&self) -> usize {
        self.plies.last().map_or(self.start, |last| last.place.end)
    }

    /// How many plies come before the last token of `text`, and the place of the token before it.
    /// `None` for fewer than two tokens.
    pub fn before_last_token(&self, text: &[u8]) -> Option<(u32, Span)> {
        let known = self.plies.len().saturating_sub(2);
        let at = self.plies.get(known).filter(|_| known > 0).map_or(self.start, |ply| ply.place.start);
        let (plies, before) = plies_before_last_token(text, at)?;
        Some((u32::try_from(known).ok()?.checked_add(plies)?, before))
    }

    /// The last number that a ply follows.
    pub fn last_number(&self) -> Option<u32> {
        let numbers = self.plies.iter().rev().filter_map(|ply| ply.number);
        numbers.map(|(value, _)| value).next().or(self.number_before)
    }

    /// Whether a number follows another one, without a ply between them.
    pub const fn has_idle_number(&self) -> bool {
        self.has_idle_number
    }

    /// Reads on at byte `from` of the text, until there are `most` plies or a token begins at byte
    /// `to` or later. Returns the end of the last token.
    pub fn read_on(&mut self, text: &[u8], from: usize, to: usize, most: usize) -> usize {
        let mut tokens = PlainMovetext::new(text, from);
        let mut end = from;
        while self.plies.len() < most
            && let Some((place, token)) = tokens.next()
            && place.start < to
        {
            end = place.end;
            match token {
                PlainToken::Number(value, periods) => {
                    self.has_idle_number |= self.number.is_some();
                    self.number = Some((value, Some(if periods == 1 { Color::White } else { Color::Black })));
                }
                PlainToken::Move(written) => {
                    self.plies.push(WrittenPly { place, written: Some(written), number: self.number.take() });
                }
            }
        }
        end
    }

    /// Adds plies of `next`, whose text begins where the tokens of this one end: those that begin
    /// before `to`, until there are `most` plies.
    pub fn append(&mut self, next: &PlainPlies, to: usize, most: usize) {
        let count = next.plies.partition_point(|ply| ply.place.start < to).min(most.saturating_sub(self.plies.len()));
        let Some((first, rest)) = next.plies[..count].split_first() else { return };
        self.has_idle_number |= next.has_idle_number || self.number.is_some() && first.number.is_some();
        self.plies.push(WrittenPly { number: first.number.or(self.number.take()), ..*first });
        self.plies.extend_from_slice(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_token_is_left() {
        for (text, expected) in [
            ("", None),
            (" e4", None),
            (" 12.", None),
            (" e4 e5", Some((1, Span::new(1, 3)))),
            (" e4 e5 2.", Some((2, Span::new(4, 6)))),
            (" 2. Nf3", Some((0, Span::new(1, 3)))),
            (" 2. Nf3 Nc6 3. Bb5 {x} a6", Some((2, Span::new(12, 14)))),
            (" e4 1. 2. 3.", Some((1, Span::new(7, 9)))),
            (" 1. 2.", Some((0, Span::new(1, 3)))),
        ] {
            let text = text.as_bytes();
            assert_eq!(plies_before_last_token(text, 0), expected, "{}", text.escape_ascii());
            assert_eq!(PlainPlies::read(text, 0, Vec::new()).before_last_token(text), expected, "{}", text.escape_ascii());
        }
    }
    #[test]
    fn a_number_is_followed_by_periods_and_no_digit() {
        for (text, expected) in [
            ("1. e4", Some((1, 1, 2))),
            ("12.e4", Some((12, 1, 3))),
            ("1.", Some((1, 1, 2))),
            ("12.", Some((12, 1, 3))),
            ("007. e4", Some((7, 1, 4))),
            ("1.. e5", Some((1, 2, 3))),
            ("12...e5", Some((12, 3, 5))),
            ("1", None),
            ("12", None),
            ("12 .", None),
            ("1.5 e4", None),
            ("12.5", None),
            ("1..5", None),
            ("123.4", None),
            ("999999999. e4", Some((999_999_999, 1, 10))),
            ("1234567890. e4", None),
            ("9999999999. e4", None),
        ] {
            let read = PlainMovetext::new(text.as_bytes(), 0).next().map(|(place, token)| match token {
                PlainToken::Number(value, periods) => (value, periods, place.end),
                PlainToken::Move(_) => panic!("{text}"),
            });
            assert_eq!(read, expected, "{text}");
        }
    }
}
