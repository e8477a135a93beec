//! What needs no looking back: the numbers of men, the kings and what attacks them, castling rights, en passant, counters.

use shakmaty::{Bitboard, ByColor, Color, File, Rank, Square, attacks};

use super::Position;
use crate::chess::Pieces;

/// The men that a set of castling rights needs on their squares.
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

/// What was seen on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub kings: ByColor<Square>,
    /// What each king sees along ranks and files, and along diagonals.
    pub lines: ByColor<Lines>,
    /// The one man that gives check, if one does.
    pub checkers: Bitboard,
    /// Pieces that have not moved: kings and rooks that hold a castling right.
    pub unmoved: Bitboard,
    /// The castling rights are those of an array of Chess960 or double Chess960, and not of the standard one.
    pub chess960: bool,
    /// There are more men of some kind than an array has.
    pub promoted: bool,
}

impl Seen {
    /// The kings before one that may stand on `to` came from `from`.
    pub fn with_king_moved(&self, to: Square, from: Square) -> Seen {
        Seen { kings: self.kings.map(|king| if king == to { from } else { king }), ..*self }
    }
}

/// The squares that are seen from a square, up to the first man on each line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines {
    pub straight: Bitboard,
    pub diagonal: Bitboard,
}

impl Lines {
    #[inline(always)]
    pub fn from(square: Square, occupied: Bitboard) -> Lines {
        Lines { straight: attacks::rook_attacks(square, occupied), diagonal: attacks::bishop_attacks(square, occupied) }
    }

    /// What both kings see.
    #[inline(always)]
    pub fn of(kings: ByColor<Square>, occupied: Bitboard) -> ByColor<Lines> {
        ByColor { white: Lines::from(kings.white, occupied), black: Lines::from(kings.black, occupied) }
    }

    pub fn all(self) -> Bitboard {
        self.straight | self.diagonal
    }
}

/// Looks whether everything can be as it is written, as far as no move is taken back.
#[inline(always)]
pub(super) fn look(position: &Position) -> Option<Seen> {
    let men = &position.men;
    let promoted = beyond_array(men, Color::White) | beyond_array(men, Color::Black);
    if (promoted && !promotions_are_sound(men)) || (men.pawns & Bitboard::BACKRANKS).any() {
        return None;
    }
    let king = |color: Color| (men.kings & men.of(color)).single_square();
    let kings = ByColor { white: king(Color::White)?, black: king(Color::Black)? };
    let needed = NEEDED[usize::from(position.rights & 15)];
    let missing = (needed.kings & !men.kings.0)
        | (needed.rooks & !men.rooks.0)
        | (needed.white & !men.white.0)
        | (needed.black & !men.black.0);
    let turn = position.turn;
    let (own, other) = (*kings.get(turn), *kings.get(!turn));
    let lines = Lines::of(kings, men.occupied());
    let (unmoved, chess960) = if missing == 0 && position.rook_files == [0; 2] {
        (Bitboard(needed.kings | needed.rooks), false)
    } else {
        (unmoved_in_chess960(position, kings)?, true)
    };
    if attacks::king_attacks(own).contains(other) || attackers(men, other, !turn, *lines.get(!turn)).any() {
        return None;
    }
    let checkers = attackers(men, own, turn, *lines.get(turn));
    let clock = position.counters.map_or(0, |(clock, _)| clock);
    // Two checkers need a closer look, and so does a pawn that has not just moved.
    if checkers.more_than_one() | ((clock > 0) & (checkers & men.pawns).any()) {
        return None;
    }
    if let Some(target) = position.en_passant
        && !(clock == 0 && checkers.is_empty() && double_step_is_sound(men, turn, target, own))
    {
        return None;
    }
    let sound = position.counters.is_none_or(|(clock, number)| counters_are_sound(position, clock, number, promoted));
    sound.then_some(Seen { kings, lines, checkers, unmoved, chess960, promoted })
}

/// The kings and rooks that hold castling rights which fit an array of Chess960 or double Chess960 and not the standard one. `None` where one
/// of them is not there; where one of two rooks holds a right, it takes a closer look to tell which.
#[inline(never)]
fn unmoved_in_chess960(position: &Position, kings: ByColor<Square>) -> Option<Bitboard> {
    let men = &position.men;
    let (mut unmoved, mut chess960) = (Bitboard::EMPTY, false);
    for (color, rights, files) in [
        (Color::White, position.rights & 3, position.rook_files[0]),
        (Color::Black, position.rights >> 2, position.rook_files[1]),
    ] {
        let (king, rank) = (*kings.get(color), color.fold_wb(Rank::First, Rank::Eighth));
        let left = Bitboard(Bitboard::from_square(king).0 - 1);
        let rooks = men.rooks & men.of(color) & Bitboard::from_rank(rank);
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

/// Whether `color` has more than eight pawns, or more men of another kind than an array.
#[inline(always)]
fn beyond_array(men: &Pieces, color: Color) -> bool {
    let own = men.of(color);
    let beyond_two = |men: Bitboard| men.without_first().more_than_one();
    let bishops = own & men.bishops;
    (own & men.queens).more_than_one()
        | beyond_two(own & men.rooks)
        | beyond_two(own & men.knights)
        | (bishops & Bitboard::LIGHT_SQUARES).more_than_one()
        | (bishops & Bitboard::DARK_SQUARES).more_than_one()
        | (men.pawn_count(color) > 8)
}

/// Whether no colour has more promoted men and pawns than it had pawns at first; then it has no more than sixteen men either.
#[inline(never)]
fn promotions_are_sound(men: &Pieces) -> bool {
    Color::ALL.into_iter().all(|color| {
        let beyond = |men: Bitboard, originals: usize| men.count().saturating_sub(originals);
        let own = men.of(color);
        let bishops = own & men.bishops;
        let promoted = beyond(own & men.queens, 1)
            + beyond(own & men.rooks, 2)
            + beyond(own & men.knights, 2)
            + beyond(bishops & Bitboard::LIGHT_SQUARES, 1)
            + beyond(bishops & Bitboard::DARK_SQUARES, 1);
        men.pawn_count(color) as usize + promoted <= 8
    })
}

/// The men that attack the king of `color` on `king`, which sees `lines`.
#[inline(always)]
pub(super) fn attackers(men: &Pieces, king: Square, color: Color, lines: Lines) -> Bitboard {
    let near = (attacks::knight_attacks(king) & men.knights) | (attacks::pawn_attacks(color, king) & men.pawns);
    let far = (lines.straight & men.straight()) | (lines.diagonal & men.diagonal());
    (near | far) & men.of(!color)
}

/// Where the pawn stands that has passed over `target`, and where it came from.
pub(super) fn double_step(turn: Color, target: Square) -> Option<(Square, Square)> {
    let forward = if turn.is_white() { -8 } else { 8 };
    target.offset(forward).zip(target.offset(-forward))
}

/// Whether the last move can have been the double step over `target`, which gives no check.
fn double_step_is_sound(men: &Pieces, turn: Color, target: Square, king: Square) -> bool {
    let Some((pawn, origin)) = double_step(turn, target) else { return false };
    let free = !men.occupied();
    if target.rank() != turn.fold_wb(Rank::Sixth, Rank::Third)
        || !(men.pawns & men.of(!turn)).contains(pawn)
        || !free.contains(target)
        || !free.contains(origin)
    {
        return false;
    }
    let before = men.moved(pawn, origin);
    attackers(&before, king, turn, Lines::from(king, before.occupied())).is_empty()
}

#[inline(always)]
fn counters_are_sound(position: &Position, clock: u32, number: u32, promoted: bool) -> bool {
    // From 100 plies on there is something to be said; moves beyond the longest game that can be are not read at all.
    if clock >= 100 || number == 0 {
        return false;
    }
    let plies = 2 * (number - 1) + u32::from(position.turn.is_black());
    clock <= plies
        && !(number == 1 && position.turn.is_white() && position.en_passant.is_some())
        && moves_suffice(position, clock, number, promoted)
}

/// Whether both sides have made moves enough for their pawns, their captures and the clock (CTR06).
#[inline(always)]
fn moves_suffice(position: &Position, clock: u32, number: u32, promoted: bool) -> bool {
    // Such counters say nothing. Pawns and promoted men take 40 moves of a side at most, captures 15.
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
    let men = &position.men;
    let pawns = (men.pawns & men.of(color)).0;
    let pawns = if color.is_white() { pawns } else { pawns.swap_bytes() };
    // A move each beyond the second rank, and one for each rank beyond the fourth.
    let beyond = |rank: u32| (pawns >> (8 * rank)).count_ones();
    let moves = beyond(2) + beyond(4) + beyond(5) + beyond(6);
    let captures = 16u32.saturating_sub(men.count(!color));
    let (made, share) =
        if color == position.turn { (number - 1, clock / 2) } else { (number - u32::from(color.is_black()), clock.div_ceil(2)) };
    made >= moves.max(captures) + share
}
