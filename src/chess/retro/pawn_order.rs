//! The pawns on the files in their order, and captures that change it.

use super::{side_limits::SideLimits, side_view::SideView};

/// Maximum number of pawns on a file, promoted ones included. Nothing is proven if there may be
/// more.
pub(super) const MAX_ON_FILE: u32 = 7;

/// The pawns of a file in order, the lowest in bit 0: 1 is black. The highest 1 is the end.
pub(super) type Order = u8;

/// White.
pub(super) const WHITE: u8 = 0;
/// Black.
pub(super) const BLACK: u8 = 1;

/// A white pawn below a black one.
pub(super) const BEGIN: Order = 0b110;

/// Number of pawns.
pub(super) const fn len(order: Order) -> u32 {
    7 - order.leading_zeros()
}

/// The color of a pawn.
pub(super) const fn pawn(order: Order, index: u32) -> u8 {
    order >> index & 1
}

/// The order with one pawn more, at `index`.
pub(super) const fn insert(order: Order, index: u32, color: u8) -> Order {
    let low = order & ((1 << index) - 1);
    low | color << index | (order >> index) << 1 << index
}

/// The order without a pawn.
pub(super) const fn remove(order: Order, index: u32) -> Order {
    let low = order & ((1 << index) - 1);
    low | order >> index >> 1 << index
}

/// The order with a pawn of another color.
pub(super) const fn replace(order: Order, index: u32, color: u8) -> Order {
    (order & !(1 << index)) | color << index
}

/// Number of pawns of a color.
pub(super) const fn count(order: Order, color: u8) -> u32 {
    let blacks = order.count_ones() - 1;
    if color == BLACK { blacks } else { len(order) - blacks }
}

/// Whether no enemy pawn is ahead of a pawn.
pub(super) const fn has_passed(order: Order, index: u32) -> bool {
    match pawn(order, index) {
        WHITE => order >> index >> 1 == 1 << (len(order) - index - 1),
        _ => (order & ((1 << index) - 1)).count_ones() == index,
    }
}

/// The pawns to which captures lead, and the limits of these captures.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// The pawns on the board, by file.
    pub orders: [Order; 8],
    /// Their ranks from 1 to 8, in the same order.
    pub ranks: [[u8; MAX_ON_FILE as usize]; 8],
    /// White and Black.
    pub sides: [SideLimits; 2],
}

impl Goal {
    /// The pawns that White and Black see, and the limits. `None` if there are too
    /// many pawns on a file.
    pub fn new(views: [&SideView; 2], sides: [SideLimits; 2]) -> Option<Goal> {
        let (white, black) = (views[0].pawns(), views[1].pawns().flip_vertical());
        let (mut orders, mut ranks) = ([1; 8], [[0; MAX_ON_FILE as usize]; 8]);
        // From the first rank to the eighth.
        for square in white | black {
            let order: &mut Order = &mut orders[square.file() as usize];
            if len(*order) == MAX_ON_FILE {
                return None;
            }
            ranks[square.file() as usize][len(*order) as usize] = square.rank() as u8 + 1;
            *order = insert(*order, len(*order), u8::from(black.contains(square)));
        }
        Some(Goal { orders, ranks, sides })
    }
}

/// A capture that changes the pawns. Places are files and the places in their orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Capture {
    /// The place of the pawn that captures, or is captured by a piece.
    pub from: (u8, u8),
    /// What it does.
    pub how: How,
}

/// What a pawn does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// A piece captures it.
    Captured,
    /// It captures a pawn and takes its place.
    TakesPawn((u8, u8)),
    /// It captures a piece and arrives at this place.
    TakesPiece((u8, u8)),
    /// It captures a piece on the last square of this file and is promoted. No pawn can advance to
    /// that square.
    IsPromoted(u8),
}
