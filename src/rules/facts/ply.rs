//! Moves that were played.

use shakmaty::{Chess, Move};

use crate::{chess::WrittenSan, rules::Span};

/// A move that was played, whose spelling may be out of the ordinary.
#[derive(Clone, Copy, Debug)]
pub struct Ply<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The move as written, suffixes included.
    pub place: Span,
    /// What was read of it.
    pub written: &'a WrittenSan,
    /// The position before it.
    pub before: &'a Chess,
    /// The position after it.
    pub after: &'a Chess,
    /// The move itself; `None` for a null move.
    pub played: Option<Move>,
    /// Whether it stands in a variation.
    pub in_variation: bool,
}
