//! Move number indications.

use shakmaty::Color;

use crate::rules::Span;

/// A move number indication that does not fit the place where it stands.
#[derive(Clone, Copy, Debug)]
pub struct NumberIndication<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// Digits and periods.
    pub place: Span,
    /// The number as written; `None` where it is too large to be one.
    pub value: Option<u32>,
    /// The number that belongs there.
    pub expected: u32,
    /// How many periods follow.
    pub dots: u32,
    /// Who is to move.
    pub turn: Color,
    /// The next number of the line, where there is one.
    pub next: Option<u32>,
    /// How many plies replay from the initial array, where another game begins here.
    pub spliced: Option<u32>,
    /// Whether the ply that follows is the first of the game or of a variation.
    pub starts_line: bool,
    /// What is out of the ordinary about it.
    pub aspect: NumberAspect,
}

/// What is out of the ordinary about a move number indication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberAspect {
    /// The number, or the side that the periods speak of.
    Count,
    /// It begins the game with another number than the FEN.
    Start,
    /// How it is written; number and side are right.
    Style(NumberStyle),
}

/// How a move number indication is written, where it is not as in export format.
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
