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
}
