//! One side's pieces, seen from its own back rank.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks::pawn_attacks};

use super::HomeRank;

/// The pieces of one side as if it were White: the board of Black is flipped, so that pawns of both
/// sides advance from rank 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideView {
    /// Its pieces by role, in the order of [`Role::ALL`].
    pieces: [Bitboard; 6],
    /// Its king and rooks, as far as they have a castling right.
    pub unmoved: Bitboard,
    /// The side.
    pub color: Color,
    /// Where its pieces began. `None` if that is not known.
    pub home: Option<HomeRank>,
}

impl SideView {
    /// The pieces of `color`. `unmoved` are the kings and rooks of both sides that have a castling
    /// right.
    pub fn new(board: &Board, unmoved: Bitboard, color: Color, home: Option<HomeRank>) -> SideView {
        let flipped = |squares: Bitboard| if color.is_white() { squares } else { squares.flip_vertical() };
        let own = board.by_color(color);
        SideView {
            pieces: Role::ALL.map(|role| flipped(board.by_role(role) & own)),
            unmoved: flipped(unmoved & own),
            color,
            home,
        }
    }

    /// Its pieces of a role.
    pub const fn of(&self, role: Role) -> Bitboard {
        self.pieces[role as usize - 1]
    }

    /// All its pieces.
    pub fn all(&self) -> Bitboard {
        self.pieces.iter().fold(Bitboard::EMPTY, |all, pieces| all | *pieces)
    }

    /// How many pieces it has, pawns included.
    pub fn count(&self) -> u32 {
        self.all().count() as u32
    }

    /// Its pawns.
    pub const fn pawns(&self) -> Bitboard {
        self.of(Role::Pawn)
    }

    /// Its pawns on the second rank, which have never moved.
    pub fn pawns_at_home(&self) -> Bitboard {
        self.pawns() & Bitboard::from_rank(Rank::Second)
    }

    /// The home squares of bishops that are locked in by unmoved pawns. The bishop is still there,
    /// or was captured there.
    pub fn locked_bishop_homes(&self) -> impl Iterator<Item = Square> + '_ {
        let homes = self.home.map_or(Bitboard::EMPTY, |home| home.homes(Role::Bishop)).into_iter();
        homes.filter(|home| pawn_attacks(Color::White, *home).is_subset(self.pawns()))
    }

    /// The squares that only pawns and knights can have reached: with eight unmoved pawns, all
    /// except the back rank.
    pub fn locked_out(&self) -> Bitboard {
        if self.pawns_at_home().count() == 8 { !Bitboard::from_rank(Rank::First) } else { Bitboard::EMPTY }
    }

    /// The home squares on which bishops were captured.
    pub fn homes_of_captured_bishops(&self) -> impl Iterator<Item = Square> + '_ {
        self.locked_bishop_homes().filter(|home| !self.of(Role::Bishop).contains(*home))
    }

    /// The square in the coordinates of the board.
    pub const fn square(&self, square: Square) -> Square {
        if self.color.is_white() { square } else { square.flip_vertical() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_look_the_same_in_the_starting_position() {
        let board = Board::new();
        let [white, black] =
            [Color::White, Color::Black].map(|color| SideView::new(&board, Bitboard::CORNERS, color, Some(HomeRank::STANDARD)));
        assert_eq!((white.pieces, white.unmoved), (black.pieces, black.unmoved));
        assert_eq!((white.count(), white.locked_bishop_homes().count(), white.homes_of_captured_bishops().count()), (16, 2, 0));
        assert_eq!(black.square(Square::A2), Square::A7);
    }
}
