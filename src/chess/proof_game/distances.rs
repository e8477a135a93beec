//! How far each kind of unit is from the squares of the starting position, if only what has not
//! moved is in the way.

use rustc_hash::FxHashMap;
use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Role, Square, attacks};

use super::{
    assignment::{Costs, IMPOSSIBLE, UNITS},
    retraction::{Past, king_home},
};

/// The cost of a move.
pub const MOVE: i32 = 4;

/// What a capture by a pawn costs in addition: captures are few.
pub const PAWN_CAPTURE: i32 = 4;

/// Kept at once, for about 40 kB each.
const MAX_KEPT: usize = 1000;

/// The costs of a unit of each kind on each square, and the captures by pawns among them.
pub struct Distances {
    costs: Box<[[Costs; 64]; 6]>,
    captures: Box<[[[u8; UNITS]; 64]; 6]>,
}

impl Distances {
    pub fn costs(&self, role: Role, square: Square) -> &Costs {
        &self.costs[role as usize - 1][usize::from(square)]
    }

    pub fn captures(&self, role: Role, square: Square, target: usize) -> i32 {
        i32::from(self.captures[role as usize - 1][usize::from(square)][target])
    }

    /// The distances of a side. `board` is of a position with these unmoved pieces and pawns.
    fn new(color: Color, fixed: Bitboard, board: &Board) -> Distances {
        let mut distances =
            Distances { costs: Box::new([[[IMPOSSIBLE as u16; UNITS]; 64]; 6]), captures: Box::new([[[0; UNITS]; 64]; 6]) };
        let enemy = !color;
        let mut attacked = Bitboard::EMPTY;
        for pawn in fixed & board.by_piece(enemy.pawn()) {
            attacked |= attacks::pawn_attacks(enemy, pawn);
        }
        let start = Board::default();
        for target in 0..8 {
            let home = Square::from_coords(File::new(target as u32), color.backrank());
            let Some(role) = start.role_at(home) else { continue };
            let blocked = if role == Role::King { fixed | attacked } else { fixed };
            let moves = ways(role, home, blocked);
            for square in Square::ALL {
                distances.set(role, square, target, cost_of(moves[usize::from(square)]), 0);
            }
        }
        // From squares of a king that has not moved, pawns would have given check.
        let mut closed = fixed;
        if fixed.contains(king_home(enemy)) {
            closed |= attacks::pawn_attacks(enemy, king_home(enemy));
        }
        let homes: Vec<[(i32, u8); 64]> = (0..8).map(|file| pawn_ways(color, File::new(file), fixed, closed)).collect();
        for (file, ways) in homes.iter().enumerate() {
            for square in Square::ALL {
                let (cost, captures) = ways[usize::from(square)];
                distances.set(Role::Pawn, square, 8 + file, cost, captures);
            }
        }
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for file in File::ALL {
                let promoted_on = Square::from_coords(file, color.relative_rank(Rank::Eighth));
                let moves = ways(role, promoted_on, fixed);
                for square in Square::ALL {
                    let there = cost_of(moves[usize::from(square)]);
                    if there >= IMPOSSIBLE {
                        continue;
                    }
                    for (home, ways) in homes.iter().enumerate() {
                        let (cost, captures) = ways[usize::from(promoted_on)];
                        if there + cost < i32::from(distances.costs(role, square)[8 + home]) {
                            distances.set(role, square, 8 + home, there + cost, captures);
                        }
                    }
                }
            }
        }
        distances
    }

    fn set(&mut self, role: Role, square: Square, target: usize, cost: i32, captures: u8) {
        self.costs[role as usize - 1][usize::from(square)][target] = cost.min(IMPOSSIBLE) as u16;
        self.captures[role as usize - 1][usize::from(square)][target] = captures;
    }
}

fn cost_of(moves: u8) -> i32 {
    if moves == u8::MAX { IMPOSSIBLE } else { i32::from(moves) * MOVE }
}

/// Moves of a piece between a square and each other one. What stays where it is may be at its own
/// square.
fn ways(role: Role, end: Square, blocked: Bitboard) -> [u8; 64] {
    let mut moves = [u8::MAX; 64];
    moves[usize::from(end)] = 0;
    if blocked.contains(end) {
        return moves;
    }
    let mut reached = Bitboard::from_square(end);
    let mut edge = reached;
    let mut count = 0;
    while edge.any() {
        let mut next = Bitboard::EMPTY;
        for square in edge {
            next |= attacks::attacks(square, Piece { color: Color::White, role }, blocked);
        }
        edge = next & !reached & !blocked;
        reached |= edge;
        count += 1;
        for square in edge {
            moves[usize::from(square)] = count;
        }
    }
    moves
}

/// Costs and captures of a pawn between its square at home and each other one. On the last rank it
/// is promoted.
fn pawn_ways(color: Color, file: File, fixed: Bitboard, closed: Bitboard) -> [(i32, u8); 64] {
    let mut ways = [(IMPOSSIBLE, 0); 64];
    let home = Square::from_coords(file, color.relative_rank(Rank::Second));
    ways[usize::from(home)] = (0, 0);
    if fixed.contains(home) {
        return ways;
    }
    for rank in Rank::ALL.into_iter().skip(2) {
        for file in File::ALL {
            let square = Square::from_coords(file, color.relative_rank(rank));
            if closed.contains(square) {
                continue;
            }
            let below = Square::from_coords(file, color.relative_rank(Rank::ALL[rank as usize - 1]));
            let mut best = ways[usize::from(below)];
            if rank == Rank::Fourth && !closed.contains(below) {
                best = best.min(ways[usize::from(Square::from_coords(file, color.relative_rank(Rank::Second)))]);
            }
            for beside in attacks::pawn_attacks(!color, square) {
                let (cost, captures) = ways[usize::from(beside)];
                best = best.min((cost + PAWN_CAPTURE, captures + 1));
            }
            if best.0 < IMPOSSIBLE {
                ways[usize::from(square)] = (best.0 + MOVE, best.1);
            }
        }
    }
    ways
}

/// Distances by what has not moved.
#[derive(Default)]
pub struct KnownDistances {
    known: FxHashMap<Bitboard, [Distances; 2]>,
}

impl KnownDistances {
    /// The distances of White and of Black.
    pub fn of(&mut self, past: &Past) -> &[Distances; 2] {
        let fixed = past.fixed();
        if self.known.len() >= MAX_KEPT && !self.known.contains_key(&fixed) {
            self.known.clear();
        }
        self.known.entry(fixed).or_insert_with(|| Color::ALL.map(|color| Distances::new(color, fixed, &past.board)))
    }
}
