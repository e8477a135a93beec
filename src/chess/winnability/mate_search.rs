//! A search for any checkmate, with both sides helping.
//!
//! Positions are visited best first, each once. Visited positions are compared in full, not by a
//! hash alone, so that an exhausted search is a proof. The orders in which positions are examined
//! only decide how soon a checkmate is found.

use std::{cmp::Reverse, collections::BinaryHeap, mem};

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Square, attacks};

use super::{
    confinement::{Confinement, has_rams, rams},
    material::{DARK_SQUARES, is_insufficient},
    position::{Castling, SearchPosition, each},
    structures::{self, Captures},
};

/// Whether a side can checkmate by any sequence of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winnability {
    /// Some sequence of legal moves ends with a checkmate.
    Winnable,
    /// No sequence of legal moves ends with a checkmate.
    Unwinnable,
    /// Neither was found within the limits.
    Undecided,
}

/// What a look at forced lines shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forced {
    /// A checkmate.
    Mate,
    /// All lines end, and none of them with a checkmate.
    NoMate,
    Nothing,
}

/// Maximum number of plies of a forced line.
const MAX_PLIES: u32 = 6;

/// With more legal moves than this, a position is not forced.
const MAX_MOVES: usize = 3;

/// Follows the lines in which both sides have hardly any choice.
pub(super) fn forced(position: &SearchPosition, castling: &Castling, winner: Color) -> Forced {
    forced_within(position, castling, winner, MAX_PLIES)
}

fn forced_within(position: &SearchPosition, castling: &Castling, winner: Color, plies: u32) -> Forced {
    let mut next: ArrayVec<SearchPosition, MAX_MOVES> = ArrayVec::new();
    let mut is_open = plies == 0;
    let can_move = position.each_move(castling, |after| {
        is_open |= next.try_push(after).is_err();
        !is_open
    });
    if !can_move {
        return if position.turn != winner && position.is_check() { Forced::Mate } else { Forced::NoMate };
    }
    if is_insufficient(position, winner) {
        return Forced::NoMate;
    }
    if is_open {
        return Forced::Nothing;
    }
    let mut found = Forced::NoMate;
    for after in &next {
        match forced_within(after, castling, winner, plies - 1) {
            Forced::Mate => return Forced::Mate,
            Forced::Nothing => found = Forced::Nothing,
            Forced::NoMate => {}
        }
    }
    found
}

/// Positions that were reached, each once.
struct Visited {
    positions: Vec<SearchPosition>,
    /// For each hash, the rest of the hash and an index into `positions`; [`FREE`] if unused. At
    /// least half of them are free.
    slots: Vec<(u32, u32)>,
}

const FREE: u32 = u32::MAX;

/// Most searches stay within this number of positions.
const FEW: usize = 512;

fn hash(position: &SearchPosition) -> u64 {
    let SearchPosition { pawns, knights, diagonal, straight, side: [white, black], kings, turn, rights, .. } = *position;
    let rest = turn as u64 | u64::from(rights) << 8 | (kings[0] as u64) << 16 | (kings[1] as u64) << 24;
    let words = [pawns ^ white.rotate_left(7), knights ^ black.rotate_left(19), diagonal ^ straight.rotate_left(31), rest];
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = words.into_iter().fold(0, mix);
    mixed ^ mixed >> 32
}

impl Visited {
    fn new() -> Visited {
        Visited { positions: Vec::with_capacity(FEW), slots: vec![(0, FREE); 2 * FEW] }
    }

    /// Adds a position. Returns its index if it is new.
    fn add(&mut self, position: &SearchPosition) -> Option<u32> {
        let hash = hash(position);
        let (mask, rest) = (self.slots.len() - 1, (hash >> 32) as u32);
        let mut slot = hash as usize & mask;
        while self.slots[slot].1 != FREE {
            let (other, index) = self.slots[slot];
            if other == rest && self.positions[index as usize] == *position {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        let index = self.positions.len() as u32;
        self.slots[slot] = (rest, index);
        self.positions.push(*position);
        if 2 * self.positions.len() > self.slots.len() {
            self.grow();
        }
        Some(index)
    }

    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![(0, FREE); 2 * self.slots.len()];
        let mask = slots.len() - 1;
        for (position, index) in self.positions.iter().zip(0..) {
            let hash = hash(position);
            let mut slot = hash as usize & mask;
            while slots[slot].1 != FREE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = ((hash >> 32) as u32, index);
        }
        self.slots = slots;
    }
}

/// The orders in which positions are examined. What one puts off for long comes soon in another
/// one.
#[derive(Clone, Copy, Debug)]
enum Plan {
    /// Win material, promote, then mate at the edge.
    Force,
    /// Mate in a corner with knights and bishops.
    Corner,
    /// Set pawns free.
    Break,
    /// As they were reached.
    Breadth,
}

const PLANS: [Plan; 4] = [Plan::Force, Plan::Corner, Plan::Break, Plan::Breadth];

/// The plans take turns in this order.
const TURNS: [Plan; 8] =
    [Plan::Force, Plan::Corner, Plan::Force, Plan::Break, Plan::Force, Plan::Corner, Plan::Force, Plan::Breadth];

/// Number of positions that are examined by the first plan alone. After that, the pawn structures
/// are looked at, too.
const ALONE: usize = 1000;

/// Number of positions that are examined before captures in the pawn structures are followed.
const MANY: usize = 10_000;

/// Maximum number of positions in check whose answers are proven one by one.
const MAX_CHECKS: usize = 16;

/// If that many positions in a row are not proven by where pieces can get to, only every 16th is
/// looked at, and so on.
const MAX_PAUSE: u32 = 4;

/// A search for a checkmate by `winner`.
struct Search {
    winner: Color,
    visited: Visited,
    /// Whether each visited position has been examined.
    examined: Vec<bool>,
    /// The positions to examine by each plan: their scores and indices.
    open: [BinaryHeap<Reverse<(i32, u32)>>; PLANS.len()],
    /// How many plans are in use.
    plans: usize,
}

/// Searches at most `max_positions` positions for a checkmate by `winner`. If one of them
/// `is_open`, the search ends undecided.
pub(super) fn search(
    start: &SearchPosition,
    castling: &Castling,
    winner: Color,
    max_positions: usize,
    is_open: impl Fn(&SearchPosition) -> bool,
) -> Winnability {
    let mut search = Search { winner, visited: Visited::new(), examined: Vec::new(), open: Default::default(), plans: 1 };
    search.add(start);
    let (mut count, mut pause) = (0, 0);
    while let Some(position) = search.next(count) {
        count += 1;
        if count == ALONE {
            if is_unwinnable_after_checks(start, castling, winner, Captures::Ignored) {
                return Winnability::Unwinnable;
            }
            search.use_all_plans();
        }
        if count == MANY && is_unwinnable_after_checks(start, castling, winner, Captures::Followed) {
            return Winnability::Unwinnable;
        }
        if is_open(&position) {
            return Winnability::Undecided;
        }
        if has_rams(&position) && count.is_multiple_of(1 << pause) {
            if Confinement::of(&position, winner).is_some_and(|confinement| confinement.is_unwinnable(winner)) {
                pause = 0;
                continue;
            }
            pause = MAX_PAUSE.min(pause + 1);
        }
        let can_move = position.each_move(castling, |next| {
            let is_over = is_insufficient(&next, winner) && !(next.turn != winner && next.is_check());
            if !is_over {
                search.add(&next);
            }
            search.visited.positions.len() < max_positions
        });
        if !can_move && position.turn != winner && position.is_check() {
            return Winnability::Winnable;
        }
        if search.visited.positions.len() >= max_positions {
            return Winnability::Undecided;
        }
    }
    Winnability::Unwinnable
}

/// Whether some position in reach `is_open`. Only the moves from `max_positions` positions are
/// looked at, first from those in which the pieces of `winner` are closest to what holds up its
/// pawns. `false` proves nothing.
pub(super) fn reaches(
    start: &SearchPosition,
    castling: &Castling,
    winner: Color,
    max_positions: usize,
    is_open: impl Fn(&SearchPosition) -> bool,
) -> bool {
    let (mut visited, mut open) = (Visited::new(), BinaryHeap::new());
    open.extend(visited.add(start).map(|index| Reverse((0, index))));
    let mut found = is_open(start);
    for _ in 0..max_positions {
        let Some(Reverse((_, index))) = open.pop().filter(|_| !found) else { break };
        let position = visited.positions[index as usize];
        position.each_move(castling, |next| {
            if !is_insufficient(&next, winner)
                && let Some(index) = visited.add(&next)
            {
                found = is_open(&next);
                open.push(Reverse((by_approach(&next, winner), index)));
            }
            !found
        });
    }
    found
}

/// Whether pawn structures prove that `winner` cannot checkmate. If the side to move is in check,
/// each of its answers may be proven instead: they often capture what the structures would let move
/// on.
fn is_unwinnable_after_checks(start: &SearchPosition, castling: &Castling, winner: Color, captures: Captures) -> bool {
    let mut positions = vec![*start];
    let mut count = 0;
    while let Some(&position) = positions.get(count) {
        count += 1;
        if structures::is_unwinnable(&position, winner, captures) {
            continue;
        }
        if !position.is_check() || count > MAX_CHECKS {
            return false;
        }
        let can_move = position.each_move(castling, |next| {
            if !positions.contains(&next) {
                positions.push(next);
            }
            true
        });
        if !can_move && position.turn != winner {
            return false;
        }
    }
    true
}

impl Search {
    /// Adds a position to those to examine, unless it was there before.
    fn add(&mut self, position: &SearchPosition) {
        let Some(index) = self.visited.add(position) else { return };
        self.examined.push(false);
        for (plan, open) in PLANS.into_iter().zip(&mut self.open).take(self.plans) {
            open.push(Reverse((plan.score(position, self.winner), index)));
        }
    }

    /// The next position to examine, if any is left. `count` have been examined.
    fn next(&mut self, count: usize) -> Option<SearchPosition> {
        let turn = if self.plans == 1 { Plan::Force } else { TURNS[count % TURNS.len()] };
        // All plans have the same positions.
        while let Some(Reverse((_, index))) = self.open[turn as usize].pop() {
            if !mem::replace(&mut self.examined[index as usize], true) {
                return Some(self.visited.positions[index as usize]);
            }
        }
        None
    }

    fn use_all_plans(&mut self) {
        self.plans = PLANS.len();
        for (index, position) in self.visited.positions.iter().enumerate().filter(|(index, _)| !self.examined[*index]) {
            for (plan, open) in PLANS.into_iter().zip(&mut self.open).skip(1) {
                open.push(Reverse((plan.score(position, self.winner), index as u32)));
            }
        }
    }
}

impl Plan {
    /// Positions with lower scores come first.
    fn score(self, position: &SearchPosition, winner: Color) -> i32 {
        match self {
            Plan::Force => by_force(position, winner),
            Plan::Corner => in_corner(position, winner),
            Plan::Break => by_breaking(position, winner),
            Plan::Breadth => 0,
        }
    }
}

const fn edge(at: u32) -> i32 {
    if at < 4 { at as i32 } else { 7 - at as i32 }
}

/// Captures come first, then promotions, and the kings move to each other at the edge.
fn by_force(position: &SearchPosition, winner: Color) -> i32 {
    let loser = !winner;
    let (own, other, occupied) = (position.of(winner), position.of(loser), position.occupied());
    if own & (position.straight | position.pawns) == 0 {
        return 500 + in_corner(position, winner);
    }
    let king = position.king(loser);
    let attacked = position.attacked(winner, occupied & !(1 << king as u32));
    let ways = (attacks::king_attacks(king).0 & !other & !attacked).count_ones() as i32;
    let (file, rank) = (king.file() as u32, king.rank() as u32);
    let corner = 2 * edge(file).min(edge(rank)) + edge(file).max(edge(rank));
    let apart = (position.king(winner).distance(king) as i32 - 2).max(0);
    let mut distance = 3 * ways + corner + 4 * apart;
    let check = position.turn == loser && attacked >> king as u32 & 1 == 1;
    if check {
        distance -= 6;
    }
    let helpers = other.count_ones() as i32 - 1;
    if own & position.straight != 0 {
        distance + 16 * helpers
    } else {
        let nearest = each(own & position.pawns).map(|pawn| to_go(position, pawn, winner)).min().unwrap_or(0);
        distance + 150 + 16 * helpers + 6 * nearest
    }
}

/// The king of `winner` and its knights move to pawns that hold up its own, and the other king
/// leaves them.
fn by_approach(position: &SearchPosition, winner: Color) -> i32 {
    let (own, other) = (position.of(winner), position.of(!winner));
    let targets = other & position.pawns;
    let walkers = 1 << position.king(winner) as u32 | own & position.knights;
    let nearest = steps_between(targets, walkers, MAX_STEPS);
    let guarded = GUARDED - steps_between(targets, 1 << position.king(!winner) as u32, GUARDED);
    let pawn = each(own & position.pawns).map(|pawn| to_go(position, pawn, winner)).min().unwrap_or(0);
    10 * rams(position) as i32 + 3 * other.count_ones() as i32 + 2 * nearest + guarded + pawn
}

/// From this distance on, a king does not defend a pawn, and does not soon return to it.
const GUARDED: i32 = 3;

/// Maximum number of steps of a king between two squares.
const MAX_STEPS: i32 = 7;

/// Number of steps of a king between two sets of squares, at most `most`. 0 if there are none in
/// the first.
fn steps_between(mut reached: u64, targets: u64, most: i32) -> i32 {
    let mut steps = 0;
    while reached != 0 && reached & targets == 0 && steps < most {
        reached |= (reached & !FILE_H) << 1 | (reached & !FILE_A) >> 1;
        reached |= reached << 8 | reached >> 8;
        steps += 1;
    }
    steps
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The pieces move to a corner: its king into it, one of its pieces next to it, and the others
/// near. Bishops mate on squares of their colour.
fn in_corner(position: &SearchPosition, winner: Color) -> i32 {
    let loser = !winner;
    let (own, other, occupied) = (position.of(winner), position.of(loser), position.occupied());
    let (king, near) = (position.king(loser), position.king(winner));
    let bishops = own & position.diagonal;
    let helpers = other & !(1 << king as u32);
    let mut best = i32::MAX;
    for corner in [Square::A1, Square::H1, Square::A8, Square::H8] {
        let is_dark = DARK_SQUARES >> corner as u32 & 1 == 1;
        if own & position.knights == 0 && bishops & (if is_dark { DARK_SQUARES } else { !DARK_SQUARES }) == 0 {
            continue;
        }
        let to_corner = king.distance(corner) as i32;
        let apart = (near.distance(corner) as i32 - 2).abs();
        // The square of the helper is next to the corner on its file or rank.
        let posts = [corner as u32 ^ 1, corner as u32 ^ 8].map(Square::new);
        let to_post = |at: Square| posts.into_iter().map(|post| at.distance(post) as i32).min().unwrap_or(0);
        let help = each(helpers)
            .map(|at| {
                let bit = 1_u64 << at as u32;
                if position.pawns & bit != 0 {
                    let to_go = if loser == Color::White { 7 - at.rank() as i32 } else { at.rank() as i32 };
                    if to_post(at) == 0 { 0 } else { 3 + to_go }
                } else if position.diagonal & bit != 0 && position.straight & bit == 0 && (DARK_SQUARES & bit != 0) == is_dark {
                    9
                } else {
                    to_post(at)
                }
            })
            .min()
            .unwrap_or(0);
        let minors: i32 = each(own & !(1 << near as u32)).map(|at| (at.distance(corner) as i32 - 2).max(0)).sum();
        best = best.min(5 * to_corner + 4 * apart + 3 * help + minors);
    }
    let attacked = position.attacked(winner, occupied & !(1 << king as u32));
    let ways = (attacks::king_attacks(king).0 & !other & !attacked).count_ones() as i32;
    let check = position.turn == loser && attacked >> king as u32 & 1 == 1;
    best.min(100) + 3 * ways - 4 * i32::from(check)
}

/// Captures and pawn moves come first.
fn by_breaking(position: &SearchPosition, winner: Color) -> i32 {
    let own = position.of(winner);
    let pieces = position.occupied().count_ones() as i32;
    let nearest = each(own & position.pawns).map(|pawn| to_go(position, pawn, winner)).min().unwrap_or(20);
    let lacks = own & (position.pawns | position.straight) == 0;
    3 * pieces + 2 * nearest * i32::from(own & position.straight == 0) + 50 * i32::from(lacks)
}

/// How many steps a pawn is away from its promotion, more if it is blocked.
fn to_go(position: &SearchPosition, pawn: Square, color: Color) -> i32 {
    let file = Bitboard::from_file(pawn.file()).0;
    let rank = pawn.rank() as u32;
    let (steps, ahead) = match color {
        Color::White => (7 - rank as i32, file & !(u64::MAX >> (63 - pawn as u32))),
        Color::Black => (rank as i32, file & ((1 << pawn as u32) - 1)),
    };
    let blocks = (ahead & position.occupied()).count_ones() as i32;
    steps + blocks + 2 * (ahead & position.pawns).count_ones() as i32
}
