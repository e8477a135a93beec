//! Checks that need no earlier position: numbers of pieces, kings and checks, castling rights, en
//! passant, counters.

use shakmaty::{Bitboard, ByColor, Color, File, Rank, Square, attacks};

use super::Position;
use crate::chess::Pieces;

/// The pieces that a set of castling rights needs on their squares.
#[derive(Clone, Copy)]
struct Needed {
    kings: u64,
    rooks: u64,
    white: u64,
    black: u64,
}

const NEEDED: [Needed; 16] = {
    const fn square(square: Square) -> u64 {
        1 << square as u64
    }
    let squares = [(Square::E1, Square::H1), (Square::E1, Square::A1), (Square::E8, Square::H8), (Square::E8, Square::A8)];
    let mut needed = [Needed { kings: 0, rooks: 0, white: 0, black: 0 }; 16];
    let mut rights = 0;
    while rights < 16 {
        let mut right = 0;
        while right < 4 {
            if rights >> right & 1 == 1 {
                let (king, rook) = (square(squares[right].0), square(squares[right].1));
                needed[rights].kings |= king;
                needed[rights].rooks |= rook;
                if right < 2 {
                    needed[rights].white |= king | rook;
                } else {
                    needed[rights].black |= king | rook;
                }
            }
            right += 1;
        }
        rights += 1;
    }
    needed
};

/// What is known about the board of an accepted position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardView {
    pub kings: ByColor<Square>,
    /// The squares that each king sees along ranks and files, and along diagonals.
    pub lines: ByColor<Lines>,
    /// The checking piece, if there is one.
    pub checkers: Bitboard,
    /// Pieces that have not moved: kings and rooks that have a castling right.
    pub unmoved: Bitboard,
    /// The castling rights fit Chess960 or double Chess960, but not the standard starting position.
    pub chess960: bool,
    /// There are more pieces of some kind than at the start.
    pub promoted: bool,
}

impl BoardView {
    /// The same with a king on `from` instead of `to`, if there is one on `to`.
    #[inline]
    pub fn with_king_moved(&self, to: Square, from: Square) -> BoardView {
        BoardView { kings: self.kings.map(|king| if king == to { from } else { king }), ..*self }
    }
}

/// The squares that are seen from a square, up to the first piece on each line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub straight: Bitboard,
    pub diagonal: Bitboard,
}

impl Lines {
    #[inline(always)]
    pub fn from(square: Square, occupied: Bitboard) -> Lines {
        Lines { straight: attacks::rook_attacks(square, occupied), diagonal: attacks::bishop_attacks(square, occupied) }
    }

    /// The lines of both kings.
    #[inline(always)]
    pub fn of(kings: ByColor<Square>, occupied: Bitboard) -> ByColor<Lines> {
        ByColor { white: Lines::from(kings.white, occupied), black: Lines::from(kings.black, occupied) }
    }

    #[inline]
    pub fn all(self) -> Bitboard {
        self.straight | self.diagonal
    }
}

/// Checks everything that needs no earlier position. `None` if anything needs a closer
/// look.
#[inline(always)]
pub(crate) fn view_if_sound(position: &Position) -> Option<BoardView> {
    let pieces = &position.pieces;
    let promoted = has_surplus(pieces, Color::White) | has_surplus(pieces, Color::Black);
    if (promoted && !promotions_are_sound(pieces)) || (pieces.pawns & Bitboard::BACKRANKS).any() {
        return None;
    }
    let king = |color: Color| (pieces.kings & pieces.of(color)).single_square();
    let kings = ByColor { white: king(Color::White)?, black: king(Color::Black)? };
    let needed = NEEDED[usize::from(position.rights & 15)];
    let missing = (needed.kings & !pieces.kings.0)
        | (needed.rooks & !pieces.rooks.0)
        | (needed.white & !pieces.white.0)
        | (needed.black & !pieces.black.0);
    let turn = position.turn;
    let (own, other) = (*kings.get(turn), *kings.get(!turn));
    let lines = Lines::of(kings, pieces.occupied());
    let (unmoved, chess960) = if missing == 0 && position.rook_files == [0; 2] {
        (Bitboard(needed.kings | needed.rooks), false)
    } else {
        (unmoved_in_chess960(position, kings)?, true)
    };
    if attacks::king_attacks(own).contains(other) || attackers(pieces, other, !turn, *lines.get(!turn)).any() {
        return None;
    }
    let checkers = attackers(pieces, own, turn, *lines.get(turn));
    let clock = position.counters.map_or(0, |(clock, _)| clock);
    // Double checks need a closer look, and so do checks by pawns that have not just moved.
    if checkers.more_than_one() | ((clock > 0) & (checkers & pieces.pawns).any()) {
        return None;
    }
    if let Some(target) = position.en_passant
        && !(clock == 0 && checkers.is_empty() && double_step_is_sound(pieces, turn, target, own))
    {
        return None;
    }
    let sound = position.counters.is_none_or(|(clock, number)| counters_are_sound(position, clock, number, promoted));
    sound.then_some(BoardView { kings, lines, checkers, unmoved, chess960, promoted })
}

/// The kings and rooks that have castling rights which fit Chess960 or double Chess960, but not the
/// standard starting position. `None` if one of them is missing, or if the rook of a right is not
/// obvious.
#[inline(never)]
fn unmoved_in_chess960(position: &Position, kings: ByColor<Square>) -> Option<Bitboard> {
    let pieces = &position.pieces;
    let (mut unmoved, mut chess960) = (Bitboard::EMPTY, false);
    for (color, rights, files) in [
        (Color::White, position.rights & 3, position.rook_files[0]),
        (Color::Black, position.rights >> 2, position.rook_files[1]),
    ] {
        let (king, rank) = (*kings.get(color), color.fold_wb(Rank::First, Rank::Eighth));
        let left = Bitboard(Bitboard::from_square(king).0 - 1);
        let rooks = pieces.rooks & pieces.of(color) & Bitboard::from_rank(rank);
        let on_files = Bitboard(u64::from(files) << (8 * rank as u32));
        let mut castling = Bitboard::EMPTY;
        for (right, side) in [(1, !left), (2, left)] {
            if rights & right != 0 {
                castling.add((rooks & side).single_square()?);
            }
            if (on_files & side).more_than_one() {
                return None;
            }
        }
        castling |= on_files;
        if castling.any() {
            if king.rank() != rank || matches!(king.file(), File::A | File::H) || !on_files.is_subset(rooks) {
                return None;
            }
            chess960 |= king.file() != File::E || !castling.is_subset(Bitboard::CORNERS);
            unmoved |= castling.with(king);
        }
    }
    chess960.then_some(unmoved)
}

/// Whether `color` has more than eight pawns, or more pieces of another kind than at the start.
#[inline(always)]
pub(crate) fn has_surplus(pieces: &Pieces, color: Color) -> bool {
    let own = pieces.of(color);
    let more_than_two = |pieces: Bitboard| pieces.without_first().more_than_one();
    let bishops = own & pieces.bishops;
    (own & pieces.queens).more_than_one()
        | more_than_two(own & pieces.rooks)
        | more_than_two(own & pieces.knights)
        | (bishops & Bitboard::LIGHT_SQUARES).more_than_one()
        | (bishops & Bitboard::DARK_SQUARES).more_than_one()
        | (pieces.pawn_count(color) > 8)
}

/// Whether each side has at most eight pawns and promoted pieces. Then it also has at most sixteen
/// pieces.
#[inline(never)]
fn promotions_are_sound(pieces: &Pieces) -> bool {
    Color::ALL.into_iter().all(|color| {
        let beyond = |pieces: Bitboard, originals: usize| pieces.count().saturating_sub(originals);
        let own = pieces.of(color);
        let bishops = own & pieces.bishops;
        let promoted = beyond(own & pieces.queens, 1)
            + beyond(own & pieces.rooks, 2)
            + beyond(own & pieces.knights, 2)
            + beyond(bishops & Bitboard::LIGHT_SQUARES, 1)
            + beyond(bishops & Bitboard::DARK_SQUARES, 1);
        pieces.pawn_count(color) as usize + promoted <= 8
    })
}

/// The pieces that attack the king of `color` on `king`, which sees `lines`.
#[inline(always)]
pub(crate) fn attackers(pieces: &Pieces, king: Square, color: Color, lines: Lines) -> Bitboard {
    let near = (attacks::knight_attacks(king) & pieces.knights) | (attacks::pawn_attacks(color, king) & pieces.pawns);
    let far = (lines.straight & pieces.straight()) | (lines.diagonal & pieces.diagonal());
    (near | far) & pieces.of(!color)
}

/// The square and the origin of the pawn that passed `target`.
#[inline]
pub(crate) fn double_step(turn: Color, target: Square) -> Option<(Square, Square)> {
    let forward = if turn.is_white() { -8 } else { 8 };
    target.offset(forward).zip(target.offset(-forward))
}

/// Whether the last move can have been the two-square advance over `target`, without a check before
/// it.
#[inline]
fn double_step_is_sound(pieces: &Pieces, turn: Color, target: Square, king: Square) -> bool {
    let Some((pawn, origin)) = double_step(turn, target) else { return false };
    let free = !pieces.occupied();
    if target.rank() != turn.fold_wb(Rank::Sixth, Rank::Third)
        || !(pieces.pawns & pieces.of(!turn)).contains(pawn)
        || !free.contains(target)
        || !free.contains(origin)
    {
        return false;
    }
    let before = pieces.moved(pawn, origin);
    attackers(&before, king, turn, Lines::from(king, before.occupied())).is_empty()
}

#[inline(always)]
fn counters_are_sound(position: &Position, clock: u32, number: u32, promoted: bool) -> bool {
    // Clocks of 100 and more can have findings. Longer numbers are not read at all.
    if clock >= 100 || number == 0 {
        return false;
    }
    let plies = 2 * (number - 1) + u32::from(position.turn.is_black());
    clock <= plies
        && !(number == 1 && position.turn.is_white() && position.en_passant.is_some())
        && moves_suffice(position, clock, number, promoted)
}

/// Whether both sides have made enough moves for their pawns, their captures and the clock (CTR06).
#[inline(always)]
fn moves_suffice(position: &Position, clock: u32, number: u32, promoted: bool) -> bool {
    // Placeholder counters prove nothing. Pawns and promoted pieces need at most 40 moves of a
    // side, captures 15.
    if (number == 1 && clock <= 1) || number > 41 + clock / 2 {
        return true;
    }
    !promoted
        && moves_of_side_suffice(position, clock, number, Color::White)
        && moves_of_side_suffice(position, clock, number, Color::Black)
}

/// The same for one side.
#[inline(always)]
fn moves_of_side_suffice(position: &Position, clock: u32, number: u32, color: Color) -> bool {
    let pieces = &position.pieces;
    let pawns = (pieces.pawns & pieces.of(color)).0;
    let pawns = if color.is_white() { pawns } else { pawns.swap_bytes() };
    // One move for each pawn beyond the second rank, and one for each rank beyond the fourth.
    let beyond = |rank: u32| (pawns >> (8 * rank)).count_ones();
    let moves = beyond(2) + beyond(4) + beyond(5) + beyond(6);
    let captures = 16u32.saturating_sub(pieces.count(!color));
    let (made, share) =
        if color == position.turn { (number - 1, clock / 2) } else { (number - u32::from(color.is_black()), clock.div_ceil(2)) };
    made >= moves.max(captures) + share
}
