//! Tables of squares: where men reach on an empty board, and what lies between and behind two squares.

use super::{BISHOP, KING, KNIGHT, QUEEN, ROOK};

/// What a move does, as an index of [`REACH`]: men other than pawns move in one way only, and have the index of their kind.
pub(super) const PUSH: [u8; 2] = [7, 8];
/// The same for pawns that take.
pub(super) const TAKE: [u8; 2] = [9, 10];

/// A set of squares for each square.
pub(super) type Squares = [u64; 64];

/// The squares from which a man gets to a square, were there no other men; first by what moves and how, then by the square.
pub(super) static REACH: [Squares; 16] = {
    let mut reach = [[0; 64]; 16];
    let mut to = 0;
    while to < 64 {
        reach[KNIGHT as usize][to] = leaps(to, &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
        reach[KING as usize][to] = leaps(to, &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
        let diagonal = ray(to, 1, 1) | ray(to, 1, -1) | ray(to, -1, -1) | ray(to, -1, 1);
        let straight = ray(to, 0, 1) | ray(to, 0, -1) | ray(to, 1, 0) | ray(to, -1, 0);
        reach[BISHOP as usize][to] = diagonal;
        reach[ROOK as usize][to] = straight;
        reach[QUEEN as usize][to] = diagonal | straight;
        let rank = to / 8;
        if rank >= 2 {
            reach[PUSH[0] as usize][to] = 1 << (to - 8) | if rank == 3 { 1 << (to - 16) } else { 0 };
        }
        if rank <= 5 {
            reach[PUSH[1] as usize][to] = 1 << (to + 8) | if rank == 4 { 1 << (to + 16) } else { 0 };
        }
        // From everywhere: the same table tells which squares a pawn of the other side attacks.
        reach[TAKE[0] as usize][to] = leaps(to, &[(-1, -1), (1, -1)]);
        reach[TAKE[1] as usize][to] = leaps(to, &[(-1, 1), (1, 1)]);
        to += 1;
    }
    reach
};

/// The squares between two that lie on one line; none where they do not.
pub(super) static BETWEEN: [Squares; 64] = {
    let mut between = [[0; 64]; 64];
    let mut one = 0;
    while one < 64 {
        let mut index = 0;
        while index < 8 {
            let (files, ranks) = DIRECTIONS[index];
            let (mut at, mut passed) = (step(one, files, ranks), 0);
            while let Some(other) = at {
                between[one][other] = passed;
                passed |= 1 << other;
                at = step(other, files, ranks);
            }
            index += 1;
        }
        one += 1;
    }
    between
};

/// The squares behind the second of two that lie on one line, seen from the first; none where they do not.
pub(super) static BEHIND: [Squares; 64] = {
    let mut behind = [[0; 64]; 64];
    let mut one = 0;
    while one < 64 {
        let mut index = 0;
        while index < 8 {
            let (files, ranks) = DIRECTIONS[index];
            let mut at = step(one, files, ranks);
            while let Some(other) = at {
                behind[one][other] = ray(other, files, ranks);
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
