//! Where pawns can have been promoted, and where promoted pieces can have gone from there.
//!
//! What has never moved was in the way during the whole game: pawns on their second rank, kings and
//! rooks with a castling right, and, if it is known where they began, bishops that two unmoved
//! pawns lock in. For a pawn of the other side this means:
//! * It was never on the square of an unmoved piece. So it was not promoted there, and if an
//!   unmoved pawn is on its seventh rank, no pawn has advanced past it.
//! * If it attacks an unmoved king from its seventh rank, the side in check cannot block the check,
//!   and its king has not moved. So it captured the pawn at once, and the pawn was not promoted.
//! * It came to its promotion square by an advance from the seventh rank on the same file, or by a
//!   capture from the seventh rank on a neighbouring file.
//! * A promoted piece that is still on the board has gone over free squares from its promotion
//!   square to where it is. If few squares can be reached from a promotion square, at most as many
//!   pieces were promoted there as are on these squares. What was captured after its promotion need
//!   not have moved.
//!
//! All of this holds in any starting position of Chess960 and double Chess960. Only locked bishops
//! need to know where they began. A pawn that captures en passant is not on its last two ranks, and
//! castling moves no piece that has a castling right.

use shakmaty::{Bitboard, Color, Rank, Role, attacks::pawn_attacks};

use super::{
    cages::{reach, unmoved},
    promoted_kinds::{ByKind, PromotedKind},
    side_view::SideView,
};

/// Where the pawns of a side can have been promoted. Files are bits, the a-file the lowest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PromotionFiles {
    /// Files on which a pawn can have advanced to its last rank.
    pub advance: u8,
    /// Files on whose last square a pawn can have captured, coming from the file to the left.
    pub from_left: u8,
    /// The same from the file to the right.
    pub from_right: u8,
    /// Files on whose seventh rank a pawn attacks a king that has not moved.
    pub checks: u8,
    /// How many pieces of each kind are promoted at least.
    pub promoted: ByKind,
    /// How many pieces on the board can have been promoted on each file at most, by kind.
    pub capacity: [[u8; 8]; 5],
}

impl PromotionFiles {
    /// The promotion files of `own` against `other`, of which so many pieces are promoted.
    pub fn new(own: &SideView, other: &SideView, promoted: ByKind) -> PromotionFiles {
        let Obstacles { last_rank, pawns, checks } = Obstacles::of(other);
        let (sevenths, lasts) = (!((pawns | checks).0 >> 48) as u8, !(last_rank.0 >> 56) as u8);
        let mut files = PromotionFiles {
            advance: sevenths & lasts,
            from_left: sevenths << 1 & lasts,
            from_right: sevenths >> 1 & lasts,
            checks: (checks.0 >> 48) as u8,
            promoted,
            capacity: [[0; 8]; 5],
        };
        if promoted != ByKind::default() {
            files.set_capacities(own, other);
        }
        files
    }

    fn set_capacities(&mut self, own: &SideView, other: &SideView) {
        let free = !(unmoved(own) | unmoved(other).flip_vertical());
        let used = self.advance | self.from_left | self.from_right;
        for (kind, capacity) in PromotedKind::ALL.into_iter().zip(&mut self.capacity) {
            if self.promoted[kind as usize] == 0 {
                continue;
            }
            let pieces = own.of(kind.role()) & kind.squares(own.color);
            for square in Bitboard(u64::from(used) << 56) & kind.squares(own.color) {
                capacity[square.file() as usize] = (reach(kind.role(), square, free) & pieces).count() as u8;
            }
        }
    }

    /// Whether every piece on the board that must be promoted can have been promoted somewhere.
    /// `count` is how many pawns were promoted on each file. By Hall's theorem, this is so if it
    /// is so for each set of kinds together.
    pub fn suffice(&self, count: [u8; 8]) -> bool {
        let kinds: u8 = PromotedKind::ALL
            .into_iter()
            .filter(|kind| self.promoted[*kind as usize] > 0)
            .fold(0, |all, kind| all | 1 << kind as u8);
        let mut set = kinds;
        // All subsets of `kinds`.
        while set != 0 {
            let members = || (0..5).filter(|kind| set >> kind & 1 == 1);
            let needed: u8 = members().map(|kind| self.promoted[kind]).sum();
            let possible: u8 = (0..8).map(|file| count[file].min(members().map(|kind| self.capacity[kind][file]).sum())).sum();
            if possible < needed {
                return false;
            }
            set = (set - 1) & kinds;
        }
        true
    }
}

/// What has never moved and is in the way of the pawns of the other side, which sees it so.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacles {
    /// Unmoved pieces on the last rank of the pawns.
    pub last_rank: Bitboard,
    /// Unmoved pawns on their seventh rank.
    pub pawns: Bitboard,
    /// Squares of their seventh rank from which they attack an unmoved king.
    pub checks: Bitboard,
}

impl Obstacles {
    /// What the pieces of `other` are in the way of.
    pub fn of(other: &SideView) -> Obstacles {
        let kings = (other.of(Role::King) & other.unmoved).flip_vertical();
        let attackers = kings.into_iter().map(|king| pawn_attacks(Color::Black, king));
        Obstacles {
            last_rank: Bitboard::from_rank(Rank::Eighth) & unmoved(other).flip_vertical(),
            pawns: other.pawns_at_home().flip_vertical(),
            checks: attackers.fold(Bitboard::EMPTY, |all, squares| all | squares),
        }
    }
}
