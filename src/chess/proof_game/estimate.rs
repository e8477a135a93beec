//! How many moves a position is from the starting position, as an estimate.

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use super::{
    assignment::{Assignment, Costs, IMPOSSIBLE, UNITS},
    distances::{Distances, KnownDistances, MOVE},
    kernel::needed_captures,
    retraction::{Manner, Past, Retraction, Rights, king_home, rook_home},
};

/// What a unit costs that is not on the board, by its square in the starting position: it appears
/// somewhere, and goes there.
const MISSING: Costs = {
    let mut costs = [7; UNITS];
    let mut file = 8;
    while file < UNITS {
        costs[file] = 9;
        file += 1;
    }
    costs
};

/// Units of a side and where they come from.
struct Side {
    assignment: Assignment,
    /// The row of the unit on each square.
    rows: [u8; 64],
    units: usize,
    /// Captures by pawns.
    captures: i32,
    role_of: [Role; UNITS],
    square_of: [Square; UNITS],
}

impl Side {
    fn new(past: &Past, color: Color, distances: &Distances) -> Side {
        let mut costs = [MISSING; UNITS];
        let mut rows = [u8::MAX; 64];
        let (mut role_of, mut square_of) = ([Role::Pawn; UNITS], [Square::A1; UNITS]);
        let mut units = 0;
        for square in past.board.by_color(color) {
            if let Some(role) = past.board.role_at(square)
                && units < UNITS
            {
                costs[units] = *distances.costs(role, square);
                rows[usize::from(square)] = units as u8;
                (role_of[units], square_of[units]) = (role, square);
                units += 1;
            }
        }
        let mut side = Side { assignment: Assignment::of(costs), rows, units, captures: 0, role_of, square_of };
        side.captures = (0..units).map(|row| side.captures_of(distances, row, side.assignment.column_of(row))).sum();
        side
    }

    fn captures_of(&self, distances: &Distances, row: usize, column: usize) -> i32 {
        if row < self.units { distances.captures(self.role_of[row], self.square_of[row], column) } else { 0 }
    }

    /// The total and the captures by pawns if a row is another unit.
    fn with_unit(&self, distances: &Distances, row: usize, role: Role, square: Square) -> (i32, i32) {
        let change = self.assignment.with_costs(row, distances.costs(role, square));
        let mut captures = self.captures;
        for &(moved, column) in change.moved() {
            let moved = usize::from(moved);
            captures -= self.captures_of(distances, moved, self.assignment.column_of(moved));
            captures += if moved == row {
                distances.captures(role, square, usize::from(column))
            } else {
                self.captures_of(distances, moved, usize::from(column))
            };
        }
        (change.total, captures)
    }
}

/// The estimate of a position, from which those of positions before it follow.
pub struct Estimate {
    fixed: Bitboard,
    sides: [Side; 2],
}

impl Estimate {
    pub fn of(past: &Past, known: &mut KnownDistances) -> Estimate {
        let distances = known.of(past);
        Estimate { fixed: past.fixed(), sides: Color::ALL.map(|color| Side::new(past, color, &distances[index(color)])) }
    }

    pub fn score(&self, past: &Past) -> Option<i32> {
        score(
            past,
            Color::ALL.map(|color| {
                let side = &self.sides[index(color)];
                (side.assignment.total(), side.captures)
            }),
        )
    }

    /// The score of the position before a move of this one: `None` if it cannot be reached.
    pub fn score_before(&self, now: &Past, retraction: Retraction, past: &Past, known: &mut KnownDistances) -> Option<i32> {
        let mover = !now.turn;
        if matches!(retraction.manner, Manner::Castling(_) | Manner::EnPassant) || past.fixed() != self.fixed {
            return Estimate::of(past, known).score(past);
        }
        let distances = known.of(now);
        let of_mover = &self.sides[index(mover)];
        let row = usize::from(of_mover.rows[usize::from(retraction.from)]);
        let moved = of_mover.with_unit(&distances[index(mover)], row, retraction.role, retraction.to);
        let of_other = &self.sides[index(now.turn)];
        let other = match retraction.manner {
            Manner::Capture(role) => of_other.with_unit(&distances[index(now.turn)], of_other.units, role, retraction.from),
            _ => (of_other.assignment.total(), of_other.captures),
        };
        score(past, if mover == Color::White { [moved, other] } else { [other, moved] })
    }
}

fn index(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// The score of a position, given the assignment and captures by pawns of each side.
fn score(past: &Past, sides: [(i32, i32); 2]) -> Option<i32> {
    let [(white, white_captures), (black, black_captures)] = sides;
    let mut score = white + black;
    if score >= IMPOSSIBLE {
        return None;
    }
    let missing = |color: Color| UNITS as i32 - past.board.by_color(color).count() as i32;
    score += 40 * (white_captures - missing(Color::Black)).max(0);
    score += 40 * (black_captures - missing(Color::White)).max(0);
    // The last move that is taken back is White's.
    let ahead = (white - MISSING_SHARE * missing(Color::White)) / MOVE
        - (black - MISSING_SHARE * missing(Color::Black)) / MOVE
        - i32::from(past.turn == Color::Black);
    if ahead % 2 != 0 && missing(Color::White) + missing(Color::Black) == 0 {
        score += 2 * MOVE;
    }
    score += ahead.abs() / 2;
    for color in Color::ALL {
        let king_is_home = past.board.king_of(color) == Some(king_home(color));
        for side in CastlingSide::ALL {
            let right = Rights::of(color, side);
            if !past.rights.contains(right)
                && !past.lost.contains(right)
                && king_is_home
                && past.board.piece_at(rook_home(color, side)) == Some(color.rook())
            {
                score += 2 * MOVE;
            }
        }
    }
    let needed = needed_captures(&past.board);
    let slack = missing(Color::White) + missing(Color::Black) - needed.max(white_captures + black_captures);
    score += 10 * needed + 40 * (-slack).max(0) + 4 * (2 - slack).max(0);
    score += 8 * crossed(past);
    Some(score)
}

const MISSING_SHARE: i32 = 7;

/// Pairs of pawns of both sides that have passed each other on a file.
fn crossed(past: &Past) -> i32 {
    let white = past.board.by_piece(Color::White.pawn());
    let mut count = 0;
    for pawn in past.board.by_piece(Color::Black.pawn()) {
        let above = Bitboard::from_file(pawn.file()) & !Bitboard((2u64 << u32::from(pawn)) - 1);
        count += (white & above).count() as i32;
    }
    count
}
