//! Kinds of pieces that pawns are promoted to.

use shakmaty::{Bitboard, Color, Role};

/// A kind of pieces that are promoted: bishops of the two colours of squares are different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotedKind {
    /// Knights.
    Knight,
    /// Bishops on light squares, which are light for both sides.
    LightBishop,
    /// Bishops on dark squares.
    DarkBishop,
    /// Rooks.
    Rook,
    /// Queens.
    Queen,
}

impl PromotedKind {
    /// All kinds, in the order of [`ByKind`].
    pub const ALL: [PromotedKind; 5] =
        [PromotedKind::Knight, PromotedKind::LightBishop, PromotedKind::DarkBishop, PromotedKind::Rook, PromotedKind::Queen];

    /// The role.
    pub const fn role(self) -> Role {
        match self {
            PromotedKind::Knight => Role::Knight,
            PromotedKind::LightBishop | PromotedKind::DarkBishop => Role::Bishop,
            PromotedKind::Rook => Role::Rook,
            PromotedKind::Queen => Role::Queen,
        }
    }

    /// The squares, seen from the own back rank, on which its pieces can be.
    pub(super) fn squares(self, color: Color) -> Bitboard {
        match (self, color) {
            (PromotedKind::LightBishop, Color::White) | (PromotedKind::DarkBishop, Color::Black) => Bitboard::LIGHT_SQUARES,
            (PromotedKind::DarkBishop, Color::White) | (PromotedKind::LightBishop, Color::Black) => Bitboard::DARK_SQUARES,
            _ => Bitboard::FULL,
        }
    }

    /// How many of them a side has at the start.
    pub(super) const fn at_start(self) -> u32 {
        match self {
            PromotedKind::Knight | PromotedKind::Rook => 2,
            PromotedKind::LightBishop | PromotedKind::DarkBishop | PromotedKind::Queen => 1,
        }
    }
}

/// A number for each [`PromotedKind`].
pub type ByKind = [u8; 5];

/// The number of pieces of all kinds.
pub(super) fn total(pieces: ByKind) -> u32 {
    pieces.into_iter().map(u32::from).sum()
}
