//! Moves that cannot be played.

use shakmaty::Chess;

use crate::{
    chess::{History, IllegalMove, WrittenSan},
    rules::Span,
};

/// A move that cannot be played in the position reached.
#[derive(Clone, Copy, Debug)]
pub struct Unplayable<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The move as written, suffixes included.
    pub place: Span,
    /// The move as read.
    pub written: &'a WrittenSan,
    /// The position in which it cannot be played.
    pub before: &'a Chess,
    /// The reason.
    pub reason: &'a IllegalMove,
    /// How the game reached the position.
    pub history: History<'a>,
    /// Whether it is in a variation.
    pub in_variation: bool,
    /// Whether its variation goes on after the move that it should replace, and can be played so.
    pub goes_on: Option<GoesOn>,
}

/// A variation that goes on after a move instead of replacing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoesOn {
    /// The parenthesis that opens it.
    pub open: Span,
    /// The move after which it goes on.
    pub after: Span,
}
