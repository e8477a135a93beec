//! Limits on the captures, losses and promotions of a side.

use shakmaty::Bitboard;

use super::{
    promoted_kinds::{ByKind, PromotedKind, total},
    promotion::PromotionFiles,
    side_view::SideView,
};

/// What is known about a side's losses and promotions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Losses {
    /// Pieces that are missing.
    pub missing: u32,
    /// How many of them can only have been captured as pieces by pieces.
    pub captured_at_home: u32,
    /// Minimum number of pieces on the board that are promoted pawns, by kind.
    pub promoted: ByKind,
}

/// The limits of a side in every game that leads to the position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SideLimits {
    /// Maximum number of captures, without those that no pawn can have made and that took no pawn.
    pub captures: u8,
    /// Maximum number of pawns that are lost as pawns.
    pub losses: u8,
    /// How many bishops of the starting position are missing at least, on light squares and on dark
    /// ones, without those that were captured at home.
    pub lost_bishops: [u8; 2],
    /// Where its pawns can have been promoted.
    pub promotion: PromotionFiles,
    /// The files on which its pawn has not moved, one bit each.
    pub unmoved_pawns: u8,
}

impl SideLimits {
    /// The limits of `own` against `other`.
    pub fn new(own: (&SideView, Losses), other: (&SideView, Losses)) -> SideLimits {
        let Bitboard(at_home) = own.0.pawns_at_home();
        let left = own.0.pawns().count() as u32 + total(own.1.promoted);
        SideLimits {
            captures: other.1.missing.saturating_sub(other.1.captured_at_home).min(15) as u8,
            losses: 8u32.saturating_sub(left) as u8,
            lost_bishops: [PromotedKind::LightBishop, PromotedKind::DarkBishop]
                .map(|kind| lost_bishops(own.0, kind, own.1.promoted)),
            promotion: PromotionFiles::new(own.0, other.0, own.1.promoted),
            unmoved_pawns: (at_home >> 8) as u8,
        }
    }
}

/// How many bishops of a kind are missing that a side had at the start, without one that was
/// captured at home.
fn lost_bishops(view: &SideView, kind: PromotedKind, promoted: ByKind) -> u8 {
    let squares = kind.squares(view.color);
    let on_board = (view.of(kind.role()) & squares).count() as u32;
    let at_home = view.homes_of_captured_bishops().filter(|home| squares.contains(*home)).count() as u32;
    let original = on_board.saturating_sub(u32::from(promoted[kind as usize]));
    kind.at_start().saturating_sub(original + at_home) as u8
}
