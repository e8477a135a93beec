//! Cages: squares that have been blocked since the beginning of the game, and where the men behind them can have gone.
//!
//! All of this is for games that begin in the standard array.

use shakmaty::{Bitboard, Rank, Role, Square};

use super::side_view::Camp;

/// Where the men of a side can have gone, seen from its own back rank.
///
/// Blocked for the whole game are the squares of men that have never moved: pawns on their second rank, kings and rooks that
/// hold a castling right, home bishops that stand behind two unmoved pawns. Whatever else happened in the game, a man has gone
/// from where it began (its home; the square that castling put it on; the square on which a pawn became it) to where it stands
/// over other squares. A king has besides never entered a square that an unmoved enemy pawn guards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cages {
    free: Bitboard,
    /// The squares of `free` that no unmoved enemy pawn guards.
    king_free: Bitboard,
    own: Camp,
}

/// Where a man of some kind can have been from the beginning on.
struct Origin {
    /// The squares that are reached from its home.
    reach: Bitboard,
}

impl Cages {
    /// The cages of `own` men, whose enemy is `other`.
    pub fn new(own: Camp, other: &Camp) -> Cages {
        let blocked = blocked(&own) | blocked(other).flip_vertical();
        let guards = other.pawns_at_home().flip_vertical();
        let guarded = west(guards.shift(-8)) | east(guards.shift(-8));
        Cages { free: !blocked, king_free: !blocked & !guarded, own }
    }

    /// The squares that a man of `role` reaches from `square`, which it need not be able to leave.
    fn reach(&self, role: Role, square: Square) -> Bitboard {
        let free = if role == Role::King { self.king_free } else { self.free };
        let mut reached = Bitboard::from_square(square);
        if !free.contains(square) {
            return reached;
        }
        loop {
            let next = reached | (steps(role, reached) & free);
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// Whether the squares between king and rook on the side of the h-file can ever have been empty, and both can have castled.
    fn can_have_castled(&self, between: &[Square]) -> bool {
        self.own.unmoved.is_empty() && between.iter().all(|square| self.free.contains(*square))
    }

    /// The homes of the men of `role`, each with what is reached from it.
    fn origins(&self, role: Role) -> impl Iterator<Item = Origin> + '_ {
        let homes: &[Square] = match role {
            Role::Knight => &[Square::B1, Square::G1],
            Role::Bishop => &[Square::C1, Square::F1],
            Role::Rook => &[Square::A1, Square::H1],
            Role::Queen => &[Square::D1],
            Role::King => &[Square::E1],
            Role::Pawn => &[],
        };
        homes.iter().map(move |home| {
            let mut reach = self.reach(role, *home);
            let castled: &[(Square, &[Square])] = match (role, *home) {
                (Role::Rook, Square::A1) => &[(Square::D1, &[Square::B1, Square::C1, Square::D1])],
                (Role::Rook, Square::H1) => &[(Square::F1, &[Square::F1, Square::G1])],
                (Role::King, _) => {
                    &[(Square::C1, &[Square::B1, Square::C1, Square::D1]), (Square::G1, &[Square::F1, Square::G1])]
                }
                _ => &[],
            };
            for (square, between) in castled {
                if self.can_have_castled(between) {
                    reach |= self.reach(role, *square);
                }
            }
            Origin { reach }
        })
    }

    /// A man that can neither have come from its home nor from a square of promotion; as it is seen from its own back rank.
    pub fn caged_man(&self) -> Option<(Role, Square)> {
        [Role::Bishop, Role::Rook, Role::Queen, Role::Knight].into_iter().find_map(|role| {
            let men = self.own.of(role);
            if men.is_empty() {
                return None;
            }
            let reached = self.origins(role).fold(Bitboard::EMPTY, |reached, origin| reached | origin.reach);
            let promoted_on = Bitboard::from_rank(Rank::Eighth) & self.free;
            (men & !reached).into_iter().find(|man| (self.reach(role, *man) & promoted_on).is_empty()).map(|man| (role, man))
        })
    }

    /// Whether the king can have come from its home.
    pub fn king_is_caged(&self) -> bool {
        let king = self.own.of(Role::King);
        self.origins(Role::King).all(|origin| (king & origin.reach).is_empty())
    }

    /// The least number of promoted men: those for which no original is left that can have come there.
    pub fn promoted(&self) -> u32 {
        [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(|role| {
                let men = self.own.of(role);
                if men.is_empty() {
                    return 0;
                }
                men.count() as u32 - self.originals(role, men)
            })
            .sum()
    }

    /// How many of `men` can be those of the array, each from a home of its own.
    fn originals(&self, role: Role, men: Bitboard) -> u32 {
        let (mut reached, mut all) = (0, Bitboard::EMPTY);
        for origin in self.origins(role) {
            let here = men & origin.reach;
            reached += u32::from(here.any());
            all |= here;
        }
        reached.min(all.count() as u32)
    }
}

/// The squares that men of this side have blocked since the beginning of the game.
fn blocked(camp: &Camp) -> Bitboard {
    let bishops: Bitboard = camp.locked_bishop_homes().collect();
    camp.pawns_at_home() | camp.unmoved | (bishops & camp.of(Role::Bishop))
}

const fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !0x8080_8080_8080_8080) << 1)
}

const fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !0x0101_0101_0101_0101) >> 1)
}

/// The squares one step of `role` away.
fn steps(role: Role, from: Bitboard) -> Bitboard {
    let (left, right) = (west(from), east(from));
    let up_and_down = |squares: Bitboard| squares.shift(8) | squares.shift(-8);
    let straight = || left | right | up_and_down(from);
    let diagonal = || up_and_down(left | right);
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => {
            let (far_left, far_right) = (west(left), east(right));
            (left | right).shift(16) | (left | right).shift(-16) | up_and_down(far_left | far_right)
        }
        Role::Bishop => diagonal(),
        Role::Rook => straight(),
        Role::Queen | Role::King => straight() | diagonal(),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, Color, attacks};

    use super::*;

    #[test]
    fn steps_are_shakmatys() {
        for square in Square::ALL {
            for role in [Role::Knight, Role::King] {
                let piece = role.of(Color::White);
                let expected = attacks::attacks(square, piece, Bitboard::EMPTY);
                assert_eq!(steps(role, Bitboard::from_square(square)), expected, "{piece:?} {square}");
            }
            for role in [Role::Bishop, Role::Rook, Role::Queen] {
                let piece = role.of(Color::White);
                assert_eq!(
                    steps(role, Bitboard::from_square(square)),
                    attacks::attacks(square, piece, Bitboard::FULL),
                    "{piece:?} {square}"
                );
            }
        }
    }

    fn white(placement: &str, unmoved: &[Square]) -> Cages {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        let unmoved = unmoved.iter().copied().collect();
        Cages::new(Camp::new(&board, unmoved, Color::White), &Camp::new(&board, unmoved, Color::Black))
    }

    #[test]
    fn men_behind_unmoved_pawns() {
        let array = white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", &[]);
        assert_eq!((array.caged_man(), array.promoted(), array.king_is_caged()), (None, 0, false));
        let bishop = white("4k3/pppppppp/8/8/8/4B3/1P1PP1P1/4K3", &[]);
        assert_eq!(bishop.caged_man(), Some((Role::Bishop, Square::E3)));
        let promoted = white("4k3/pppp1ppp/8/8/8/4B3/1P1PP1P1/4K3", &[]);
        assert_eq!((promoted.caged_man(), promoted.promoted()), (None, 1));
        let queen = white("2Q5/8/8/8/8/8/1PPPPPPP/1NB1KBNR", &[]);
        assert_eq!((queen.caged_man(), queen.promoted()), (None, 1));
        let rook = white("4k3/8/8/8/8/R7/PPPPPPPP/1NBQKBNR", &[]);
        assert_eq!(rook.promoted(), 1);
    }

    #[test]
    fn castling_lets_rooks_and_king_out() {
        // King and rook have castled past the bishop that the pawns keep on c1: the king cannot have walked to g1 and h1 has no other way.
        let castled = white("4k3/8/8/8/8/8/PPPPPPPP/RNBQ1RK1", &[]);
        assert_eq!((castled.caged_man(), castled.promoted(), castled.king_is_caged()), (None, 0, false));
    }

    #[test]
    fn kings_behind_unmoved_pawns() {
        let outside = white("K6k/pppppppp/8/8/8/8/8/8", &[]);
        assert!(outside.king_is_caged());
        let open = white("K6k/1ppppppp/8/8/8/8/8/8", &[]);
        // b7 guards a6 and c6: the way is a7, from a5 past a6.
        assert!(open.king_is_caged());
        let wide = white("K6k/2pppppp/8/8/8/8/8/8", &[]);
        assert!(!wide.king_is_caged());
    }
}
