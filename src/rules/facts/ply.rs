//! Moves that were played.

use shakmaty::{Bitboard, Chess, Move, Position};

use crate::{
    chess::{Resolved, WrittenSan, san_of},
    rules::Span,
};

/// A move that was played and is not canonical SAN, or that wakes a rule.
#[derive(Clone, Copy, Debug)]
pub struct PlyFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The move as written, suffixes included.
    pub place: Span,
    /// The move as read.
    pub written: &'a WrittenSan,
    /// The position before it.
    pub before: &'a Chess,
    /// The position after it.
    pub after: &'a Chess,
    /// The move itself; `None` for a null move.
    pub resolved: Option<Resolved>,
    /// Whether it is in a variation.
    pub in_variation: bool,
}

impl PlyFacts<'_> {
    /// The move itself; `None` for a null move.
    pub fn played(&self) -> Option<Move> {
        self.resolved.map(|resolved| resolved.played)
    }

    /// The pieces that give check after the move.
    pub fn checkers(&self) -> Bitboard {
        self.after.checkers()
    }

    /// Whether the move is checkmate.
    pub fn mates(&self) -> bool {
        self.after.is_checkmate()
    }

    /// The canonical spelling of the move.
    pub fn canonical(&self) -> String {
        match self.played() {
            Some(played) => san_of(self.before, played),
            None => "--".to_owned(),
        }
    }
}
