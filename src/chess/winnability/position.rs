//! A small position for the search. It knows all legal moves and is cheap to copy and compare.

use std::ops::ControlFlow;

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Position, Rank, Role, Square, attacks};

/// Squares of a set, in ascending order.
pub(super) fn each(squares: u64) -> impl Iterator<Item = Square> {
    Bitboard(squares).into_iter()
}

/// The rooks that may castle at the start of a search.
#[derive(Clone, Copy, Debug)]
pub(in crate::chess) struct Castling {
    /// The rook of each right, in the order of [`SearchPosition::rights`].
    rooks: [Option<Square>; 4],
}

/// A position with its castling rights and its en passant target square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::chess) struct SearchPosition {
    pub pawns: u64,
    pub knights: u64,
    /// Bishops and queens.
    pub diagonal: u64,
    /// Rooks and queens.
    pub straight: u64,
    /// All pieces of White and of Black.
    pub side: [u64; 2],
    /// The squares of the kings.
    pub kings: [Square; 2],
    pub turn: Color,
    /// The square on which a pawn may capture en passant, if a pawn attacks it.
    pub en_passant: Option<Square>,
    /// Castling rights: bit 0 and 1 for White's kingside and queenside, 2 and 3 for Black's.
    pub rights: u8,
}

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// The index of a right in [`Castling`].
const fn right(color: Color, side: CastlingSide) -> usize {
    2 * color.is_black() as usize + side.is_queen_side() as usize
}

impl Castling {
    pub const NONE: Castling = Castling { rooks: [None; 4] };

    fn of(position: &Chess) -> Castling {
        let mut rooks = [None; 4];
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                rooks[right(color, side)] = position.castles().rook(color, side);
            }
        }
        Castling { rooks }
    }
}

impl SearchPosition {
    /// `None` if a side has no king.
    pub fn new(position: &Chess) -> Option<(SearchPosition, Castling)> {
        let board = position.board();
        let castling = Castling::of(position);
        let rights = (0..4).filter(|&index| castling.rooks[index].is_some()).fold(0, |rights, index| rights | 1 << index);
        let searched = SearchPosition {
            pawns: board.pawns().0,
            knights: board.knights().0,
            diagonal: (board.bishops() | board.queens()).0,
            straight: (board.rooks() | board.queens()).0,
            side: [board.white().0, board.black().0],
            kings: [board.king_of(Color::White)?, board.king_of(Color::Black)?],
            turn: position.turn(),
            en_passant: position.pseudo_legal_ep_square(),
            rights,
        };
        Some((searched, castling))
    }

    pub fn occupied(&self) -> u64 {
        self.side[0] | self.side[1]
    }

    pub fn of(&self, color: Color) -> u64 {
        self.side[color as usize ^ 1]
    }

    fn of_mut(&mut self, color: Color) -> &mut u64 {
        &mut self.side[color as usize ^ 1]
    }

    pub fn king(&self, color: Color) -> Square {
        self.kings[color as usize ^ 1]
    }

    /// What is on the one occupied square of `bit`.
    pub(super) fn kind(&self, bit: u64) -> Role {
        match (self.diagonal & bit != 0, self.straight & bit != 0) {
            (true, true) => Role::Queen,
            (true, false) => Role::Bishop,
            (false, true) => Role::Rook,
            _ if self.pawns & bit != 0 => Role::Pawn,
            _ if self.knights & bit != 0 => Role::Knight,
            _ => Role::King,
        }
    }

    /// The pieces of `color` that attack `at`, if these squares are occupied.
    #[inline]
    pub fn attackers(&self, at: Square, color: Color, occupied: u64) -> u64 {
        let lines = Bitboard(occupied);
        let own = self.of(color);
        let mut found = (attacks::knight_attacks(at).0 & self.knights) | (attacks::pawn_attacks(!color, at).0 & self.pawns);
        if own & self.diagonal != 0 {
            found |= attacks::bishop_attacks(at, lines).0 & self.diagonal;
        }
        if own & self.straight != 0 {
            found |= attacks::rook_attacks(at, lines).0 & self.straight;
        }
        found |= attacks::king_attacks(at).0 & 1 << self.king(color) as u32;
        found & own
    }

    /// The squares that `color` attacks, if these squares are occupied.
    pub fn attacked(&self, color: Color, occupied: u64) -> u64 {
        let own = self.of(color);
        let pawns = self.pawns & own;
        let (west, east) = (pawns & !0x0101_0101_0101_0101, pawns & !0x8080_8080_8080_8080);
        let by_pawns = color.fold_wb(west << 7 | east << 9, west >> 9 | east >> 7);
        let pieces = (self.knights | self.diagonal | self.straight) & own;
        each(pieces).fold(by_pawns | attacks::king_attacks(self.king(color)).0, |all, from| all | self.reach(from, occupied))
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.attackers(self.king(self.turn), !self.turn, self.occupied()) != 0
    }

    /// Removes whatever is on `at`.
    #[inline]
    fn clear(&mut self, at: u64) {
        self.pawns &= !at;
        self.knights &= !at;
        self.diagonal &= !at;
        self.straight &= !at;
        self.side[0] &= !at;
        self.side[1] &= !at;
    }

    /// Moves a piece to `to`, whatever is there. The other side is to move.
    #[inline]
    fn moved(&self, castling: &Castling, from: Square, to: Square) -> SearchPosition {
        let (start, end) = (1_u64 << from as u32, 1_u64 << to as u32);
        let mut next = *self;
        next.clear(end);
        let swap = |pieces: u64| if pieces & start != 0 { pieces ^ (start | end) } else { pieces };
        next.pawns = swap(next.pawns);
        next.knights = swap(next.knights);
        next.diagonal = swap(next.diagonal);
        next.straight = swap(next.straight);
        let turn = self.turn;
        *next.of_mut(turn) ^= start | end;
        if from == self.king(turn) {
            next.kings[turn as usize ^ 1] = to;
            next.rights &= !(3 << (2 * u32::from(turn.is_black())));
        }
        if next.rights != 0 {
            for (index, rook) in castling.rooks.iter().enumerate() {
                if *rook == Some(from) || *rook == Some(to) {
                    next.rights &= !(1 << index);
                }
            }
        }
        next.turn = !turn;
        next.en_passant = None;
        next
    }

    /// Passes each position after a legal move to `take`, which returns whether to continue.
    /// Returns whether there is a legal move.
    pub fn each_move(&self, castling: &Castling, mut take: impl FnMut(SearchPosition) -> bool) -> bool {
        let mut exists = false;
        let _ = self.pass_moves(castling, &mut |next| {
            exists = true;
            if take(next) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        exists
    }

    fn pass_moves(&self, castling: &Castling, pass: &mut impl FnMut(SearchPosition) -> ControlFlow<()>) -> ControlFlow<()> {
        let turn = self.turn;
        let (own, occupied) = (self.of(turn), self.occupied());
        let king = self.king(turn);
        let checkers = self.attackers(king, !turn, occupied);
        // The squares that end a check, or all squares.
        let mask = match Bitboard(checkers).single_square() {
            _ if checkers == 0 => !0,
            Some(checker) => attacks::between(king, checker).0 | checkers,
            None => 0,
        };
        if mask != 0 {
            let pinned = self.pinned(turn);
            let allowed = |from: Square| {
                if pinned & 1 << from as u32 == 0 { mask & !own } else { mask & !own & attacks::ray(king, from).0 }
            };
            for from in each(self.pawns & own) {
                self.pass_pawn_moves(castling, from, allowed(from), pass)?;
            }
            for from in each((self.knights | self.diagonal | self.straight) & own) {
                for to in each(self.reach(from, occupied) & allowed(from)) {
                    pass(self.moved(castling, from, to))?;
                }
            }
        }
        for next in self.king_moves(castling) {
            pass(next)?;
        }
        if self.rights != 0 && checkers == 0 {
            for next in CastlingSide::ALL.into_iter().filter_map(|side| self.castled(castling, side)) {
                pass(next)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Passes the positions after the moves of a pawn to `allowed` squares, and after en passant.
    fn pass_pawn_moves(
        &self,
        castling: &Castling,
        from: Square,
        allowed: u64,
        pass: &mut impl FnMut(SearchPosition) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let turn = self.turn;
        let (other, occupied) = (self.of(!turn), self.occupied());
        let forward = |at: u64| if turn.is_white() { at << 8 } else { at >> 8 };
        let one = forward(1 << from as u32) & !occupied;
        let from_home = turn.fold_wb(Rank::Second, Rank::Seventh) == from.rank();
        let two = if from_home { forward(one) & !occupied } else { 0 };
        let captures = attacks::pawn_attacks(turn, from).0 & other;
        for to in each((one | captures) & allowed) {
            let next = self.moved(castling, from, to);
            if !Bitboard::BACKRANKS.contains(to) {
                pass(next)?;
                continue;
            }
            for role in PROMOTIONS {
                pass(next.promoted(to, role))?;
            }
        }
        for to in each(two & allowed) {
            let mut next = self.moved(castling, from, to);
            let target = Square::new((from as u32 + to as u32) / 2);
            let attacked = attacks::pawn_attacks(turn, target).0 & self.pawns & other != 0;
            next.en_passant = attacked.then_some(target);
            pass(next)?;
        }
        if let Some(target) = self.en_passant.filter(|target| attacks::pawn_attacks(turn, from).contains(*target)) {
            let mut next = self.moved(castling, from, target);
            next.clear(1 << (target as u32 ^ 8));
            if next.attackers(self.king(turn), !turn, next.occupied()) == 0 {
                pass(next)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The position after each legal move of the king, apart from castling.
    pub fn king_moves(&self, castling: &Castling) -> impl Iterator<Item = SearchPosition> {
        let king = self.king(self.turn);
        let without_king = self.occupied() & !(1 << king as u32);
        let is_safe = move |to: &Square| self.attackers(*to, !self.turn, without_king) == 0;
        each(attacks::king_attacks(king).0 & !self.of(self.turn)).filter(is_safe).map(move |to| self.moved(castling, king, to))
    }

    /// The squares that the piece on `from`, which is not a pawn or a king, attacks.
    #[inline]
    pub fn reach(&self, from: Square, occupied: u64) -> u64 {
        let bit = 1_u64 << from as u32;
        if self.knights & bit != 0 {
            return attacks::knight_attacks(from).0;
        }
        let mut reach = 0;
        if self.diagonal & bit != 0 {
            reach |= attacks::bishop_attacks(from, Bitboard(occupied)).0;
        }
        if self.straight & bit != 0 {
            reach |= attacks::rook_attacks(from, Bitboard(occupied)).0;
        }
        reach
    }

    /// The pieces of `color` that may not leave the line to their king.
    #[inline]
    pub fn pinned(&self, color: Color) -> u64 {
        let (king, own, other, occupied) = (self.king(color), self.of(color), self.of(!color), self.occupied());
        let empty = Bitboard::EMPTY;
        let mut snipers = 0;
        if other & self.diagonal != 0 {
            snipers |= attacks::bishop_attacks(king, empty).0 & other & self.diagonal;
        }
        if other & self.straight != 0 {
            snipers |= attacks::rook_attacks(king, empty).0 & other & self.straight;
        }
        each(snipers).fold(0, |pinned, sniper| {
            let between = attacks::between(king, sniper).0 & occupied;
            if between & between.wrapping_sub(1) == 0 { pinned | (between & own) } else { pinned }
        })
    }

    fn promoted(mut self, at: Square, role: Role) -> SearchPosition {
        let bit = 1_u64 << at as u32;
        self.pawns &= !bit;
        match role {
            Role::Knight => self.knights |= bit,
            Role::Bishop => self.diagonal |= bit,
            Role::Rook => self.straight |= bit,
            _ => {
                self.diagonal |= bit;
                self.straight |= bit;
            }
        }
        self
    }

    /// The position after castling, if it is legal. The side to move is not in check.
    fn castled(&self, castling: &Castling, side: CastlingSide) -> Option<SearchPosition> {
        let turn = self.turn;
        let index = right(turn, side);
        let rook = castling.rooks[index].filter(|_| self.rights >> index & 1 == 1)?;
        let king = self.king(turn);
        let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
        let (king_bit, rook_bit) = (1_u64 << king as u32, 1_u64 << rook as u32);
        let path = attacks::between(king, king_to).0 | 1 << king_to as u32;
        let others = self.occupied() & !king_bit & !rook_bit;
        if others & (path | attacks::between(rook, rook_to).0 | 1 << rook_to as u32) != 0 {
            return None;
        }
        // In Chess960 the rook may shield the last square, so that comes at the end.
        if each(path & !(1 << king_to as u32)).any(|at| self.attackers(at, !turn, self.occupied() & !king_bit) != 0) {
            return None;
        }
        let mut next = *self;
        next.clear(rook_bit);
        *next.of_mut(turn) &= !king_bit;
        *next.of_mut(turn) |= 1 << king_to as u32 | 1 << rook_to as u32;
        next.straight |= 1 << rook_to as u32;
        next.kings[turn as usize ^ 1] = king_to;
        next.rights &= !(3 << (2 * u32::from(turn.is_black())));
        next.turn = !turn;
        next.en_passant = None;
        (next.attackers(king_to, !turn, next.occupied()) == 0).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn chess(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap()
    }

    /// The positions after all legal moves, by shakmaty and by [`SearchPosition::each_move`].
    fn after_moves(position: &Chess) -> [Vec<SearchPosition>; 2] {
        let (searched, castling) = SearchPosition::new(position).unwrap();
        let mut ours = Vec::new();
        let exists = searched.each_move(&castling, |next| {
            ours.push(next);
            true
        });
        assert_eq!(exists, !ours.is_empty());
        let legal = position.legal_moves();
        let theirs = legal.iter().map(|played| {
            let mut next = position.clone();
            next.play_unchecked(*played);
            SearchPosition::new(&next).unwrap().0
        });
        let mut both = [theirs.collect(), ours];
        let key = |at: &SearchPosition| (at.side, at.pawns, at.knights, at.diagonal, at.straight, at.rights, at.en_passant);
        both.iter_mut().for_each(|list| list.sort_by_key(key));
        both
    }

    /// Random games, with a simple generator of numbers.
    #[test]
    fn legal_moves_are_those_of_shakmaty() {
        let mut state = 1_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let mut seen = [0; 3];
        for start in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w BGbg - 0 1",
            "rk2r3/1p6/8/8/8/8/5P2/1R3KR1 w BGae - 0 1",
            "8/8/8/1k1pP2R/8/8/8/7K w - d6 0 1",
            "4k3/1P6/8/8/8/8/1p6/R3K2R w KQ - 0 1",
        ] {
            for _ in 0..60 {
                let mut position = chess(start);
                for _ in 0..80 {
                    let [theirs, ours] = after_moves(&position);
                    assert_eq!(ours, theirs, "{}", Fen::from_position(&position, shakmaty::EnPassantMode::Always));
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    for (seen, found) in seen.iter_mut().zip([
                        legal.iter().any(|played| played.is_castle()),
                        legal.iter().any(|played| played.is_en_passant()),
                        legal.iter().any(|played| played.is_promotion()),
                    ]) {
                        *seen += usize::from(found);
                    }
                    let special: Vec<_> = legal.iter().filter(|played| played.is_castle() || played.is_en_passant()).collect();
                    let played = if !special.is_empty() && below(2) == 0 {
                        *special[below(special.len())]
                    } else {
                        legal[below(legal.len())]
                    };
                    position.play_unchecked(played);
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    }
}
