//! Plain movetext: moves in their canonical spelling, numbers with periods, spaces and line ends.
//!
//! Most movetext is plain. Where no move is played, it is read in a shorter way than token by token.

use crate::{
    chess::WrittenSan,
    text::{
        Span,
        swar::{padded_word, token_length},
    },
};

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

    #[inline]
    fn next(&mut self) -> Option<(Span, PlainToken)> {
        let text = self.text;
        while let Some(b' ' | b'\n' | b'\r') = text.get(self.at) {
            self.at += 1;
        }
        let start = self.at;
        if text.get(start)?.is_ascii_digit() {
            return self.number();
        }
        let mut end = start + token_length(padded_word(text, start)) as usize;
        if end == start + 8 {
            // No move in its canonical spelling is longer than that.
            end += token_length(padded_word(text, end)) as usize;
        }
        let written = WrittenSan::canonical(&text[start..end])?;
        self.at = end;
        // Other control characters do not end a move.
        let is_ended = matches!(text.get(end), None | Some(b' ' | b'\n' | b'\r'));
        is_ended.then_some((Span::new(start, end), PlainToken::Move(written)))
    }
}

impl PlainMovetext<'_> {
    /// A number, of which the first digit is next.
    #[inline]
    fn number(&mut self) -> Option<(Span, PlainToken)> {
        let start = self.at;
        let mut value = 0;
        while let Some(digit) = self.text.get(self.at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            value = 10 * value + u32::from(digit);
            self.at += 1;
            // Longer numbers may be too large.
            if self.at - start > 9 {
                return None;
            }
        }
        let digits = self.at;
        while self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
        }
        // `0.5` may be part of a termination marker.
        let is_number = self.at > digits && !self.text.get(self.at).is_some_and(u8::is_ascii_digit);
        is_number.then(|| (Span::new(start, self.at), PlainToken::Number(value, self.at - digits)))
    }
}
