//! One step of each kind of piece, from a set of squares at once.

use shakmaty::{Color, Role};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = !0x0303_0303_0303_0303;
const NOT_GH: u64 = !0xC0C0_C0C0_C0C0_C0C0;
pub(super) const BACK_RANKS: u64 = 0xFF00_0000_0000_00FF;

fn diagonal_steps(from: u64) -> u64 {
    let (west, east) = (from & NOT_A, from & NOT_H);
    west << 7 | west >> 9 | east << 9 | east >> 7
}

fn straight_steps(from: u64) -> u64 {
    (from & NOT_A) >> 1 | (from & NOT_H) << 1 | from << 8 | from >> 8
}

pub(super) fn knight_steps(from: u64) -> u64 {
    let (west, far_west, east, far_east) = (from & NOT_A, from & NOT_AB, from & NOT_H, from & NOT_GH);
    west << 15 | west >> 17 | east << 17 | east >> 15 | far_west << 6 | far_west >> 10 | far_east << 10 | far_east >> 6
}

pub(super) fn pawn_attacks(color: Color, from: u64) -> u64 {
    let (west, east) = (from & NOT_A, from & NOT_H);
    color.fold_wb(west << 7 | east << 9, west >> 9 | east >> 7)
}

/// What a promoted piece, which may be a queen or a knight, attacks next to one of `from`.
pub(super) fn promoted_steps(from: u64) -> u64 {
    diagonal_steps(from) | straight_steps(from) | knight_steps(from)
}

/// The squares that sliders on some of `from` attack in one direction, up to the first ones that
/// are `blocked`.
#[inline(always)]
fn slide(from: u64, blocked: u64, step: impl Fn(u64) -> u64) -> u64 {
    let mut seen = 0;
    let mut front = step(from);
    while front & !seen != 0 {
        seen |= front;
        front = step(front & !blocked);
    }
    seen
}

fn diagonals(from: u64, blocked: u64) -> u64 {
    slide(from, blocked, |at| (at & NOT_A) << 7)
        | slide(from, blocked, |at| (at & NOT_A) >> 9)
        | slide(from, blocked, |at| (at & NOT_H) << 9)
        | slide(from, blocked, |at| (at & NOT_H) >> 7)
}

fn straights(from: u64, blocked: u64) -> u64 {
    slide(from, blocked, |at| (at & NOT_A) >> 1)
        | slide(from, blocked, |at| (at & NOT_H) << 1)
        | slide(from, blocked, |at| at << 8)
        | slide(from, blocked, |at| at >> 8)
}

/// All squares that `step` reaches from some of `from`, again and again, on squares that are
/// `open`.
#[inline(always)]
pub(super) fn flood(from: u64, open: u64, step: impl Fn(u64) -> u64) -> u64 {
    let mut reached = from;
    loop {
        let more = reached | (step(reached) & open);
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// The squares that a piece of this kind attacks from one of `from` and that are next on its way.
#[inline(always)]
pub(super) fn steps_of(kind: Role, color: Color, from: u64) -> u64 {
    match kind {
        Role::Pawn => pawn_attacks(color, from),
        Role::Knight => knight_steps(from),
        Role::Bishop => diagonal_steps(from),
        Role::Rook => straight_steps(from),
        Role::Queen | Role::King => diagonal_steps(from) | straight_steps(from),
    }
}

/// The squares that such pieces on `from` attack, up to the first ones that are `blocked`.
pub(super) fn attacks_of(kind: Role, color: Color, from: u64, blocked: u64) -> u64 {
    match kind {
        Role::Pawn | Role::Knight | Role::King => steps_of(kind, color, from),
        Role::Bishop => diagonals(from, blocked),
        Role::Rook => straights(from, blocked),
        Role::Queen => diagonals(from, blocked) | straights(from, blocked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What several pieces reach is what each of them reaches.
    #[test]
    fn steps_of_sets_are_those_of_their_squares() {
        let kinds: [fn(u64) -> u64; 5] = [
            diagonal_steps,
            straight_steps,
            knight_steps,
            |from| pawn_attacks(Color::White, from),
            |from| pawn_attacks(Color::Black, from),
        ];
        for steps in kinds {
            for first in (0..64).map(|square| 1 << square) {
                for second in (0..64).map(|square| 1 << square) {
                    assert_eq!(steps(first | second), steps(first) | steps(second), "{first:#x} {second:#x}");
                }
            }
        }
    }
}
