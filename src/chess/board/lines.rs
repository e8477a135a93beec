//! Tables of squares: where men reach on an empty board, and what lies between and behind two squares.

use super::{BISHOP, KING, KNIGHT, QUEEN, ROOK};

/// A way to move: men other than pawns have one each, by their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way(u16);

impl Way {
    /// Pawns that go straight on, by side.
    pub(super) const PUSH: [Way; 2] = [Way(7 << 6), Way(8 << 6)];
    /// Pawns that take, by side.
    pub(super) const TAKE: [Way; 2] = [Way(9 << 6), Way(10 << 6)];

    /// The way of a man that is no pawn.
    #[inline(always)]
    pub(super) const fn of(kind: u8) -> Way {
        Way((kind as u16) << 6)
    }

    /// The same, but a pawn that goes straight on takes instead, if `takes` is 1.
    #[inline(always)]
    pub(super) const fn taking(self, takes: u16) -> Way {
        Way(self.0 + (takes << 7))
    }

    /// The squares from which a man moves to a square in this way, were there no other men.
    #[inline(always)]
    pub(super) const fn to(self, square: usize) -> u64 {
        REACH[(self.0 as usize | square) % REACH.len()]
    }
}

/// The squares between two that lie on one line; none where they do not.
#[inline(always)]
pub(super) const fn between(one: usize, other: usize) -> u64 {
    BETWEEN[(one << 6 | other) % BETWEEN.len()]
}

/// The squares behind the second of two that lie on one line, seen from the first; none where they do not.
#[inline(always)]
pub(super) const fn behind(one: usize, other: usize) -> u64 {
    BEHIND[(one << 6 | other) % BEHIND.len()]
}

/// [`Way::to`], by way and square.
static REACH: [u64; 16 << 6] = {
    let mut reach = [0; 16 << 6];
    let mut to = 0;
    while to < 64 {
        reach[Way::of(KNIGHT).0 as usize | to] =
            leaps(to, &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
        reach[Way::of(KING).0 as usize | to] = leaps(to, &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
        let diagonal = ray(to, 1, 1) | ray(to, 1, -1) | ray(to, -1, -1) | ray(to, -1, 1);
        let straight = ray(to, 0, 1) | ray(to, 0, -1) | ray(to, 1, 0) | ray(to, -1, 0);
        reach[Way::of(BISHOP).0 as usize | to] = diagonal;
        reach[Way::of(ROOK).0 as usize | to] = straight;
        reach[Way::of(QUEEN).0 as usize | to] = diagonal | straight;
        let rank = to / 8;
        if rank >= 2 {
            reach[Way::PUSH[0].0 as usize | to] = 1 << (to - 8) | if rank == 3 { 1 << (to - 16) } else { 0 };
        }
        if rank <= 5 {
            reach[Way::PUSH[1].0 as usize | to] = 1 << (to + 8) | if rank == 4 { 1 << (to + 16) } else { 0 };
        }
        // From everywhere: the same table tells which squares a pawn of the other side attacks.
        reach[Way::TAKE[0].0 as usize | to] = leaps(to, &[(-1, -1), (1, -1)]);
        reach[Way::TAKE[1].0 as usize | to] = leaps(to, &[(-1, 1), (1, 1)]);
        to += 1;
    }
    reach
};

/// [`between`], by both squares.
static BETWEEN: [u64; 64 << 6] = {
    let mut between = [0; 64 << 6];
    let mut one = 0;
    while one < 64 {
        let mut index = 0;
        while index < 8 {
            let (files, ranks) = DIRECTIONS[index];
            let (mut at, mut passed) = (step(one, files, ranks), 0);
            while let Some(other) = at {
                between[one << 6 | other] = passed;
                passed |= 1 << other;
                at = step(other, files, ranks);
            }
            index += 1;
        }
        one += 1;
    }
    between
};

/// [`behind`], by both squares.
static BEHIND: [u64; 64 << 6] = {
    let mut behind = [0; 64 << 6];
    let mut one = 0;
    while one < 64 {
        let mut index = 0;
        while index < 8 {
            let (files, ranks) = DIRECTIONS[index];
            let mut at = step(one, files, ranks);
            while let Some(other) = at {
                behind[one << 6 | other] = ray(other, files, ranks);
                at = step(other, files, ranks);
            }
            index += 1;
        }
        one += 1;
    }
    behind
};

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

const fn step(from: usize, files: i32, ranks: i32) -> Option<usize> {
    let (file, rank) = (from as i32 % 8 + files, from as i32 / 8 + ranks);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some((rank * 8 + file) as usize) }
}

const fn ray(from: usize, files: i32, ranks: i32) -> u64 {
    let mut squares = 0;
    let mut at = step(from, files, ranks);
    while let Some(square) = at {
        squares |= 1 << square;
        at = step(square, files, ranks);
    }
    squares
}

const fn leaps(from: usize, by: &[(i32, i32)]) -> u64 {
    let mut squares = 0;
    let mut index = 0;
    while index < by.len() {
        if let Some(square) = step(from, by[index].0, by[index].1) {
            squares |= 1 << square;
        }
        index += 1;
    }
    squares
}
