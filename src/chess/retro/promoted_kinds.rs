//! Kinds of pieces that pawns are promoted to.

use shakmaty::{Bitboard, Color, Role};

/// A kind of pieces that are promoted: bishops of the two colours of squares are different kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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

impl Kind {
    /// All kinds, in the order of [`ByKind`].
    pub const ALL: [Kind; 5] = [Kind::Knight, Kind::LightBishop, Kind::DarkBishop, Kind::Rook, Kind::Queen];

    /// The role.
    pub const fn role(self) -> Role {
        match self {
            Kind::Knight => Role::Knight,
            Kind::LightBishop | Kind::DarkBishop => Role::Bishop,
            Kind::Rook => Role::Rook,
            Kind::Queen => Role::Queen,
        }
    }

    /// The squares, seen from the own back rank, on which its pieces can be.
    pub(super) fn squares(self, color: Color) -> Bitboard {
        match (self, color) {
            (Kind::LightBishop, Color::White) | (Kind::DarkBishop, Color::Black) => Bitboard::LIGHT_SQUARES,
            (Kind::DarkBishop, Color::White) | (Kind::LightBishop, Color::Black) => Bitboard::DARK_SQUARES,
            _ => Bitboard::FULL,
        }
    }

    /// How many of them a side has at the start.
    pub(super) const fn at_start(self) -> u32 {
        match self {
            Kind::Knight | Kind::Rook => 2,
            Kind::LightBishop | Kind::DarkBishop | Kind::Queen => 1,
        }
    }
}

/// A number for each [`Kind`].
pub type ByKind = [u8; 5];

/// The number of pieces of all kinds.
pub(super) fn total(pieces: ByKind) -> u32 {
    pieces.into_iter().map(u32::from).sum()
}
