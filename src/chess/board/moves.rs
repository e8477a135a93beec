//! Lists legal moves on the fast board, in the order of `shakmaty`.

use shakmaty::{Bitboard, Move, Role, Square, attacks};

use super::{
    Board, Castling, FILE_A, Movement, NO_MARK, PackedPly, RANK_1, Snapshot, beyond, each,
    square_tables::{BISHOP, KING, KNIGHT, LAST_RANKS, NONE, PAWN, QUEEN, ROOK},
};

/// The squares that legal moves in a list go to or come from.
#[derive(Clone, Copy, Debug)]
pub struct MoveFilter {
    /// For each kind of piece, the squares it may go to. Promotions, captures en passant and
    /// castling are not filtered.
    pub targets: [u64; 7],
    /// A move must come from one of these squares or go to one of them. Captures en passant and
    /// castling are not filtered.
    pub touched: u64,
}

impl MoveFilter {
    /// All moves.
    pub const NONE: MoveFilter = MoveFilter { targets: [u64::MAX; 7], touched: u64::MAX };
}

/// The kind of piece with this number.
fn role(kind: u8) -> Option<Role> {
    match kind {
        PAWN => Some(Role::Pawn),
        KNIGHT => Some(Role::Knight),
        BISHOP => Some(Role::Bishop),
        ROOK => Some(Role::Rook),
        QUEEN => Some(Role::Queen),
        KING => Some(Role::King),
        _ => None,
    }
}

fn at(square: usize) -> Square {
    Square::new(square as u32 & 63)
}

/// The squares that a piece of a kind other than the pawn attacks.
pub(super) fn attacked_from(kind: u8, from: usize, occupied: u64) -> u64 {
    match kind {
        BISHOP => attacks::bishop_attacks(at(from), Bitboard(occupied)).0,
        ROOK => attacks::rook_attacks(at(from), Bitboard(occupied)).0,
        QUEEN => attacks::queen_attacks(at(from), Bitboard(occupied)).0,
        _ => Movement::of(kind).to(from),
    }
}

impl Board {
    /// The last move. `None` if there is none, or if it is not known.
    pub fn last_move(&self) -> Option<Move> {
        self.as_move(self.history.last())
    }

    /// The moves played in this game, up to `count` of them. None if the game is too long.
    pub fn first_moves(&self, count: usize) -> impl Iterator<Item = Move> {
        self.history.plies(count).iter().map_while(|ply| self.as_move(*ply))
    }

    /// The plies played in this game: origin, target, and the number of the role that a pawn
    /// becomes, 0 for none. None if the game is too long.
    pub fn squares_played(&self) -> impl ExactSizeIterator<Item = ([usize; 2], u8)> {
        self.history.plies(usize::MAX).iter().map(|ply| (ply.squares(), ply.promotion()))
    }

    /// The indices of castling among the plies played, and the squares of the king and the rook.
    pub fn castlings_played(&self) -> impl Iterator<Item = (usize, [usize; 2])> {
        let castlings = self.history.plies(usize::MAX).iter().enumerate().filter(|(_, ply)| ply.is_castling());
        castlings.map(|(at, ply)| {
            let [_, to] = ply.squares();
            let castling = self.castling[ply.side()][usize::from(to & 7 == 2)];
            (at, [castling.king[0], castling.rook[0]].map(usize::from))
        })
    }

    /// A ply of this game as a move. `None` if it is not known.
    fn as_move(&self, ply: PackedPly) -> Option<Move> {
        let [from, to] = ply.squares();
        let (side, kind, captured) = (ply.side(), role(ply.kind())?, role(ply.captured()));
        if ply.is_castling() {
            return Some(self.castling[side][usize::from(to & 7 == 2)].as_move());
        }
        Some(match kind {
            Role::Pawn if captured.is_none() && (from ^ to) & 7 != 0 => Move::EnPassant { from: at(from), to: at(to) },
            _ => Move::Normal { role: kind, from: at(from), capture: captured, to: at(to), promotion: role(ply.promotion()) },
        })
    }

    /// Whether the last move captured a piece.
    #[inline(always)]
    pub fn has_captured(&self) -> bool {
        let last = self.history.last();
        let [from, to] = last.squares();
        // No branches, which cannot be predicted.
        (last.captured() != NONE) | (last.kind() == PAWN) & ((from ^ to) & 7 != 0)
    }

    /// Adds the legal moves of Black (`black`) or White, which is to move, to `list`, in the order
    /// of `shakmaty`.
    ///
    /// Moves outside `filter` may be left out, and those for which `keep` returns `None` are. It is
    /// called before it is known whether a move is legal.
    pub fn list_moves<T>(
        &mut self,
        black: bool,
        filter: &MoveFilter,
        keep: impl Fn(Move) -> Option<T>,
        list: &mut Vec<(Move, T)>,
    ) {
        if black { self.list_moves_of::<1, T>(filter, keep, list) } else { self.list_moves_of::<0, T>(filter, keep, list) }
    }

    fn list_moves_of<const SIDE: usize, T>(
        &mut self,
        filter: &MoveFilter,
        keep: impl Fn(Move) -> Option<T>,
        list: &mut Vec<(Move, T)>,
    ) {
        if let Some(to) = self.en_passant() {
            for from in each(Movement::CAPTURE[SIDE].to(to) & self.pieces[SIDE][usize::from(PAWN)]) {
                let played = Move::EnPassant { from: at(from), to: at(to) };
                if let Some(kept) = keep(played)
                    && self.is_safe::<SIDE>(from, to, to ^ 8)
                {
                    list.push((played, kept));
                }
            }
        }
        let mut push = |role: Role, from: usize, to: usize, promotion: Option<Role>| {
            let capture = self::role(self.mailbox[to]);
            let played = Move::Normal { role, from: at(from), capture, to: at(to), promotion };
            if let Some(kept) = keep(played)
                && self.is_legal::<SIDE>(from, to)
            {
                list.push((played, kept));
            }
        };
        // Out of check, moves of the king come first.
        if self.check {
            self.each_piece_move::<SIDE>(KING, filter, &mut push);
        }
        self.each_pawn_move::<SIDE>(filter, &mut push);
        for kind in KNIGHT..=if self.check { QUEEN } else { KING } {
            self.each_piece_move::<SIDE>(kind, filter, &mut push);
        }
        for wing in 0..2 {
            let how = self.castling[SIDE][wing];
            if self.unmoved & how.home != how.home || self.check {
                continue;
            }
            let played = how.as_move();
            if let Some(kept) = keep(played) {
                let before = self.snapshot();
                if self.castle::<SIDE, false>(how, NO_MARK) {
                    list.push((played, kept));
                }
                self.restore(&before);
            }
        }
    }

    /// Whether the king is safe after a move that is not a capture en passant.
    fn is_legal<const SIDE: usize>(&self, from: usize, to: usize) -> bool {
        let king = usize::from(self.kings[SIDE] & 63);
        let may_be_pinned = beyond(king, from) & self.sliders[1 - SIDE] != 0;
        !(self.check || may_be_pinned || from == king) || self.is_safe::<SIDE>(from, to, to)
    }

    /// The moves of pieces of a kind other than the pawn that follow its rules of movement.
    fn each_piece_move<const SIDE: usize>(
        &self,
        kind: u8,
        filter: &MoveFilter,
        push: &mut impl FnMut(Role, usize, usize, Option<Role>),
    ) {
        let Some(role) = role(kind) else { return };
        let targets = filter.targets[usize::from(kind & 7) % 7] & !self.side[SIDE];
        if targets == 0 {
            return;
        }
        for from in each(self.pieces[SIDE][usize::from(kind & 7)]) {
            let targets = if filter.touched >> from & 1 != 0 { targets } else { targets & filter.touched };
            if Movement::of(kind).to(from) & targets == 0 {
                continue;
            }
            for to in each(attacked_from(kind, from, self.occupied()) & targets) {
                push(role, from, to, None);
            }
        }
    }

    /// The moves of pawns that follow their rules of movement, without captures en passant.
    fn each_pawn_move<const SIDE: usize>(&self, filter: &MoveFilter, push: &mut impl FnMut(Role, usize, usize, Option<Role>)) {
        const FILE_H: u64 = FILE_A << 7;
        let (pawns, empty) = (self.pieces[SIDE][usize::from(PAWN)], !self.occupied());
        let enemies = self.side[1 - SIDE];
        let one = if SIDE == 0 { pawns << 8 } else { pawns >> 8 } & empty;
        let two = if SIDE == 0 { one << 8 & 0xFF << 24 } else { one >> 8 & 0xFF << 32 } & empty;
        let (west, east) =
            if SIDE == 0 { (pawns << 7 & !FILE_H, pawns << 9 & !FILE_A) } else { (pawns >> 9 & !FILE_H, pawns >> 7 & !FILE_A) };
        let steps = if SIDE == 0 { [-7, -9, -8, -16] } else { [9, 7, 8, 16] };
        for (targets, step) in [west & enemies, east & enemies, one, two].into_iter().zip(steps) {
            for to in each(targets & !LAST_RANKS & filter.targets[usize::from(PAWN)]) {
                let from = to.wrapping_add_signed(step) & 63;
                if filter.touched & (1 << from | 1 << to) != 0 {
                    push(Role::Pawn, from, to, None);
                }
            }
            for to in each(targets & LAST_RANKS) {
                let from = to.wrapping_add_signed(step) & 63;
                if filter.touched & (1 << from | 1 << to) != 0 {
                    for promotion in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                        push(Role::Pawn, from, to, Some(promotion));
                    }
                }
            }
        }
    }
}

impl Snapshot {
    /// Whether [`Board::list_moves`] may list moves other than castling here. If in doubt, `true`.
    pub fn may_list(&self, filter: &MoveFilter, black: bool) -> bool {
        let side = usize::from(black);
        let (pieces, pawns, touched) = (&self.pieces[side], self.pieces[side][usize::from(PAWN)], filter.touched);
        let (own, enemies, occupied) = (self.side[side], self.side[1 - side], self.side[0] | self.side[1]);
        let (seventh, fourth) = if black { (RANK_1 << 8, RANK_1 << 32) } else { (RANK_1 << 48, RANK_1 << 24) };
        let forward = |squares: u64| if black { squares >> 8 } else { squares << 8 };
        let beside = |squares: u64| (squares & !FILE_A) >> 1 | (squares & !(FILE_A << 7)) << 1;
        let targets_of = |pawns: u64| {
            let one = forward(pawns) & !occupied;
            one | forward(one) & fourth & !occupied | beside(forward(pawns)) & enemies
        };
        let is_pawn_move = (targets_of(pawns) & touched | targets_of(pawns & touched)) & filter.targets[usize::from(PAWN)] != 0;
        let may_pass = || self.en_passant().is_some_and(|to| beside(forward(pawns)) >> to & 1 != 0);
        if is_pawn_move || pawns & seventh != 0 || may_pass() {
            return true;
        }
        (KNIGHT..=KING).any(|kind| {
            let targets = filter.targets[usize::from(kind & 7) % 7] & !own;
            targets != 0
                && each(pieces[usize::from(kind & 7)]).any(|from| {
                    let targets = if touched >> from & 1 != 0 { targets } else { targets & touched };
                    Movement::of(kind).to(from) & targets != 0 && attacked_from(kind, from, occupied) & targets != 0
                })
        })
    }
}

impl Castling {
    fn as_move(&self) -> Move {
        Move::Castle { king: at(usize::from(self.king[0])), rook: at(usize::from(self.rook[0])) }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::chess::board::written_moves::tests::{POSITIONS, position};

    fn all_moves(board: &mut Board, black: bool, filter: &MoveFilter) -> Vec<Move> {
        let mut list = Vec::new();
        board.list_moves(black, filter, |_| Some(()), &mut list);
        list.into_iter().map(|(played, ())| played).collect()
    }

    /// Calls `visit` with positions of random games, and the same positions on the board.
    fn visit_random_games(games: usize, mut visit: impl FnMut(&Chess, &mut Board)) {
        let mut state = 7_usize;
        let mut random = || {
            state = state.wrapping_mul(0x5DEE_CE66D).wrapping_add(11) & 0xFFFF_FFFF_FFFF;
            state >> 17
        };
        for fen in POSITIONS.iter().cycle().take(games * POSITIONS.len()) {
            let mut chess = position(fen);
            let mut board = Board::of(&chess);
            for _ in 0..80 {
                visit(&chess, &mut board);
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves[random() % moves.len()];
                assert!(board.play_move(played, chess.turn().is_black()));
                assert_eq!(board.last_move(), Some(played));
                chess.play_unchecked(played);
            }
        }
    }

    #[test]
    fn moves_are_listed_as_by_the_library() {
        let mut checks = 0;
        visit_random_games(30, |chess, board| {
            checks += usize::from(board.is_check());
            let expected: Vec<Move> = chess.legal_moves().into_iter().collect();
            assert_eq!(all_moves(board, chess.turn().is_black(), &MoveFilter::NONE), expected, "{chess:?}");
        });
        assert!(checks > 500, "{checks} positions in check");
    }

    /// More than two moves are seen only where there are more. Of moves of the king, all are seen.
    #[test]
    fn choices_that_are_seen_are_there() {
        for (fen, is_choice) in [
            ("7k/8/8/8/8/8/1K5r/7r w - - 0 1", true),
            // The square behind the king is attacked too.
            ("7k/8/8/8/p7/8/1K5r/7r w - - 0 1", false),
        ] {
            assert_eq!(Board::of(&position(fen)).surely_has_choice(false), is_choice, "{fen}");
        }
        let (mut seen, mut overlooked) = (0, 0);
        visit_random_games(30, |chess, board| {
            let has_choice = chess.legal_moves().len() > 2;
            let is_seen = board.surely_has_choice(chess.turn().is_black());
            assert!(has_choice || !is_seen, "{chess:?}");
            (seen, overlooked) = (seen + u32::from(is_seen), overlooked + u32::from(has_choice && !is_seen));
        });
        assert!(seen > 10 * overlooked, "{seen} seen, {overlooked} overlooked");
    }

    #[test]
    fn a_filter_leaves_out_other_moves_only() {
        let mut square = 0;
        visit_random_games(5, |chess, board| {
            square = (square + 23) % 64;
            let touched = super::super::RANK_1 << (square & !7) | FILE_A << (square % 8);
            let filter = MoveFilter { targets: [touched.rotate_left(5); 7], touched };
            let listed = all_moves(board, chess.turn().is_black(), &filter);
            let is_inside = |played: &&Move| match **played {
                Move::Normal { from, to, promotion, .. } => {
                    let (from, to) = (1_u64 << u32::from(from), 1_u64 << u32::from(to));
                    (promotion.is_some() || to & touched.rotate_left(5) != 0) && (from | to) & touched != 0
                }
                _ => true,
            };
            let expected: Vec<Move> = chess.legal_moves().iter().filter(is_inside).copied().collect();
            assert_eq!(listed, expected, "{chess:?}");
        });
    }
}
