//! Kinds of pieces as numbers, and tables of squares: where pieces can go on an empty board, and
//! what is between or beyond two squares.
//!
//! The tables of the fast board are references to constants. The address of a static would have to
//! be looked up in another table each time, because this is a library.

/// Kinds of pieces, as indices. The numbers of 1 and above are those of [`shakmaty::Role`].
pub(super) const NONE: u8 = 0;
pub(super) const PAWN: u8 = 1;
pub(super) const KNIGHT: u8 = 2;
pub(super) const BISHOP: u8 = 3;
pub(super) const ROOK: u8 = 4;
pub(super) const QUEEN: u8 = 5;
pub(super) const KING: u8 = 6;

pub(super) const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;
pub(super) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(super) const RANK_1: u64 = 0xFF;

/// The squares that a disambiguation byte names: a file, a rank, or all squares for 0. None for
/// other bytes.
pub(super) const fn squares_named(byte: u8) -> u64 {
    match byte {
        0 => u64::MAX,
        b'a'..=b'h' => FILE_A << (byte - b'a'),
        b'1'..=b'8' => RANK_1 << (8 * (byte - b'1')),
        _ => 0,
    }
}

/// Whether pieces of this kind move along lines.
#[inline(always)]
pub(super) const fn slides(kind: u8) -> bool {
    kind.wrapping_sub(BISHOP) <= QUEEN - BISHOP
}

/// All bits if `yes`, otherwise none.
#[inline(always)]
pub(super) const fn mask(yes: bool) -> u64 {
    (yes as u64).wrapping_neg()
}

/// How a piece moves. Every kind of piece but the pawn has one movement; pawns have two per side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Movement(u16);

impl Movement {
    /// Pawn advances, by side.
    pub(super) const PUSH: [Movement; 2] = [Movement(7 << 6), Movement(8 << 6)];
    /// Pawn captures, by side.
    pub(super) const CAPTURE: [Movement; 2] = [Movement(9 << 6), Movement(10 << 6)];

    /// The movement of a kind of piece other than the pawn.
    #[inline(always)]
    pub(super) const fn of(kind: u8) -> Movement {
        Movement((kind as u16) << 6)
    }

    /// The movement of a kind of piece of side `side`. Only pawns capture in another way.
    #[inline(always)]
    pub(super) const fn of_mover(kind: u8, side: usize, captures: bool) -> Movement {
        match (kind, captures) {
            (PAWN, true) => Movement::CAPTURE[side],
            (PAWN, false) => Movement::PUSH[side],
            _ => Movement::of(kind),
        }
    }

    /// The squares from which a piece reaches `square` in this way on an empty board.
    #[inline(always)]
    pub(super) const fn to(self, square: usize) -> u64 {
        REACH[(self.0 as usize | square) % REACH.len()]
    }
}

/// The squares between two squares of a line. Empty if they are not on one line.
#[inline(always)]
pub(super) const fn between(one: usize, other: usize) -> u64 {
    BETWEEN[(one << 6 | other) % BETWEEN.len()]
}

/// The squares beyond the second of two squares of a line, seen from the first. Empty if they are
/// not on one line.
#[inline(always)]
pub(super) const fn beyond(one: usize, other: usize) -> u64 {
    BEYOND[(one << 6 | other) % BEYOND.len()]
}

/// [`Movement::to`], by movement and square.
const REACH: &[u64; 16 << 6] = &{
    let mut reach = [0; 16 << 6];
    let mut to = 0;
    while to < 64 {
        reach[Movement::of(KNIGHT).0 as usize | to] =
            leaps(to, &[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
        reach[Movement::of(KING).0 as usize | to] =
            leaps(to, &[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
        let diagonal = ray(to, 1, 1) | ray(to, 1, -1) | ray(to, -1, -1) | ray(to, -1, 1);
        let straight = ray(to, 0, 1) | ray(to, 0, -1) | ray(to, 1, 0) | ray(to, -1, 0);
        reach[Movement::of(BISHOP).0 as usize | to] = diagonal;
        reach[Movement::of(ROOK).0 as usize | to] = straight;
        reach[Movement::of(QUEEN).0 as usize | to] = diagonal | straight;
        let rank = to / 8;
        if rank >= 2 {
            reach[Movement::PUSH[0].0 as usize | to] = 1 << (to - 8) | if rank == 3 { 1 << (to - 16) } else { 0 };
        }
        if rank <= 5 {
            reach[Movement::PUSH[1].0 as usize | to] = 1 << (to + 8) | if rank == 4 { 1 << (to + 16) } else { 0 };
        }
        // For all ranks, because this table also gives the squares that a pawn of the other side
        // attacks.
        reach[Movement::CAPTURE[0].0 as usize | to] = leaps(to, &[(-1, -1), (1, -1)]);
        reach[Movement::CAPTURE[1].0 as usize | to] = leaps(to, &[(-1, 1), (1, 1)]);
        to += 1;
    }
    reach
};

/// [`between`], by both squares.
const BETWEEN: &[u64; 64 << 6] = &{
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

/// [`beyond`], by both squares.
const BEYOND: &[u64; 64 << 6] = &{
    let mut beyond = [0; 64 << 6];
    let mut one = 0;
    while one < 64 {
        let mut index = 0;
        while index < 8 {
            let (files, ranks) = DIRECTIONS[index];
            let mut at = step(one, files, ranks);
            while let Some(other) = at {
                beyond[one << 6 | other] = ray(other, files, ranks);
                at = step(other, files, ranks);
            }
            index += 1;
        }
        one += 1;
    }
    beyond
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
