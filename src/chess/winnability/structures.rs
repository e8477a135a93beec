//! Which pawn structures can come up, and where the kings and the pieces can be in each of them.
//!
//! [`Confinement`](super::confinement::Confinement) asks where a piece can get to in all. Here that is
//! asked for each pawn structure that moves of pawns and captures can lead to: for the two kings and the
//! side to move together, and for each other piece by itself. Pins, and checks by pieces that may be
//! elsewhere, are ignored, and a captured piece counts as if it stayed. So every position that legal
//! moves can reach is among those that are looked at. If none of these moves can be a checkmate by one side, the
//! position is proven unwinnable for it.

use std::{collections::VecDeque, mem};

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;
use shakmaty::{Bitboard, Color, Rank, Square, attacks};

use super::{
    position::{SearchPosition, each},
    steps::{BACK_RANKS, Kind, flood, pawn_attacks, promoted_steps},
};

/// Maximum number of pawn structures that are looked at.
const MAX_STRUCTURES: usize = 2_000;

/// Maximum number of pieces other than kings and pawns.
const MAX_PIECES: usize = 30;

/// A piece other than a king or a pawn.
#[derive(Clone, Copy, Debug)]
struct Piece {
    color: Color,
    kind: Kind,
}

/// A pawn structure, and what can be on the board with it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Structure {
    /// The pawns of White and Black.
    pawns: [u64; 2],
    /// The squares of the kings with White and with Black to move.
    kings: [Pairs; 2],
    /// Those with the other side to move, after a move by which the winner may have given check.
    checked: Pairs,
    /// The squares that each piece can be on.
    reached: ArrayVec<u64, MAX_PIECES>,
    /// The pieces that may have been captured, by index.
    captured: u32,
    /// The squares that a promoted piece of White and Black can be on.
    promoted: [u64; 2],
}

/// What never leaves its square as long as the pawn structure is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fixed {
    /// The squares of such pieces of White and Black, without kings.
    pieces: [u64; 2],
    /// The squares of kings that cannot leave them.
    kings: u64,
    /// What these pieces, the pawns of White, and those of Black attack.
    attacked: [u64; 2],
}

/// For each square of White's king, the squares of Black's king.
type Pairs = [u64; 64];

const NONE: Pairs = [0; 64];

const fn index(color: Color) -> usize {
    color as usize ^ 1
}

fn king_steps(from: u64) -> u64 {
    Kind::King.steps(Color::White, from)
}

impl Structure {
    /// The squares of the king of `color`.
    fn king_squares(&self, color: Color) -> u64 {
        let pairs = self.kings[0].iter().zip(&self.kings[1]).map(|(white, black)| white | black);
        match color {
            Color::White => (0..).zip(pairs).filter(|(_, others)| *others != 0).fold(0, |all, (at, _)| all | 1 << at),
            Color::Black => pairs.fold(0, |all, others| all | others),
        }
    }

    fn fixed(&self, pieces: &[Piece]) -> Fixed {
        let mut fixed = Fixed::default();
        for color in Color::ALL {
            fixed.attacked[index(color)] = pawn_attacks(color, self.pawns[index(color)]);
            let squares = self.king_squares(color);
            if squares.is_power_of_two() {
                fixed.kings |= squares;
            }
        }
        for (number, (piece, &reached)) in pieces.iter().zip(&self.reached).enumerate() {
            if reached.is_power_of_two() && self.captured >> number & 1 == 0 {
                fixed.pieces[index(piece.color)] |= reached;
                fixed.attacked[index(piece.color)] |= piece.kind.steps(piece.color, reached);
            }
        }
        fixed
    }

    /// The pieces on `at` that never left it are captured.
    fn capture(&mut self, pieces: &[Piece], by: Color, at: u64) {
        for (number, (piece, &reached)) in pieces.iter().zip(&self.reached).enumerate() {
            if piece.color != by && reached.is_power_of_two() && reached & at != 0 {
                self.captured |= 1 << number;
            }
        }
    }

    /// Adds what moves of kings and pieces that leave the pawns alone can reach.
    fn spread(&mut self, pieces: &[Piece], winner: Color) {
        loop {
            let fixed = self.fixed(pieces);
            let pawns = self.pawns[0] | self.pawns[1];
            let (before_captured, before_promoted) = (self.captured, self.promoted);
            let mut grown = false;
            for (number, piece) in pieces.iter().enumerate() {
                let open = !(pawns | fixed.kings | fixed.pieces[index(piece.color)]);
                let next = flood(self.reached[number], open, |from| piece.kind.steps(piece.color, from));
                grown |= next != self.reached[number];
                self.reached[number] = next;
                self.capture(pieces, piece.color, next);
            }
            for color in Color::ALL {
                let open = !(pawns | fixed.kings | fixed.pieces[index(color)]);
                let next = flood(self.promoted[index(color)], open, promoted_steps);
                self.promoted[index(color)] = next;
                self.capture(pieces, color, next);
            }
            grown |= self.spread_kings(pieces, &fixed, winner);
            if !grown && before_captured == self.captured && before_promoted == self.promoted {
                return;
            }
        }
    }

    /// Whether `color` may move without its king, and without changing the pawn structure.
    fn can_pass(&self, pieces: &[Piece], color: Color) -> bool {
        let mut own = pieces.iter().zip(&self.reached).filter(|(piece, _)| piece.color == color);
        self.promoted[index(color)] != 0 || own.any(|(_, reached)| !reached.is_power_of_two())
    }

    /// Adds the squares that the kings can reach. Returns whether there are any.
    fn spread_kings(&mut self, pieces: &[Piece], fixed: &Fixed, winner: Color) -> bool {
        let pawns = self.pawns[0] | self.pawns[1];
        let open = Color::ALL.map(|color| !(pawns | fixed.pieces[index(color)] | fixed.attacked[index(!color)]));
        let passes = Color::ALL.map(|color| self.can_pass(pieces, color));
        let mut grown = false;
        loop {
            let before = (self.kings, self.checked);
            for at in each(self.king_squares(Color::White)) {
                let (at, near) = (at as usize, attacks::king_attacks(at).0);
                // White moves.
                let others = self.kings[0][at];
                if passes[0] {
                    self.kings[1][at] |= others;
                }
                if others != 0 {
                    for to in each(near & open[0]) {
                        let left = others & !attacks::king_attacks(to).0 & !(1 << to as u32);
                        self.kings[1][to as usize] |= left;
                        if winner == Color::White {
                            self.checked[to as usize] |= left & self.discovered(pieces, winner, Square::new(at as u32), left);
                        }
                    }
                }
                // Black moves.
                let others = self.kings[1][at];
                if passes[1] {
                    self.kings[0][at] |= others;
                }
                let next = king_steps(others) & open[1] & !near & !(1 << at);
                self.kings[0][at] |= next;
                if winner == Color::Black {
                    let king = 1 << at;
                    let discovering = |from: &Square| self.discovered(pieces, winner, *from, king) != 0;
                    let from = each(others).filter(discovering).fold(0, |all, from| all | attacks::king_attacks(from).0);
                    self.checked[at] |= next & from;
                }
            }
            if before == (self.kings, self.checked) {
                break;
            }
            grown = true;
        }
        for color in Color::ALL {
            self.capture(pieces, color, self.king_squares(color));
        }
        grown
    }

    /// Those of the squares `kings` on which a king is in check when the king of `winner` leaves `from`.
    fn discovered(&self, pieces: &[Piece], winner: Color, from: Square, kings: u64) -> u64 {
        let pawns = Bitboard(self.pawns[0] | self.pawns[1]);
        let promoted = self.promoted[index(winner)];
        let own = || pieces.iter().zip(&self.reached).filter(|(piece, _)| piece.color == winner);
        let on = |kinds: [Kind; 2]| {
            own().filter(|(piece, _)| kinds.contains(&piece.kind)).fold(promoted, |all, (_, reached)| all | reached)
        };
        let (diagonal, straight) = (on([Kind::Bishop, Kind::Queen]), on([Kind::Rook, Kind::Queen]));
        if diagonal | straight == 0 {
            return 0;
        }
        let lines = [(attacks::bishop_attacks(from, pawns).0, diagonal), (attacks::rook_attacks(from, pawns).0, straight)];
        lines.into_iter().fold(0, |all, (seen, sliders)| {
            let found = each(seen & sliders).fold(0, |all, slider| all | attacks::ray(from, slider).0);
            all | (seen & found & kings)
        })
    }

    /// What is left of this structure when `color` has moved anything but its king. No king is on
    /// `squares`.
    fn after(&self, color: Color, squares: u64, winner: Color) -> Structure {
        let mut pairs = self.kings[index(color)];
        for (at, others) in pairs.iter_mut().enumerate() {
            *others = if squares >> at & 1 == 1 { 0 } else { *others & !squares };
        }
        let mut next = Structure { kings: [NONE; 2], checked: NONE, ..self.clone() };
        next.kings[index(!color)] = pairs;
        if color == winner {
            next.checked = pairs;
        }
        next
    }

    /// Passes each pawn structure that one move makes of this one to `take`.
    fn each_next(&self, pieces: &[Piece], winner: Color, mut take: impl FnMut(Structure)) {
        let fixed = self.fixed(pieces);
        let pawns = self.pawns[0] | self.pawns[1];
        for color in Color::ALL {
            let (own, other) = (self.pawns[index(color)], self.pawns[index(!color)]);
            // Where a piece may be captured.
            let others = pieces.iter().zip(&self.reached).filter(|(piece, _)| piece.color != color);
            let targets = others.fold(self.promoted[index(!color)], |all, (_, reached)| all | reached);
            let forward = |at: u64| color.fold_wb(at << 8, at >> 8);
            let blocked = pawns | fixed.pieces[0] | fixed.pieces[1];
            for from in each(own) {
                let start = 1_u64 << from as u32;
                let moved = |to: u64, taken: u64, through: u64| {
                    let mut next = self.after(color, to | through, winner);
                    next.pawns[index(color)] &= !start;
                    next.pawns[index(!color)] &= !taken;
                    if to & BACK_RANKS == 0 {
                        next.pawns[index(color)] |= to;
                    } else {
                        next.promoted[index(color)] |= to;
                    }
                    if taken == to {
                        next.capture(pieces, color, to);
                    }
                    next
                };
                let one = forward(start) & !blocked;
                if one != 0 {
                    take(moved(one, 0, 0));
                }
                let two = forward(one) & !blocked;
                if two != 0 && from.rank() == color.fold_wb(Rank::Second, Rank::Seventh) {
                    let next = moved(two, 0, one);
                    for capturer in each(pawn_attacks(color, one) & other) {
                        take(next.en_passant(!color, (capturer, one, two), winner));
                    }
                    take(next);
                }
                for to in each(pawn_attacks(color, start) & (targets | other)) {
                    let to = 1_u64 << to as u32;
                    if own & to == 0 {
                        take(moved(to, to, 0));
                    }
                }
            }
            // Pieces capture pawns.
            let captures = pieces.iter().zip(&self.reached).enumerate().filter(|(_, (piece, _))| piece.color == color);
            for (number, (piece, &reached)) in captures {
                for at in each(piece.kind.steps(color, reached) & other) {
                    let mut next = self.without(color, at, winner);
                    next.reached[number] |= 1 << at as u32;
                    take(next);
                }
            }
            for at in each(promoted_steps(self.promoted[index(color)]) & other) {
                let mut next = self.without(color, at, winner);
                next.promoted[index(color)] |= 1 << at as u32;
                take(next);
            }
            // The king captures pawns.
            for at in each(other & !fixed.attacked[index(!color)]) {
                let near = attacks::king_attacks(at).0;
                let mut next = self.without(color, at, winner);
                (next.kings, next.checked) = ([NONE; 2], NONE);
                for (white, &blacks) in (0..).zip(&self.kings[index(color)]) {
                    let white = Square::new(white);
                    let is_near = near >> white as u32 & 1 == 1;
                    match color {
                        Color::White if is_near => {
                            let left = blacks & !near;
                            next.kings[1][at as usize] |= left;
                            if color == winner {
                                next.checked[at as usize] |= left & self.discovered(pieces, winner, white, left);
                            }
                        }
                        Color::Black if !is_near && blacks & near != 0 => {
                            next.kings[0][white as usize] |= 1 << at as u32;
                            let king = 1 << white as u32;
                            if color == winner && each(blacks & near).any(|from| self.discovered(pieces, winner, from, king) != 0)
                            {
                                next.checked[white as usize] |= 1 << at as u32;
                            }
                        }
                        _ => {}
                    }
                }
                take(next);
            }
        }
    }

    /// The structure after a piece of `color` captured the pawn on `at`.
    fn without(&self, color: Color, at: Square, winner: Color) -> Structure {
        let mut next = self.after(color, 0, winner);
        next.pawns[index(!color)] &= !(1 << at as u32);
        next
    }

    /// The structure after a pawn of `color` captured another one en passant.
    fn en_passant(&self, color: Color, (from, to, taken): (Square, u64, u64), winner: Color) -> Structure {
        let mut next = self.after(color, to, winner);
        next.pawns[index(color)] ^= 1 << from as u32 | to;
        next.pawns[index(!color)] &= !taken;
        next
    }

    /// Adds what another one with the same pawns has. Returns whether that is new.
    fn merge(&mut self, other: &Structure) -> bool {
        let mut grown = other.captured & !self.captured != 0;
        self.captured |= other.captured;
        let ours = self.kings.iter_mut().flatten().chain(&mut self.checked).chain(&mut self.reached).chain(&mut self.promoted);
        let theirs = other.kings.iter().flatten().chain(&other.checked).chain(&other.reached).chain(&other.promoted);
        for (ours, theirs) in ours.zip(theirs) {
            grown |= theirs & !*ours != 0;
            *ours |= theirs;
        }
        grown
    }

    /// Whether `winner` may have checkmated.
    fn may_be_mate(&self, pieces: &[Piece], winner: Color) -> bool {
        let promoted = self.promoted[index(winner)];
        let pawns = pawn_attacks(winner, self.pawns[index(winner)]);
        let own = pieces.iter().zip(&self.reached).filter(|(piece, _)| piece.color == winner);
        let checks = own.fold(pawns | promoted_steps(promoted), |all, (piece, &reached)| all | piece.kind.steps(winner, reached));
        // What the other side has around its king may stand in its way. A king that never moves may be
        // kept from capturing a pawn by a check from the opposite direction.
        let behind = if self.king_squares(!winner).is_power_of_two() { self.pawns[index(winner)] } else { 0 };
        let filled = self.pawns[index(!winner)] | self.promoted[index(!winner)] | behind;
        let passes = self.can_pass(pieces, winner);
        let pairs = self.kings[index(winner)].iter().zip(&self.checked);
        let pairs = (0..).zip(pairs.map(|(pairs, checked)| if passes { pairs | checked } else { *checked }));
        pairs.filter(|(_, blacks)| *blacks != 0).any(|(white, blacks)| {
            let white = Square::new(white);
            let is_mate = |king: Square, near: Square| {
                let open = attacks::king_attacks(king).0 & !(checks | filled | attacks::king_attacks(near).0);
                self.may_be_filled(pieces, !winner, open)
            };
            match winner {
                Color::White => each(blacks & checks).any(|black| is_mate(black, white)),
                Color::Black => checks >> white as u32 & 1 == 1 && each(blacks).any(|black| is_mate(white, black)),
            }
        })
    }

    /// Whether pieces of `color` may be on all of these squares.
    fn may_be_filled(&self, pieces: &[Piece], color: Color, squares: u64) -> bool {
        let own =
            || pieces.iter().zip(&self.reached).filter(move |(piece, reached)| piece.color == color && **reached & squares != 0);
        own().count() as u32 >= squares.count_ones() && own().fold(squares, |left, (_, reached)| left & !reached) == 0
    }
}

/// Whether it is proven that `winner` can never checkmate. Gives up after [`MAX_STRUCTURES`].
pub(super) fn is_unwinnable(position: &SearchPosition, winner: Color) -> bool {
    let mut pieces = ArrayVec::<Piece, MAX_PIECES>::new();
    let mut reached = ArrayVec::new();
    if position.rights != 0 {
        return false;
    }
    for at in each((position.knights | position.diagonal | position.straight) & position.occupied()) {
        let bit = 1_u64 << at as u32;
        let color = Color::from_white(position.side[0] & bit != 0);
        let kind = position.kind(bit);
        if pieces.try_push(Piece { color, kind }).is_err() {
            return false;
        }
        reached.push(bit);
    }
    let pawns = position.side.map(|side| side & position.pawns);
    let mut pairs = NONE;
    pairs[position.king(Color::White) as usize] = 1 << position.king(Color::Black) as u32;
    let mut first = Structure { pawns, kings: [NONE; 2], checked: NONE, reached, captured: 0, promoted: [0; 2] };
    first.kings[index(position.turn)] = pairs;
    if position.turn != winner {
        first.checked = pairs;
    }
    let mut known =
        Known { structures: Vec::new(), numbers: FxHashMap::default(), queue: VecDeque::new(), is_queued: Vec::new() };
    if let Some(target) = position.en_passant {
        let turn = position.turn;
        for from in each(attacks::pawn_attacks(!turn, target).0 & first.pawns[index(turn)]) {
            known.add(first.en_passant(turn, (from, 1 << target as u32, 1 << (target as u32 ^ 8)), winner));
        }
    }
    known.add(first);
    while let Some(number) = known.queue.pop_front() {
        known.is_queued[number] = false;
        known.structures[number].spread(&pieces, winner);
        let structure = known.structures[number].clone();
        if structure.may_be_mate(&pieces, winner) {
            return false;
        }
        structure.each_next(&pieces, winner, |next| known.add(next));
        if known.structures.len() > MAX_STRUCTURES {
            return false;
        }
    }
    true
}

/// The pawn structures that were reached.
struct Known {
    structures: Vec<Structure>,
    /// The number of the structure with these pawns.
    numbers: FxHashMap<[u64; 2], usize>,
    /// The numbers of those that have to be looked at, again if they have grown.
    queue: VecDeque<usize>,
    /// Whether each is in the queue.
    is_queued: Vec<bool>,
}

impl Known {
    /// Adds what a move leads to, if any squares are left for the kings.
    fn add(&mut self, structure: Structure) {
        if structure.kings == [NONE; 2] {
            return;
        }
        let number = *self.numbers.entry(structure.pawns).or_insert(self.structures.len());
        let is_new = match self.structures.get_mut(number) {
            Some(known) => known.merge(&structure),
            None => {
                self.structures.push(structure);
                self.is_queued.push(false);
                true
            }
        };
        if is_new && !mem::replace(&mut self.is_queued[number], true) {
            self.queue.push_back(number);
        }
    }
}
