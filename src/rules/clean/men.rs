//! What needs no looking back: the numbers of men, the kings and what attacks them, castling rights, en passant, counters.

use shakmaty::{Bitboard, Color, Rank, Square, attacks};

use super::Position;
use crate::chess::Men;

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

/// Whether everything can be as it is written, as far as no move is taken back.
#[inline]
pub(super) fn are_sound(position: &Position) -> bool {
    let men = &position.men;
    if !numbers_are_sound(men) || (men.pawns & Bitboard::BACKRANKS).any() {
        return false;
    }
    let turn = position.turn;
    let (Some(own), Some(other)) = ((men.kings & men.of(turn)).first(), (men.kings & men.of(!turn)).first()) else {
        return false;
    };
    let needed = NEEDED[usize::from(position.rights & 15)];
    let missing = (needed.kings & !men.kings.0)
        | (needed.rooks & !men.rooks.0)
        | (needed.white & !men.white.0)
        | (needed.black & !men.black.0);
    if missing != 0 || attacks::king_attacks(own).contains(other) || attackers(men, other, !turn, men.occupied()).any() {
        return false;
    }
    let checkers = attackers(men, own, turn, men.occupied());
    let clock = position.counters.map_or(0, |(clock, _)| clock);
    // Two checkers need a closer look, and so does a pawn that has not just moved.
    if checkers.more_than_one() || (clock > 0 && (checkers & men.pawns).any()) {
        return false;
    }
    if let Some(target) = position.en_passant
        && !(clock == 0 && checkers.is_empty() && double_step_is_sound(men, turn, target, own))
    {
        return false;
    }
    position.counters.is_none_or(|(clock, number)| counters_are_sound(position, clock, number))
}

/// Whether there is one king of each colour, and the numbers of men can be explained by promotions.
#[inline]
fn numbers_are_sound(men: &Men) -> bool {
    let beyond_two = |men: Bitboard| men.without_first().more_than_one();
    let beyond_array = |color: Color| {
        let own = men.of(color);
        let bishops = own & men.bishops;
        (own & men.queens).more_than_one()
            | beyond_two(own & men.rooks)
            | beyond_two(own & men.knights)
            | (bishops & Bitboard::LIGHT_SQUARES).more_than_one()
            | (bishops & Bitboard::DARK_SQUARES).more_than_one()
            | (men.number_of_pawns(color) > 8)
    };
    let kings = [men.kings & men.white, men.kings & men.black];
    kings.into_iter().all(|king| king.any() && !king.more_than_one())
        && (!(beyond_array(Color::White) | beyond_array(Color::Black)) || promotions_are_sound(men))
}

/// Whether no colour has more promoted men and pawns than it had pawns at first; then it has no more than sixteen men either.
#[inline(never)]
fn promotions_are_sound(men: &Men) -> bool {
    Color::ALL.into_iter().all(|color| {
        let beyond = |men: Bitboard, originals: usize| men.count().saturating_sub(originals);
        let own = men.of(color);
        let bishops = own & men.bishops;
        let promoted = beyond(own & men.queens, 1)
            + beyond(own & men.rooks, 2)
            + beyond(own & men.knights, 2)
            + beyond(bishops & Bitboard::LIGHT_SQUARES, 1)
            + beyond(bishops & Bitboard::DARK_SQUARES, 1);
        men.number_of_pawns(color) as usize + promoted <= 8
    })
}

/// The men that attack the king of `color` on `king`.
#[inline]
fn attackers(men: &Men, king: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let near = (attacks::knight_attacks(king) & men.knights) | (attacks::pawn_attacks(color, king) & men.pawns);
    let far =
        (attacks::rook_attacks(king, occupied) & men.straight()) | (attacks::bishop_attacks(king, occupied) & men.diagonal());
    (near | far) & men.of(!color)
}

/// Whether the last move can have been the double step over `target`, which gives no check.
fn double_step_is_sound(men: &Men, turn: Color, target: Square, king: Square) -> bool {
    let (rank, forward) = if turn.is_white() { (Rank::Sixth, -8) } else { (Rank::Third, 8) };
    let (Some(pawn), Some(origin)) = (target.offset(forward), target.offset(-forward)) else { return false };
    let (pawn, origin) = (Bitboard::from(pawn), Bitboard::from(origin));
    let occupied = men.occupied();
    let before = (occupied ^ pawn) | origin;
    let mut without_pawn = *men;
    without_pawn.pawns ^= pawn;
    target.rank() == rank
        && pawn.is_subset(men.pawns & men.of(!turn))
        && ((Bitboard::from(target) | origin) & occupied).is_empty()
        && (attacks::pawn_attacks(turn, king) & origin).is_empty()
        && attackers(&without_pawn, king, turn, before).is_empty()
}

#[inline]
fn counters_are_sound(position: &Position, clock: u32, number: u32) -> bool {
    // From 100 plies on, and beyond the longest game that can be, there is something to be said.
    if clock >= 100 || !(1..=8848).contains(&number) {
        return false;
    }
    let plies = 2 * (number - 1) + u32::from(position.turn.is_black());
    clock <= plies && !(number == 1 && position.turn.is_white() && position.en_passant.is_some())
}
