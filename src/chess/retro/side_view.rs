//! The men of one side, seen from its own back rank.

use shakmaty::{Bitboard, Board, Color, Rank, Role, Square};

/// The men of one side as if it were White: Black's board is turned over, so that each side's pawns go up from rank 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camp {
    /// Its men by role, in the order of [`Role::ALL`].
    men: [Bitboard; 6],
    /// Kings and rooks of its own that hold a castling right.
    pub unmoved: Bitboard,
    /// Whose men these are.
    pub color: Color,
}

impl Camp {
    /// The men of `color`; `unmoved` are kings and rooks of either side that hold a castling right.
    pub fn new(board: &Board, unmoved: Bitboard, color: Color) -> Camp {
        let turned = |squares: Bitboard| if color.is_white() { squares } else { squares.flip_vertical() };
        let own = board.by_color(color);
        Camp { men: Role::ALL.map(|role| turned(board.by_role(role) & own)), unmoved: turned(unmoved & own), color }
    }

    /// Its men of a role.
    pub const fn of(&self, role: Role) -> Bitboard {
        self.men[role as usize - 1]
    }

    /// All of them.
    pub fn all(&self) -> Bitboard {
        self.men.iter().fold(Bitboard::EMPTY, |all, men| all | *men)
    }

    /// How many men it has.
    pub fn count(&self) -> u32 {
        self.all().count() as u32
    }

    /// Its pawns.
    pub const fn pawns(&self) -> Bitboard {
        self.of(Role::Pawn)
    }

    /// The pawns that have not moved: a pawn on its second rank never has.
    pub fn pawns_at_home(&self) -> Bitboard {
        self.pawns() & Bitboard::from_rank(Rank::Second)
    }

    /// The homes of bishops that two unmoved pawns lock: the bishop has stood there since the beginning, or died there.
    pub fn locked_bishop_homes(&self) -> impl Iterator<Item = Square> + '_ {
        [(Square::C1, Square::B2, Square::D2), (Square::F1, Square::E2, Square::G2)].into_iter().filter_map(
            |(home, left, right)| {
                let pawns = self.pawns();
                (pawns.contains(left) && pawns.contains(right)).then_some(home)
            },
        )
    }

    /// How many bishops died on the squares where they began.
    pub fn bishops_dead_at_home(&self) -> u32 {
        self.locked_bishop_homes().filter(|home| !self.of(Role::Bishop).contains(*home)).count() as u32
    }

    /// The square as it is called on the board.
    pub const fn square(&self, square: Square) -> Square {
        if self.color.is_white() { square } else { square.flip_vertical() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_of_the_array_are_alike() {
        let board = Board::new();
        let [white, black] = [Color::White, Color::Black].map(|color| Camp::new(&board, Bitboard::CORNERS, color));
        assert_eq!((white.men, white.unmoved), (black.men, black.unmoved));
        assert_eq!((white.count(), white.locked_bishop_homes().count(), white.bishops_dead_at_home()), (16, 2, 0));
        assert_eq!(black.square(Square::A2), Square::A7);
    }
}
