//! Moves of variant games.

use shakmaty::{Move, san::SanPlus, variant::VariantPosition};

use crate::{chess::WrittenSan, rules::Span};

/// A move of a game that is not played under the laws of chess.
#[derive(Clone, Copy, Debug)]
pub struct VariantMove<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The move as written, suffixes included.
    pub place: Span,
    /// The move as read.
    pub written: &'a WrittenSan,
    /// The position before it.
    pub before: &'a VariantPosition,
    /// Whether it is in a variation.
    pub in_variation: bool,
}

impl VariantMove<'_> {
    /// The canonical spelling of a legal move.
    pub fn spelling(&self, played: Move) -> String {
        SanPlus::from_move(self.before.clone(), played).to_string()
    }
}
