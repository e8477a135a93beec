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

#[inline]
fn numbers_are_sound(men: &Men) -> bool {
    let pair = |bishops: Bitboard| bishops.more_than_one();
    let (white, black) = (men.bishops & men.white, men.bishops & men.black);
    let (light, dark) = (Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES);
    let twins = pair(white & light) | pair(white & dark) | pair(black & light) | pair(black & dark);
    (men.census.within_array() && !twins) || promotions_are_sound(men)
}

/// Whether the numbers of men can be explained by promotions.
#[inline(never)]
fn promotions_are_sound(men: &Men) -> bool {
    Color::ALL.into_iter().all(|color| {
        if men.census.men(color) > 16 {
            return false;
        }
        let kinds = men.census.kinds(color);
        let bishops = men.bishops & men.of(color);
        let light = (bishops & Bitboard::LIGHT_SQUARES).count() as u32;
        let promoted = kinds.queens.saturating_sub(1)
            + kinds.rooks.saturating_sub(2)
            + kinds.knights.saturating_sub(2)
            + light.saturating_sub(1)
            + (kinds.bishops - light).saturating_sub(1);
        kinds.kings == 1 && kinds.pawns + promoted <= 8
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
    target.rank() == rank
        && pawn.is_subset(men.pawns & men.of(!turn))
        && ((Bitboard::from(target) | origin) & occupied).is_empty()
        && (attacks::pawn_attacks(turn, king) & origin).is_empty()
        && attackers(&Men { pawns: men.pawns ^ pawn, ..*men }, king, turn, before).is_empty()
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
