//! Move number indications.

use shakmaty::Color;

use super::GoesOn;
use crate::rules::Span;

/// A move number indication that is wrong or not written as in export format.
#[derive(Clone, Copy, Debug)]
pub struct NumberIndication<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// Digits and periods.
    pub place: Span,
    /// The number as written. `None` if it is too large.
    pub value: Option<u32>,
    /// The number that is expected there.
    pub expected: u32,
    /// How many periods follow.
    pub dots: u32,
    /// Who is to move.
    pub turn: Color,
    /// The next number of the line and the number of moves before it, if there is one.
    pub next: Option<(u32, u32)>,
    /// If another game starts here, the number of plies that can be played from the starting
    /// position.
    pub spliced: Option<u32>,
    /// Whether it is a digit before a move whose number is known: `12. 1Rxc3`.
    pub is_stray: bool,
    /// Whether the variation that it begins goes on after the move that it should replace.
    pub goes_on: Option<GoesOn>,
    /// Whether the ply that follows is the first of the game or of a variation.
    pub starts_line: bool,
    /// What is wrong with it.
    pub aspect: NumberAspect,
}

impl NumberIndication<'_> {
    /// Whether the number and its periods stand alone before a move. Otherwise they may be a part
    /// of something else, such as `3 .Bc4`, `1.0.. e5`, `3Q` and `$ 1`.
    pub fn stands_alone(&self) -> bool {
        let rest = self.text.get(self.place.end..).unwrap_or_default();
        let after = rest.trim_ascii_start();
        let is_parted = self.dots > 0 || after.len() < rest.len();
        let before = self.text.get(..self.place.start).unwrap_or_default();
        let last = before.iter().rev().find(|byte| !byte.is_ascii_whitespace());
        let is_move = after.first().is_some_and(u8::is_ascii_alphabetic) || after.starts_with(b"0-0");
        is_parted && is_move && last != Some(&b'$') && before.last() != Some(&b'.')
    }
}

/// What is wrong with a move number indication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberAspect {
    /// The number, or the side that the periods indicate.
    Count,
    /// The first number of the game differs from the FEN.
    Start,
    /// Its style. Number and side are right.
    Style(NumberStyle),
}

/// How a move number indication differs from export format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberStyle {
    /// `1.e4`
    Glued,
    /// `1 e4`
    NoPeriod,
    /// `1. ... e5`
    Apart,
    /// `1.. e5`
    Periods,
    /// `1. e4 1... e5`
    Superfluous,
}
