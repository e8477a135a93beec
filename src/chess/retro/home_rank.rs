//! Starting positions: which pieces a side had on which squares of its back rank.

use shakmaty::{ByColor, Role, Square};

/// The pieces of a side at the start, from the a-file to the h-file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HomeRank([Role; 8]);

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
        HomeRank([Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook]);

    /// The 18 back ranks of Chess960 with the king on e1 and rooks on a1 and h1. The standard one
    /// comes last.
    pub fn all_with_standard_castling() -> impl Iterator<Item = HomeRank> {
        let others = [(1, 2), (1, 6), (3, 2), (3, 6), (5, 2), (5, 6)].into_iter().flat_map(|(light, dark)| {
            let free = [1, 2, 3, 5, 6].into_iter().filter(move |file| ![light, dark].contains(file));
            free.map(move |queen| {
                let mut roles = HomeRank::STANDARD.0.map(|role| if role == Role::King { role } else { Role::Knight });
                (roles[0], roles[7], roles[light], roles[dark], roles[queen]) =
                    (Role::Rook, Role::Rook, Role::Bishop, Role::Bishop, Role::Queen);
                HomeRank(roles)
            })
        });
        others.filter(|rank| *rank != HomeRank::STANDARD).chain([HomeRank::STANDARD])
    }

    /// The pieces, from the a-file to the h-file.
    pub(super) const fn roles(&self) -> &[Role; 8] {
        &self.0
    }

    /// The home squares of `role`, seen from the side's own back rank.
    pub(super) fn homes(self, role: Role) -> impl Iterator<Item = Square> {
        (0..).map(Square::new).zip(self.0).filter(move |(_, there)| *there == role).map(|(square, _)| square)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Board;

    use super::*;

    #[test]
    fn eighteen_back_ranks_have_the_castling_squares_of_standard_chess() {
        let ranks: Vec<HomeRank> = HomeRank::all_with_standard_castling().collect();
        assert_eq!((ranks.len(), ranks.last()), (18, Some(&HomeRank::STANDARD)));
        let back_rank = |board: &Board| HomeRank(std::array::from_fn(|file| board.role_at(Square::new(file as u32)).unwrap()));
        let expected = (0..960)
            .map(|number| back_rank(&Board::chess960(number)))
            .filter(|rank| rank.homes(Role::King).eq([Square::E1]) && rank.homes(Role::Rook).eq([Square::A1, Square::H1]));
        let expected: Vec<HomeRank> = expected.collect();
        assert_eq!(expected.len(), 18);
        assert!(ranks.iter().all(|rank| expected.contains(rank)), "{ranks:?}");
    }
}
