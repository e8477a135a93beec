//! A search for any checkmate along lines that make progress, deeper and deeper.
//!
//! A move that makes progress towards a checkmate in a corner does not count towards the depth, nor
//! does a plain answer to it, and a move that gives away what may help counts like several. So a
//! line that follows a plan may be long. This finds checkmates for which the search of all
//! positions (`search`) has too many of them to look at.

use rustc_hash::FxHashMap;
use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

use super::{
    confinement::rammed,
    material::{DARK_SQUARES, is_insufficient},
    position::{Castling, SearchPosition, each},
    steps::{Kind, knight_steps},
};

/// Maximum depth, in plies that count.
const MAX_DEPTH: u8 = 128;

/// Maximum number of plies of a line.
const MAX_PLIES: u32 = 128;

/// What a move that gives away what may help counts.
const SETBACK: u8 = 4;

/// With more pieces than this, pawns should be captured.
const FEW: u32 = 5;

/// How a move counts towards the depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    Progress,
    Plain,
    Setback,
}

/// Searches for a checkmate by `winner` in each corner, and looks at `max_moves` moves at most for
/// each.
pub(super) fn finds_mate(position: &SearchPosition, castling: &Castling, winner: Color, max_moves: usize) -> bool {
    corners(position, winner).into_iter().any(|corner| {
        let mut deepening = Deepening::new(position, castling, winner, corner, max_moves);
        (1..=MAX_DEPTH).any(|depth| deepening.moves_left > 0 && deepening.is_mate_within(position, depth, 0, false))
    })
}

/// The corners, the most promising one first: one far from the winner, where its bishops or those
/// of the other side can check, then the others.
fn corners(position: &SearchPosition, winner: Color) -> [Square; 4] {
    let bishops = position.diagonal & !position.straight;
    let (own, other) = (bishops & position.of(winner), bishops & position.of(!winner));
    let far = winner.fold_wb([Square::H8, Square::A8], [Square::H1, Square::A1]);
    let same_color = if far[0].is_dark() { DARK_SQUARES } else { !DARK_SQUARES };
    let is_first = own & same_color != 0 || own == 0 && other & !same_color != 0;
    let corner = far[usize::from(!is_first)];
    [corner, corner.flip_vertical().flip_horizontal(), corner.flip_vertical(), corner.flip_horizontal()]
}

/// One search, with a checkmate in one corner in mind.
struct Deepening<'a> {
    castling: &'a Castling,
    winner: Color,
    /// Where the loser's king should go.
    loser_king: Square,
    /// Where the loser's knights should go.
    loser_knights: Square,
    /// Where the winner's king should go.
    winner_king: Square,
    /// Where the winner's knights should go.
    winner_knights: Square,
    /// How many moves a bishop needs from each square to the corner or next to it.
    bishop_moves: [u8; 64],
    /// The depth that was left when a position was examined.
    examined: FxHashMap<SearchPosition, u8>,
    moves_left: usize,
}

impl<'a> Deepening<'a> {
    fn new(start: &SearchPosition, castling: &'a Castling, winner: Color, corner: Square, max_moves: usize) -> Deepening<'a> {
        let turned = |at: Square| {
            let at = if corner.rank() == Rank::Eighth { at } else { at.flip_vertical() };
            if corner.file() == File::H { at } else { at.flip_horizontal() }
        };
        Deepening {
            castling,
            winner,
            loser_king: corner,
            loser_knights: turned(Square::G8),
            winner_king: turned(Square::G7),
            winner_knights: turned(Square::E5),
            bishop_moves: bishop_moves(start, [corner, turned(Square::G8), turned(Square::H7)]),
            examined: FxHashMap::default(),
            moves_left: max_moves,
        }
    }

    /// Whether a checkmate is found after `plies` plies, with `depth` left.
    fn is_mate_within(&mut self, position: &SearchPosition, depth: u8, plies: u32, has_progressed: bool) -> bool {
        let may_be_mate = position.turn != self.winner && position.is_check();
        if depth == 0 || plies >= MAX_PLIES || is_insufficient(position, self.winner) {
            return may_be_mate && !position.each_move(self.castling, |_| false);
        }
        if self.examined.get(position).is_some_and(|&left| left >= depth) {
            return false;
        }
        self.examined.insert(*position, depth);
        let mut is_found = false;
        let can_move = position.each_move(self.castling, |next| {
            if self.moves_left == 0 {
                return false;
            }
            self.moves_left -= 1;
            let kind = self.kind(position, &next);
            let left = match kind {
                Move::Progress => depth,
                Move::Plain => depth - u8::from(!has_progressed),
                Move::Setback => depth.saturating_sub(SETBACK),
            };
            is_found = self.is_mate_within(&next, left, plies + 1, kind == Move::Progress);
            !is_found
        });
        is_found || may_be_mate && !can_move
    }

    /// How the move between these positions counts.
    fn kind(&self, before: &SearchPosition, after: &SearchPosition) -> Move {
        let turn = before.turn;
        let (from, to) = (before.of(turn) & !after.of(turn), after.of(turn) & !before.of(turn));
        let taken = before.of(!turn) & !after.of(!turn);
        if !from.is_power_of_two() || !to.is_power_of_two() {
            // Castling.
            return Move::Plain;
        }
        let [start, end] = [from, to].map(|at| Square::new(at.trailing_zeros()));
        let is_winner = turn == self.winner;
        let (king, knights) =
            if is_winner { (self.winner_king, self.winner_knights) } else { (self.loser_king, self.loser_knights) };
        let [was, is] = [start, end].map(|at| self.bishop_moves[at as usize]);
        let kind = before.kind(from);
        let is_nearer = match kind {
            Kind::King => end.distance(king) < start.distance(king),
            Kind::Knight => knight_moves(end, knights) < knight_moves(start, knights),
            // The winner's bishops wait until they are needed.
            Kind::Bishop if is_winner => was != UNREACHABLE && (was <= 1 && was < is || was > 2 && was > is),
            Kind::Bishop => is < was,
            _ => false,
        };
        let pawns_go = taken != 0 && (kind == Kind::Pawn || before.pawns & taken != 0);
        if is_nearer || is_winner && (kind == Kind::Pawn || taken != 0) || pawns_go && before.occupied().count_ones() > FEW {
            Move::Progress
        } else if taken != 0 {
            Move::Setback
        } else {
            Move::Plain
        }
    }
}

const UNREACHABLE: u8 = u8::MAX;

/// How many moves a bishop needs from each square to one of `targets`, or [`UNREACHABLE`]. Pawns
/// that block each other stay.
fn bishop_moves(position: &SearchPosition, targets: [Square; 3]) -> [u8; 64] {
    let black = rammed(position);
    let blocked = black | black >> 8;
    let mut moves = [UNREACHABLE; 64];
    let mut front = targets.into_iter().fold(0_u64, |all, at| all | 1 << at as u32);
    let mut reached = 0;
    let mut count = 0;
    while front != 0 {
        reached |= front;
        let mut next = 0;
        for at in each(front) {
            moves[at as usize] = count;
            next |= attacks::bishop_attacks(at, Bitboard(blocked)).0;
        }
        front = next & !reached & !blocked;
        count += 1;
    }
    moves
}

/// How many moves a knight needs from one square to another one on an empty board.
fn knight_moves(from: Square, to: Square) -> u32 {
    let (target, mut reached, mut count) = (1_u64 << to as u32, 1_u64 << from as u32, 0);
    while reached & target == 0 {
        reached |= knight_steps(reached);
        count += 1;
    }
    count
}
