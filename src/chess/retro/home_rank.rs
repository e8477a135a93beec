//! Starting positions: which pieces a side had on which squares of its back rank.

use shakmaty::{Bitboard, ByColor, ByRole, Role};

/// The files on which a side has the pieces of each role at the start, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HomeRank(ByRole<u8>);

/// What is known about the starting position, for each side. `None` is any Chess960 starting
/// position.
pub type StartingRanks = ByColor<Option<HomeRank>>;

/// The game can have begun in any starting position of Chess960 or double Chess960.
pub const ANY_START: StartingRanks = ByColor { black: None, white: None };

/// The game began in the starting position of standard chess.
pub const STANDARD_START: StartingRanks = ByColor { black: Some(HomeRank::STANDARD), white: Some(HomeRank::STANDARD) };

impl HomeRank {
    /// The back rank of standard chess.
    pub const STANDARD: HomeRank =
        HomeRank(ByRole { pawn: 0, knight: 0b0100_0010, bishop: 0b0010_0100, rook: 0b1000_0001, queen: 0b1000, king: 0b1_0000 });

    /// The 18 back ranks of Chess960 with the king on e1 and rooks on a1 and h1. The standard one
    /// comes last.
    pub fn all_with_standard_castling() -> impl Iterator<Item = HomeRank> {
        let ByRole { rook, king, .. } = HomeRank::STANDARD.0;
        let others = [(1, 2), (1, 6), (3, 2), (3, 6), (5, 2), (5, 6)].into_iter().flat_map(move |(light, dark)| {
            let bishop = 1 << light | 1 << dark;
            let free = [1, 2, 3, 5, 6].into_iter().filter(move |file| ![light, dark].contains(file));
            free.map(move |queen| {
                let queen = 1 << queen;
                HomeRank(ByRole { pawn: 0, knight: !(bishop | rook | queen | king), bishop, rook, queen, king })
            })
        });
        others.filter(|rank| *rank != HomeRank::STANDARD).chain([HomeRank::STANDARD])
    }

    /// The home squares of `role`, seen from the side's own back rank.
    pub(super) const fn homes(&self, role: Role) -> Bitboard {
        Bitboard(*self.0.get(role) as u64)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, Rank, Square};

    use super::*;

    #[test]
    fn eighteen_back_ranks_have_the_castling_squares_of_standard_chess() {
        let ranks: Vec<HomeRank> = HomeRank::all_with_standard_castling().collect();
        assert_eq!((ranks.len(), ranks.last()), (18, Some(&HomeRank::STANDARD)));
        let back_rank =
            |board: &Board| HomeRank(ByRole::new_with(|role| (board.by_role(role) & Bitboard::from_rank(Rank::First)).0 as u8));
        let expected = (0..960).map(|number| back_rank(&Board::chess960(number))).filter(|rank| {
            rank.homes(Role::King).into_iter().eq([Square::E1]) && rank.homes(Role::Rook).into_iter().eq([Square::A1, Square::H1])
        });
        let expected: Vec<HomeRank> = expected.collect();
        assert_eq!(expected.len(), 18);
        assert!(ranks.iter().all(|rank| expected.contains(rank)), "{ranks:?}");
    }
}
