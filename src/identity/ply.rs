//! A ply in two bytes.

use bytemuck::{Pod, TransparentWrapper, Zeroable};
use shakmaty::{Chess, Move, Position, Role, Square};

/// A ply of a main line: where the piece came from, where it went, and what it became. Castling
/// goes from the square of the king to that of the rook, whatever the variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable, TransparentWrapper)]
#[repr(transparent)]
pub struct Ply([u8; 2]);

impl Ply {
    /// Any ply, for tests.
    #[cfg(test)]
    pub(super) const fn numbered(number: u16) -> Ply {
        Ply(number.to_le_bytes())
    }

    /// Its number.
    pub(super) const fn number(self) -> u16 {
        u16::from_le_bytes(self.0)
    }

    /// A null move.
    pub const NULL: Ply = Ply([0; 2]);

    /// A ply from its squares.
    #[inline]
    pub const fn new(from: Square, to: Square, promotion: Option<Role>) -> Ply {
        let promotion = match promotion {
            None => 0,
            Some(role) => role as u16,
        };
        Ply((from as u16 | (to as u16) << 6 | promotion << 12).to_le_bytes())
    }

    /// A ply between the squares with these numbers, at most 63. `promotion` is the number of the
    /// role that a pawn becomes, 0 for none.
    #[inline]
    pub const fn between([from, to]: [usize; 2], promotion: u8) -> Ply {
        Ply((from as u16 & 63 | (to as u16 & 63) << 6 | (promotion as u16) << 12).to_le_bytes())
    }

    /// The ply that a move is. Drops have no origin: they go from their square to itself.
    pub fn of(played: Move) -> Ply {
        match played {
            Move::Normal { from, to, promotion, .. } => Ply::new(from, to, promotion),
            Move::EnPassant { from, to } => Ply::new(from, to, None),
            Move::Castle { king, rook } => Ply::new(king, rook, None),
            Move::Put { role, to } => Ply::new(to, to, Some(role)),
        }
    }

    /// The bytes of these plies.
    pub fn bytes_of(plies: &[Ply]) -> &[u8] {
        Ply::peel_slice(plies).as_flattened()
    }

    /// The plies with these bytes. `None` if their number is odd.
    pub fn of_bytes(bytes: &[u8]) -> Option<&[Ply]> {
        let (plies, []) = bytes.as_chunks() else { return None };
        Some(Ply::wrap_slice(plies))
    }

    /// Origin and target.
    pub const fn squares(self) -> [Square; 2] {
        let number = u16::from_le_bytes(self.0) as u32;
        [Square::new(number & 63), Square::new((number >> 6) & 63)]
    }

    /// The move that it is in a position of chess in which it is legal. `None` for null moves and
    /// drops.
    pub fn played_in(self, position: &Chess) -> Option<Move> {
        let [from, to] = self.squares();
        let board = position.board();
        let role = board.role_at(from).filter(|_| from != to)?;
        let is_own = board.by_color(position.turn()).contains(to);
        Some(match role {
            Role::King if is_own => Move::Castle { king: from, rook: to },
            Role::Pawn if from.file() != to.file() && board.role_at(to).is_none() => Move::EnPassant { from, to },
            _ => Move::Normal { role, from, capture: board.role_at(to), to, promotion: self.promotion() },
        })
    }

    /// What a pawn became.
    pub fn promotion(self) -> Option<Role> {
        Role::try_from(u32::from(self.promotion_number())).ok()
    }

    /// The number of the role that a pawn became; 0 for none.
    pub(super) const fn promotion_number(self) -> u8 {
        self.0[1] >> 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_keep_squares_and_promotions() {
        let promoted =
            Move::Normal { role: Role::Pawn, from: Square::B7, capture: None, to: Square::H8, promotion: Some(Role::Queen) };
        assert_eq!(Ply::of(promoted).squares(), [Square::B7, Square::H8]);
        assert_eq!(Ply::of(promoted).promotion(), Some(Role::Queen));
        let castled = Ply::of(Move::Castle { king: Square::E1, rook: Square::H1 });
        assert_eq!((castled.squares(), castled.promotion()), ([Square::E1, Square::H1], None));
    }
}
