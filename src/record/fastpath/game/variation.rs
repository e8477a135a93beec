//! Variations, which may contain others.
//!
//! A variation replaces the last ply. To go back, the position before each ply is kept, but only in
//! games that have variations.

use super::{
    FastReplay, NUMBERS,
    clocks::Control,
    comment::{self, Annotations, Comment},
    reached::ReachedPositions,
    words::{glyph, token},
};
use crate::{
    chess::SanWord,
    text::swar::{places, token_length},
};

/// Maximum depth of variations that are accepted.
const MAX_DEPTH: usize = 16;

impl<R: ReachedPositions, const VARIATIONS: bool, const EXACT: bool> FastReplay<'_, '_, R, VARIATIONS, EXACT> {
    /// Reads the variation that opens at `at`, after a ply of `side`. Returns its end.
    #[inline(never)]
    pub(super) fn variation(&mut self, at: usize, side: usize, depth: usize) -> Option<usize> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (after, before, number) = (self.board.snapshot(), self.before, self.number);
        self.board.restore(&before);
        let end = self.line(at + 1, side, depth);
        self.board.restore(&after);
        (self.before, self.number) = (before, number);
        end
    }

    /// Reads the line of a variation from `at` to its closing parenthesis. Returns its end.
    fn line(&mut self, at: usize, side: usize, depth: usize) -> Option<usize> {
        let (mut at, mut next) = token(self.text, at)?;
        while next as u8 == b'{' {
            at = self.comment_in_variation(at, next, side)?;
            (at, next) = token(self.text, at)?;
        }
        let mut side = side;
        loop {
            if side == 0 || (next as u8).is_ascii_digit() {
                let end = NUMBERS[side].get(self.number)?.end(at, next)?;
                (at, next) = token(self.text, end)?;
            }
            let length = length_in_variation(next)?;
            self.board.snapshot_to(&mut self.before);
            let word = SanWord::of(next, length);
            if !(if side == 0 { self.board.play::<0, false>(word) } else { self.board.play::<1, false>(word) }) {
                return None;
            }
            self.plies_in_variations += 1;
            at += length as usize;
            loop {
                (at, next) = token(self.text, at)?;
                at = match next as u8 {
                    b'{' => self.comment_in_variation(at, next, side)?,
                    b'$' => glyph(self.text, at, length_in_variation(next)?)?,
                    b'(' => self.variation(at, side, depth + 1)?,
                    b')' => return Some(at + 1),
                    _ => break,
                };
            }
            self.number += side;
            side ^= 1;
        }
    }

    /// Skips a comment. Clocks and evaluations in a variation are not those of the game.
    fn comment_in_variation(&self, at: usize, next: u64, side: usize) -> Option<usize> {
        let mut annotations = Annotations::new(Control::UNKNOWN, false);
        let (end, what) = comment::skip(self.text, at, next, &mut annotations, side, self.number)?;
        matches!(what, Comment::Commands | Comment::Words | Comment::CommandsAndWords).then_some(end)
    }
}

/// The length of a token, which a closing parenthesis may end. `None` if it is longer than seven
/// bytes.
fn length_in_variation(next: u64) -> Option<u32> {
    let length = token_length(next).min(places(next, b')').trailing_zeros() >> 3);
    (1..8).contains(&length).then_some(length)
}
