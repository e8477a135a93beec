//! Cages: squares that were blocked during the whole game, and where the pieces enclosed by them
//! can have gone.
//!
//! All of this needs the starting position.

use shakmaty::{Bitboard, Rank, Role, Square};

use super::{
    HomeRank,
    promoted_kinds::{ByKind, PromotedKind},
    side_view::SideView,
};

/// Where the pieces of a side can have gone, seen from its own back rank.
///
/// The squares of pieces that have never moved were blocked during the whole game: pawns on their
/// second rank, kings and rooks with a castling right, and bishops at home that two unmoved pawns
/// lock in. A piece has reached its square over other squares from where it began: its home, the
/// square that castling put it on, or its promotion square. In addition, a king has never entered a
/// square that an unmoved enemy pawn attacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cages {
    free: Bitboard,
    /// The squares of `free` that no unmoved enemy pawn attacks.
    king_free: Bitboard,
    own: SideView,
    home: HomeRank,
}

/// Where a piece from one home square can have been.
struct Origin {
    /// The squares that can be reached from the home square.
    reach: Bitboard,
}

impl Cages {
    /// The cages of `own` against `other`. `None` if it is not known where the pieces of `own`
    /// began.
    pub fn new(own: SideView, other: &SideView) -> Option<Cages> {
        let home = own.home?;
        let blocked = unmoved(&own) | unmoved(other).flip_vertical();
        let attackers_at_home = other.pawns_at_home().flip_vertical();
        let attacked = west(attackers_at_home.shift(-8)) | east(attackers_at_home.shift(-8));
        Some(Cages { free: !blocked, king_free: !blocked & !attacked, own, home })
    }

    /// The squares that a piece of `role` can reach from `square`, including `square` itself.
    fn reach(&self, role: Role, square: Square) -> Bitboard {
        reach(role, square, if role == Role::King { self.king_free } else { self.free })
    }

    /// Whether the squares `between` king and rook can have been empty and neither must be unmoved.
    fn can_have_castled(&self, between: &[Square]) -> bool {
        self.own.unmoved.is_empty() && between.iter().all(|square| self.free.contains(*square))
    }

    /// The home squares of `role`, each with the squares that can be reached from it.
    fn origins(&self, role: Role) -> impl Iterator<Item = Origin> + '_ {
        self.home.homes(role).into_iter().map(move |home| {
            let mut reach = self.reach(role, home);
            let castled: &[(Square, &[Square])] = match (role, home) {
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

    /// Whether every piece of `role` is on a home square of its role.
    fn all_at_home(&self, role: Role) -> bool {
        self.own.of(role).is_subset(self.home.homes(role))
    }

    /// A piece that can have come neither from its home nor from a promotion square, seen from its
    /// own back rank.
    pub fn caged_piece(&self) -> Option<(Role, Square)> {
        [Role::Bishop, Role::Rook, Role::Queen, Role::Knight].into_iter().find_map(|role| {
            let pieces = self.own.of(role);
            if self.all_at_home(role) {
                return None;
            }
            let reached = self.origins(role).fold(Bitboard::EMPTY, |reached, origin| reached | origin.reach);
            // With all eight pawns, none was promoted.
            let has_all_pawns = self.own.pawns().count() == 8;
            let promoted_on = if has_all_pawns { Bitboard::EMPTY } else { Bitboard::from_rank(Rank::Eighth) & self.free };
            (pieces & !reached)
                .into_iter()
                .find(|piece| (self.reach(role, *piece) & promoted_on).is_empty())
                .map(|piece| (role, piece))
        })
    }

    /// Whether the king cannot have come from its home.
    pub fn king_is_caged(&self) -> bool {
        let king = self.own.of(Role::King);
        self.origins(Role::King).all(|origin| (king & origin.reach).is_empty()) || self.king_and_queen_have_changed_places()
    }

    /// Whether king and queen are on each other's home squares, and neither can ever have been on a
    /// third square. Then one cannot have made room for the other. No other queen can have come
    /// there, and no pawn of their side is promoted on its own back rank.
    fn king_and_queen_have_changed_places(&self) -> bool {
        let (king_home, queen_home) = (self.home.homes(Role::King), self.home.homes(Role::Queen));
        let is_shut_in = |origin: Origin| origin.reach.is_subset(king_home | queen_home);
        self.own.of(Role::King) == queen_home
            && king_home.is_subset(self.own.of(Role::Queen))
            && self.origins(Role::King).chain(self.origins(Role::Queen)).all(is_shut_in)
    }

    /// The minimum number of promoted pieces: those that no original piece can be.
    pub fn promoted(&self) -> ByKind {
        PromotedKind::ALL.map(|kind| {
            let pieces = self.own.of(kind.role()) & kind.squares(self.own.color);
            if pieces.is_subset(self.home.homes(kind.role())) {
                return 0;
            }
            (pieces.count() as u32 - self.originals(kind.role(), pieces)) as u8
        })
    }

    /// Pieces that may be promoted; only the promoted ones if they are known. Squares are seen from
    /// the side's own back rank.
    pub fn promotion_candidates(&self) -> Bitboard {
        let candidates = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().map(|role| {
            let pieces = self.own.of(role);
            let promoted = pieces.count() as u32 - self.originals(role, pieces);
            let unreached = pieces & !self.origins(role).fold(Bitboard::EMPTY, |reached, origin| reached | origin.reach);
            match promoted {
                0 => Bitboard::EMPTY,
                _ if unreached.count() as u32 == promoted => unreached,
                _ => pieces,
            }
        });
        candidates.fold(Bitboard::EMPTY, |all, candidates| all | candidates)
    }

    /// How many of `pieces` can be original ones, each from a home of its own.
    fn originals(&self, role: Role, pieces: Bitboard) -> u32 {
        let (mut reached, mut all) = (0, Bitboard::EMPTY);
        for origin in self.origins(role) {
            let here = pieces & origin.reach;
            reached += u32::from(here.any());
            all |= here;
        }
        reached.min(all.count() as u32)
    }
}

/// The squares that can be reached from `square`, including `square` itself, over `free` squares.
pub(super) fn reach(role: Role, square: Square, free: Bitboard) -> Bitboard {
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

/// The squares of the pieces of this side that have not moved since the game began.
pub(super) fn unmoved(view: &SideView) -> Bitboard {
    let bishops: Bitboard = view.locked_bishop_homes().collect();
    view.pawns_at_home() | view.unmoved | (bishops & view.of(Role::Bishop))
}

/// The squares to the right of these.
pub(super) const fn east(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !0x8080_8080_8080_8080) << 1)
}

/// The squares to the left of these.
pub(super) const fn west(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !0x0101_0101_0101_0101) >> 1)
}

/// The squares that are one step of `role` away.
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
        let view = |color: Color| SideView::new(&board, unmoved, color, Some(HomeRank::STANDARD));
        Cages::new(view(Color::White), &view(Color::Black)).expect("the starting position is known")
    }

    #[test]
    fn pieces_behind_unmoved_pawns() {
        let start = white("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", &[]);
        assert_eq!((start.caged_piece(), start.promoted(), start.king_is_caged()), (None, [0; 5], false));
        let bishop = white("4k3/pppppppp/8/8/8/4B3/1P1PP1P1/4K3", &[]);
        assert_eq!(bishop.caged_piece(), Some((Role::Bishop, Square::E3)));
        let promoted = white("4k3/pppp1ppp/8/8/8/4B3/1P1PP1P1/4K3", &[]);
        assert_eq!((promoted.caged_piece(), promoted.promoted()), (None, [0, 0, 1, 0, 0]));
        assert_eq!(promoted.promotion_candidates(), Bitboard::from_square(Square::E3));
        let without_promotion = white("4k3/pppp1ppp/8/8/8/4B3/PPPPPPPP/4K3", &[]);
        assert_eq!(without_promotion.caged_piece(), Some((Role::Bishop, Square::E3)));
        let queen = white("2Q5/8/8/8/8/8/1PPPPPPP/1NB1KBNR", &[]);
        assert_eq!((queen.caged_piece(), queen.promoted()), (None, [0, 0, 0, 0, 1]));
        let rook = white("4k3/8/8/8/8/R7/PPPPPPPP/1NBQKBNR", &[]);
        assert_eq!(rook.promoted(), [0, 0, 0, 1, 0]);
    }

    #[test]
    fn castling_lets_rooks_and_king_out() {
        // King and rook have castled past the bishop on c1; the king can have reached g1 in no
        // other way.
        let castled = white("4k3/8/8/8/8/8/PPPPPPPP/RNBQ1RK1", &[]);
        assert_eq!((castled.caged_piece(), castled.promoted(), castled.king_is_caged()), (None, [0; 5], false));
    }

    #[test]
    fn king_and_queen_between_unmoved_bishops() {
        assert!(white("4k3/8/8/8/8/8/PPPPPPPP/RNBKQBNR", &[]).king_is_caged());
        // The queen has gone out over c2, and back after the king.
        assert!(!white("4k3/8/8/8/8/2P5/PP1PPPPP/RNBKQBNR", &[]).king_is_caged());
        // The bishop on f1 was captured, so both can have gone there.
        assert!(!white("4k3/8/8/8/8/8/PPPPPPPP/RNBKQ1NR", &[]).king_is_caged());
    }

    #[test]
    fn kings_behind_unmoved_pawns() {
        let outside = white("K6k/pppppppp/8/8/8/8/8/8", &[]);
        assert!(outside.king_is_caged());
        let open = white("K6k/1ppppppp/8/8/8/8/8/8", &[]);
        // The pawn on b7 attacks a6 and c6: the king cannot get from a5 to a7.
        assert!(open.king_is_caged());
        let wide = white("K6k/2pppppp/8/8/8/8/8/8", &[]);
        assert!(!wide.king_is_caged());
    }
}
