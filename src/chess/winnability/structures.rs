//! Which pawn structures can come up, and where the kings and the pieces can be in each of them.
//!
//! [`Confinement`](super::confinement::Confinement) asks where a piece can get to in all. Here that
//! is asked for each pawn structure that moves of pawns and captures can lead to: for the two kings
//! and the side to move together, and for each other piece by itself. Pins, and checks by pieces
//! that may be elsewhere, are ignored. So every position that legal moves can reach is among those
//! that are looked at, except for those in which the other side has surely checkmated, or will
//! surely capture the last piece of the winner. If none of these moves can be a checkmate by one
//! side, the position is proven unwinnable for it.
//!
//! A captured piece counts as if it stayed, or, at a higher cost, pieces are part of the structure:
//! a capture leads to another structure without the piece.

use std::{collections::VecDeque, mem};

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use super::{
    position::{SearchPosition, each},
    steps::{BACK_RANKS, attacks_of, flood, pawn_attacks, promoted_steps, steps_of},
};

/// How many times a structure is looked at, at most.
const MAX_LOOKS: usize = 2_000;

/// Maximum number of pieces other than kings and pawns.
const MAX_PIECES: usize = 30;

/// A piece other than a king or a pawn.
#[derive(Clone, Copy, Debug)]
struct Piece {
    color: Color,
    kind: Role,
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
    /// The pieces that have been captured, of those whose captures are followed. By index, as
    /// below.
    gone: u32,
    /// The others that may have been captured on the square that they never left.
    captured: u32,
    /// All pieces, followed or not, that the other side may have reached anywhere.
    disturbed: u32,
    /// The squares that each piece can be on; none if it has been captured.
    reached: ArrayVec<u64, MAX_PIECES>,
    /// The squares that a promoted piece of White and Black can be on.
    promoted: [u64; 2],
}

/// The pieces of a position, and what is asked about it.
#[derive(Clone, Debug)]
struct Question {
    winner: Color,
    pieces: ArrayVec<Piece, MAX_PIECES>,
    /// The pieces, by index, that are part of the structure: if one is captured, another structure
    /// is reached. The others count as if they stayed.
    followed: u32,
}

/// What never leaves its square as long as the pawn structure is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fixed {
    /// The squares of such pieces of White and Black, without kings.
    pieces: [u64; 2],
    /// Those of them whose captures are followed, so that no other piece gets there.
    held: [u64; 2],
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
    steps_of(Role::King, Color::White, from)
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

    /// The pieces, with their numbers and the squares that they can be on.
    fn each_piece(&self, question: &Question) -> impl Iterator<Item = (usize, Piece, u64)> {
        question.pieces.iter().zip(&self.reached).enumerate().map(|(number, (&piece, &reached))| (number, piece, reached))
    }

    /// The pieces of `color` that never leave their squares and cannot have been captured, with
    /// their numbers and squares.
    fn fixed_pieces(&self, question: &Question, color: Color) -> impl Iterator<Item = (usize, Piece, u64)> {
        let own = self.each_piece(question).filter(move |(_, piece, _)| piece.color == color);
        own.filter(|(number, _, reached)| reached.is_power_of_two() && self.captured >> number & 1 == 0)
    }

    fn fixed(&self, question: &Question) -> Fixed {
        let mut fixed = Fixed::default();
        for color in Color::ALL {
            fixed.attacked[index(color)] = pawn_attacks(color, self.pawns[index(color)]);
            let squares = self.king_squares(color);
            if squares.is_power_of_two() {
                fixed.kings |= squares;
            }
        }
        for color in Color::ALL {
            fixed.attacked[index(color)] |= self.guarded_by_bishops(question, color);
        }
        for color in Color::ALL {
            for (number, piece, at) in self.fixed_pieces(question, color) {
                fixed.pieces[index(color)] |= at;
                if question.follows(number) {
                    fixed.held[index(color)] |= at;
                }
                fixed.attacked[index(color)] |= steps_of(piece.kind, color, at);
            }
        }
        fixed
    }

    /// What bishops of `color` attack together at all times. Bishops that are shut in with at most
    /// one empty square among them guard the same squares, wherever it is: only their king can go
    /// there, and then it guards the squares next to it.
    fn guarded_by_bishops(&self, question: &Question, color: Color) -> u64 {
        let pawns = self.pawns[0] | self.pawns[1];
        let is_bishop = |piece: Piece| piece.color == color && piece.kind == Role::Bishop;
        let others = self.each_piece(question).filter(|(_, piece, _)| piece.color == color && !is_bishop(*piece));
        let others = others.fold(pawns | self.promoted[index(color)], |all, (_, _, reached)| all | reached);
        let bishops = || self.each_piece(question).filter(|(_, piece, reached)| is_bishop(*piece) && *reached != 0);
        let (mut guarded, mut seen) = (0, 0);
        for (_, _, first) in bishops() {
            if first & seen != 0 {
                continue;
            }
            let mut region = first;
            loop {
                let grown =
                    bishops().filter(|(_, _, reached)| reached & region != 0).fold(region, |all, (_, _, reached)| all | reached);
                if grown == region {
                    break;
                }
                region = grown;
            }
            seen |= region;
            let group = bishops().filter(|(_, _, reached)| reached & region != 0);
            let (count, disturbed) = group.fold((0, 0), |(count, all), (number, ..)| (count + 1, all | 1 << number));
            if count < 2 || region.count_ones() > count + 1 || region & others != 0 || self.disturbed & disturbed != 0 {
                continue;
            }
            if region.count_ones() == count {
                guarded |= attacks_of(Role::Bishop, color, region, pawns | region);
                continue;
            }
            guarded |= each(region).fold(u64::MAX, |always, hole| {
                let hole = 1 << hole as u32;
                let bishops = region & !hole;
                let open = attacks_of(Role::Bishop, color, bishops, pawns | bishops);
                let with_king = attacks_of(Role::Bishop, color, bishops, pawns | region) | king_steps(hole);
                always & open & with_king
            });
        }
        guarded
    }

    /// The pieces on `at` that never left it are captured, unless captures of them are followed.
    fn capture(&mut self, question: &Question, by: Color, at: u64) {
        for (number, (piece, &reached)) in question.pieces.iter().zip(&self.reached).enumerate() {
            if piece.color == by || reached & at == 0 {
                continue;
            }
            self.disturbed |= 1 << number;
            if !question.follows(number) && reached.is_power_of_two() {
                self.captured |= 1 << number;
            }
        }
    }

    /// Adds what moves of kings and pieces that leave the pawns alone can reach.
    fn spread(&mut self, question: &Question) {
        loop {
            let fixed = self.fixed(question);
            let before = (self.captured, self.disturbed, self.promoted, self.reached.clone());
            let pawns = self.pawns[0] | self.pawns[1];
            let open = Color::ALL.map(|color| !(pawns | fixed.kings | fixed.pieces[index(color)] | fixed.held[index(!color)]));
            let blocked = pawns | fixed.kings | fixed.pieces[0] | fixed.pieces[1];
            for (number, piece) in question.pieces.iter().enumerate() {
                let open = open[index(piece.color)] & !self.last_squares(question, &fixed, number);
                let next = flood(self.reached[number], open, |from| attacks_of(piece.kind, piece.color, from, blocked));
                self.reached[number] = next;
                self.capture(question, piece.color, next);
            }
            for color in Color::ALL {
                let next = flood(self.promoted[index(color)], open[index(color)], promoted_steps);
                self.promoted[index(color)] = next;
                self.capture(question, color, next);
            }
            let has_grown = self.spread_kings(question, &fixed);
            if !has_grown && before == (self.captured, self.disturbed, self.promoted, self.reached.clone()) {
                return;
            }
        }
    }

    /// Where the piece `number` cannot go without ending the winner's chances.
    fn last_squares(&self, question: &Question, fixed: &Fixed, number: usize) -> u64 {
        let Piece { color, kind } = question.pieces[number];
        if color == question.winner {
            return self.losing_squares(question, fixed, number);
        }
        let Some(answers) = self.answers(question, fixed, self.reached[number]) else { return 0 };
        self.mating_squares(question, kind, answers) | self.uncovering_squares(question, number, answers)
    }

    /// Where the winner's last piece, `number`, would be captured at once: it checks the other
    /// king, which cannot move, from the next square, and a king, a pawn or a piece can surely
    /// capture it.
    fn losing_squares(&self, question: &Question, fixed: &Fixed, number: usize) -> u64 {
        let Piece { color, kind } = question.pieces[number];
        let king = self.king_squares(!color);
        if !king.is_power_of_two() || self.count(question, color) > 1 {
            return 0;
        }
        let defended = king_steps(self.king_squares(color));
        let checks = match kind {
            Role::Bishop | Role::Rook | Role::Queen => steps_of(kind, color, king),
            _ => 0,
        };
        checks & (!defended | fixed.attacked[index(!color)])
    }

    /// From where a piece of the other side would surely checkmate the winner, whose king cannot
    /// move and who can only capture or interpose on `answers`.
    fn mating_squares(&self, question: &Question, kind: Role, answers: u64) -> u64 {
        let king = self.king_squares(question.winner);
        let pawns = self.pawns[0] | self.pawns[1];
        let at = Square::new(king.trailing_zeros());
        // A pawn checks from where one of the winner's pawns would attack it from the king's
        // square.
        let checks = attacks_of(kind, question.winner, king, pawns) & !answers;
        let in_way = answers | self.in_way(question);
        each(checks).filter(|from| attacks::between(at, *from).0 & in_way == 0).fold(0, |all, from| all | 1 << from as u32)
    }

    /// Where the piece `number`, which has not moved yet, would surely let another one checkmate
    /// the winner: it has stood in the way of a check. `answers` are as for
    /// [`Structure::mating_squares`].
    fn uncovering_squares(&self, question: &Question, number: usize, answers: u64) -> u64 {
        let (color, start) = (question.pieces[number].color, self.reached[number]);
        if !start.is_power_of_two() {
            return 0;
        }
        let king = Square::new(self.king_squares(question.winner).trailing_zeros());
        let checkers = self.fixed_pieces(question, color).filter(|(other, piece, at)| {
            *other != number
                && matches!(piece.kind, Role::Bishop | Role::Rook | Role::Queen)
                && attacks_of(piece.kind, color, *at, 0) >> king as u32 & 1 == 1
        });
        let in_way = self.in_way(question) | self.pawns[0] | self.pawns[1];
        checkers.fold(0, |all, (.., at)| {
            let between = attacks::between(king, Square::new(at.trailing_zeros())).0;
            let line = between | at;
            let is_opened = between & in_way == start && line & answers == 0;
            if is_opened { all | !line } else { all }
        })
    }

    /// Where the winner may capture or interpose, if its king cannot move at all. A piece of the
    /// other side that may be on `mover` is about to move.
    fn answers(&self, question: &Question, fixed: &Fixed, mover: u64) -> Option<u64> {
        let winner = question.winner;
        let color = !winner;
        let king = self.king_squares(winner);
        if !king.is_power_of_two() {
            return None;
        }
        let pawns = self.pawns[0] | self.pawns[1];
        let own_pawns = self.pawns[index(winner)];
        let guards = self.fixed_pieces(question, color).filter(|(.., at)| at & mover == 0);
        let guarded = guards
            .fold(pawn_attacks(color, self.pawns[index(color)]), |all, (_, piece, at)| all | steps_of(piece.kind, color, at));
        if king_steps(king) & !(guarded | own_pawns | fixed.held[index(winner)]) != 0 {
            return None;
        }
        let forward = |at: u64| winner.fold_wb(at << 8, at >> 8) & !pawns;
        let blocked = pawns | king | (fixed.pieces[0] | fixed.pieces[1]) & !mover;
        let promoted = self.promoted[index(winner)];
        let by_promoted = attacks_of(Role::Queen, winner, promoted, blocked) | promoted_steps(promoted);
        let by_pawns = forward(own_pawns) | forward(forward(own_pawns)) | pawn_attacks(winner, own_pawns);
        let own = self.each_piece(question).filter(|(_, piece, _)| piece.color == winner);
        let by_pieces = own.fold(0, |all, (_, piece, reached)| all | reached | attacks_of(piece.kind, winner, reached, blocked));
        Some(by_promoted | by_pawns | by_pieces)
    }

    /// Where something but a pawn or the winner's king may stand in the way of a check.
    fn in_way(&self, question: &Question) -> u64 {
        let others = self.promoted[0] | self.promoted[1] | self.king_squares(!question.winner);
        self.each_piece(question).fold(others, |all, (_, _, reached)| all | reached)
    }

    /// Number of pawns and pieces of `color`. Promoted pieces count as one, captured ones that are
    /// not followed as if they stayed.
    fn count(&self, question: &Question, color: Color) -> usize {
        let own = self.each_piece(question).filter(|(_, piece, reached)| piece.color == color && *reached != 0);
        let pawns = self.pawns[index(color)].count_ones() as usize;
        pawns + usize::from(self.promoted[index(color)] != 0) + own.count()
    }

    /// Whether `color` may move without its king, and without changing the pawn structure.
    fn can_pass(&self, question: &Question, color: Color) -> bool {
        let mut own = self.each_piece(question).filter(|(_, piece, _)| piece.color == color);
        self.promoted[index(color)] != 0 || own.any(|(_, _, reached)| reached.count_ones() > 1)
    }

    /// Adds the squares that the kings can reach. Returns whether there are any.
    fn spread_kings(&mut self, question: &Question, fixed: &Fixed) -> bool {
        let winner = question.winner;
        let pawns = self.pawns[0] | self.pawns[1];
        let open = Color::ALL.map(|color| {
            let other = index(!color);
            !(pawns | fixed.pieces[index(color)] | fixed.held[other] | fixed.attacked[other])
        });
        let passes = Color::ALL.map(|color| self.can_pass(question, color));
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
                            self.checked[to as usize] |= left & self.discovered(question, Square::new(at as u32), left);
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
                    let discovering = |from: &Square| self.discovered(question, *from, king) != 0;
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
            self.capture(question, color, self.king_squares(color));
        }
        grown
    }

    /// Those of the squares `kings` on which a king is in check when the winner's king leaves
    /// `from`.
    fn discovered(&self, question: &Question, from: Square, kings: u64) -> u64 {
        let pawns = Bitboard(self.pawns[0] | self.pawns[1]);
        let promoted = self.promoted[index(question.winner)];
        let on = |kinds: [Role; 2]| {
            let own = self.each_piece(question).filter(|(_, piece, _)| piece.color == question.winner);
            own.filter(|(_, piece, _)| kinds.contains(&piece.kind)).fold(promoted, |all, (_, _, reached)| all | reached)
        };
        let (diagonal, straight) = (on([Role::Bishop, Role::Queen]), on([Role::Rook, Role::Queen]));
        if diagonal | straight == 0 {
            return 0;
        }
        let lines = [(attacks::bishop_attacks(from, pawns).0, diagonal), (attacks::rook_attacks(from, pawns).0, straight)];
        lines.into_iter().fold(0, |all, (seen, sliders)| {
            let found = each(seen & sliders).fold(0, |all, slider| all | attacks::ray(from, slider).0);
            all | (seen & found & kings)
        })
    }

    /// What is left of this structure when `color` has moved anything but its king. No king, and no
    /// piece but the one that moved, is on `squares`.
    fn after(&self, question: &Question, color: Color, squares: u64) -> Structure {
        let mut pairs = self.kings[index(color)];
        for (at, others) in pairs.iter_mut().enumerate() {
            *others = if squares >> at & 1 == 1 { 0 } else { *others & !squares };
        }
        let mut next = Structure { kings: [NONE; 2], checked: NONE, ..self.clone() };
        next.kings[index(!color)] = pairs;
        if color == question.winner {
            next.checked = pairs;
        }
        for squares_of_piece in next.reached.iter_mut().chain(&mut next.promoted) {
            *squares_of_piece &= !squares;
        }
        next
    }

    /// Passes each structure that one move makes of this one to `take`.
    fn each_next(&self, question: &Question, mut take: impl FnMut(Structure)) {
        for color in Color::ALL {
            self.each_pawn_move(question, color, &mut take);
            // Captures of pawns and of pieces that are followed.
            for at in each(self.pawns[index(!color)]) {
                self.each_capture(question, color, at, |next| next.pawns[index(!color)] &= !(1 << at as u32), &mut take);
            }
            let others = self.each_piece(question).filter(|(number, piece, _)| piece.color != color && question.follows(*number));
            for (victim, _, reached) in others {
                for at in each(reached) {
                    self.each_capture(question, color, at, |next| next.remove(victim), &mut take);
                }
            }
        }
    }

    /// Moves of the pawns of `color`.
    fn each_pawn_move(&self, question: &Question, color: Color, take: &mut impl FnMut(Structure)) {
        let fixed = self.fixed(question);
        let (own, other) = (self.pawns[index(color)], self.pawns[index(!color)]);
        let forward = |at: u64| color.fold_wb(at << 8, at >> 8);
        let blocked = own | other | fixed.pieces[0] | fixed.pieces[1];
        // Where a piece may be captured whose captures are not followed.
        let others = || self.each_piece(question).filter(|(_, piece, _)| piece.color != color);
        let unfollowed = others().filter(|(number, ..)| !question.follows(*number));
        let targets = unfollowed.fold(self.promoted[index(!color)] | other, |all, (_, _, reached)| all | reached);
        for from in each(own) {
            let start = 1_u64 << from as u32;
            let moved = |to: u64, through: u64| {
                let mut next = self.after(question, color, to | through);
                next.pawns[index(color)] &= !start;
                next.pawns[index(!color)] &= !to;
                if to & BACK_RANKS == 0 {
                    next.pawns[index(color)] |= to;
                } else {
                    next.promoted[index(color)] |= to;
                }
                next
            };
            let one = forward(start) & !blocked;
            let mut take_unless_mate = |next: Structure, to: u64| {
                let answers = if color == question.winner { None } else { next.answers(question, &next.fixed(question), 0) };
                if answers.is_none_or(|answers| next.mating_squares(question, Role::Pawn, answers) & to == 0) {
                    take(next);
                }
            };
            if one != 0 {
                take_unless_mate(moved(one, 0), one);
            }
            let two = forward(one) & !blocked;
            if two != 0 && from.rank() == color.fold_wb(Rank::Second, Rank::Seventh) {
                let next = moved(two, one);
                let capturers = pawn_attacks(color, one) & other;
                for capturer in each(capturers) {
                    take_unless_mate(next.en_passant(question, !color, (capturer, one, two)), 0);
                }
                // A capture en passant answers the check.
                take_unless_mate(next, if capturers == 0 { two } else { 0 });
            }
            for to in each(pawn_attacks(color, start) & !own) {
                let to = 1_u64 << to as u32;
                if to & targets != 0 {
                    let mut next = moved(to, 0);
                    // Whichever was there, none of them is fixed by what is left of its squares.
                    let victims = others().filter(|(number, _, reached)| !question.follows(*number) && reached & to != 0);
                    let victims = victims.fold(0, |all, (number, ..)| all | 1 << number);
                    next.captured |= victims;
                    next.disturbed |= victims;
                    take_unless_mate(next, to);
                }
                for (victim, ..) in others().filter(|(number, _, reached)| question.follows(*number) && reached & to != 0) {
                    let mut next = moved(to, 0);
                    next.remove(victim);
                    take_unless_mate(next, to);
                }
            }
        }
    }

    /// Captures on `at` by the pieces and the king of `color`. `remove` takes away what is
    /// captured.
    fn each_capture(
        &self,
        question: &Question,
        color: Color,
        at: Square,
        remove: impl Fn(&mut Structure),
        take: &mut impl FnMut(Structure),
    ) {
        let bit = 1_u64 << at as u32;
        let captured = || {
            let mut next = self.after(question, color, bit);
            remove(&mut next);
            next
        };
        let fixed = self.fixed(question);
        let blocked = self.pawns[0] | self.pawns[1] | fixed.pieces[0] | fixed.pieces[1] | fixed.kings;
        let capturers = self.each_piece(question).filter(|(_, piece, _)| piece.color == color);
        for (number, ..) in capturers.filter(|(_, piece, reached)| attacks_of(piece.kind, color, *reached, blocked) & bit != 0) {
            let mut next = captured();
            next.reached[number] = bit;
            if next.last_squares(question, &next.fixed(question), number) & bit == 0 {
                take(next);
            }
        }
        if promoted_steps(self.promoted[index(color)]) & bit != 0 {
            let mut next = captured();
            next.promoted[index(color)] |= bit;
            take(next);
        }
        if fixed.attacked[index(!color)] & bit != 0 {
            return;
        }
        let near = attacks::king_attacks(at).0;
        let mut next = captured();
        (next.kings, next.checked) = ([NONE; 2], NONE);
        for (white, &blacks) in (0..).zip(&self.kings[index(color)]) {
            let white = Square::new(white);
            let is_near = near >> white as u32 & 1 == 1;
            match color {
                Color::White if is_near => {
                    let left = blacks & !near;
                    next.kings[1][at as usize] |= left;
                    if color == question.winner {
                        next.checked[at as usize] |= left & self.discovered(question, white, left);
                    }
                }
                Color::Black if !is_near && blacks & near != 0 => {
                    next.kings[0][white as usize] |= bit;
                    let king = 1 << white as u32;
                    if color == question.winner && each(blacks & near).any(|from| self.discovered(question, from, king) != 0) {
                        next.checked[white as usize] |= bit;
                    }
                }
                _ => {}
            }
        }
        take(next);
    }

    /// Takes away a piece whose captures are followed.
    fn remove(&mut self, number: usize) {
        self.gone |= 1 << number;
        self.reached[number] = 0;
    }

    /// The structure after a pawn of `color` captured another one en passant.
    fn en_passant(&self, question: &Question, color: Color, (from, to, taken): (Square, u64, u64)) -> Structure {
        let mut next = self.after(question, color, to);
        next.pawns[index(color)] ^= 1 << from as u32 | to;
        next.pawns[index(!color)] &= !taken;
        next
    }

    /// Adds what another one with the same pawns has. Returns whether that is new.
    fn merge(&mut self, other: &Structure) -> bool {
        let mut grown = (other.captured & !self.captured) | (other.disturbed & !self.disturbed) != 0;
        self.captured |= other.captured;
        self.disturbed |= other.disturbed;
        let ours = self.kings.iter_mut().flatten().chain(&mut self.checked).chain(&mut self.reached).chain(&mut self.promoted);
        let theirs = other.kings.iter().flatten().chain(&other.checked).chain(&other.reached).chain(&other.promoted);
        for (ours, theirs) in ours.zip(theirs) {
            grown |= theirs & !*ours != 0;
            *ours |= theirs;
        }
        grown
    }

    /// Whether no position is like this, since the kings or a piece have nowhere to be, or whether
    /// the winner has nothing left.
    fn is_over(&self, question: &Question) -> bool {
        let is_missing =
            |(number, _, reached): (usize, Piece, u64)| reached == 0 && question.follows(number) && self.gone >> number & 1 == 0;
        self.count(question, question.winner) == 0 || self.kings == [NONE; 2] || self.each_piece(question).any(is_missing)
    }

    /// Whether the winner may have checkmated.
    fn may_be_mate(&self, question: &Question) -> bool {
        let winner = question.winner;
        let passes = self.can_pass(question, winner);
        let mating = Mating::of(self, question);
        let pairs = self.kings[index(winner)].iter().zip(&self.checked);
        let pairs = (0..).zip(pairs.map(|(pairs, checked)| if passes { pairs | checked } else { *checked }));
        pairs.filter(|(_, blacks)| *blacks != 0).any(|(white, blacks)| {
            let white = Square::new(white);
            match winner {
                Color::White => each(blacks & mating.checks).any(|black| mating.may_be_mated(black, white)),
                Color::Black => {
                    mating.checks >> white as u32 & 1 == 1 && each(blacks).any(|black| mating.may_be_mated(white, black))
                }
            }
        })
    }

    /// Whether pieces of `color` may be on all of these squares.
    fn may_be_filled(&self, question: &Question, color: Color, squares: u64) -> bool {
        let own = || self.each_piece(question).filter(|(_, piece, reached)| piece.color == color && reached & squares != 0);
        own().count() as u32 >= squares.count_ones() && own().fold(squares, |left, (_, _, reached)| left & !reached) == 0
    }
}

/// What may take part in a checkmate.
#[derive(Debug)]
struct Mating<'a> {
    structure: &'a Structure,
    question: &'a Question,
    /// The winner's pieces and where they can be.
    pieces: ArrayVec<(Piece, u64), MAX_PIECES>,
    /// What stops them.
    blocked: u64,
    /// What the winner's pawns attack.
    by_pawns: u64,
    /// What the winner may attack, except by its king.
    checks: u64,
    /// What may keep the other king from a square, besides attacks and its own pieces.
    filled: u64,
}

impl<'a> Mating<'a> {
    fn of(structure: &'a Structure, question: &'a Question) -> Mating<'a> {
        let winner = question.winner;
        let (own, other) = (index(winner), index(!winner));
        let fixed = structure.fixed(question);
        let own_king = structure.king_squares(winner) & fixed.kings;
        let blocked = structure.pawns[0] | structure.pawns[1] | fixed.pieces[0] | fixed.pieces[1] | own_king;
        let pieces: ArrayVec<_, MAX_PIECES> = structure
            .each_piece(question)
            .filter(|(_, piece, reached)| piece.color == winner && *reached != 0)
            .map(|(_, piece, reached)| (piece, reached))
            .collect();
        let by_pawns = pawn_attacks(winner, structure.pawns[own]);
        let checks = pieces.iter().fold(by_pawns | promoted_steps(structure.promoted[own]), |all, (piece, reached)| {
            all | attacks_of(piece.kind, winner, *reached, blocked)
        });
        // A king that never moves may be kept from capturing a pawn by a check from the opposite
        // direction.
        let behind = if structure.king_squares(!winner).is_power_of_two() { structure.pawns[own] } else { 0 };
        let filled = structure.pawns[other] | structure.promoted[other] | behind;
        Mating { structure, question, pieces, blocked, by_pawns, checks, filled }
    }

    /// Whether a king on `king` may be checkmated with the winner's king on `near`.
    fn may_be_mated(&self, king: Square, near: Square) -> bool {
        if !self.suffices(self.checks, king, near) {
            return false;
        }
        // One or two pieces may not attack all these squares at once.
        let winner = self.question.winner;
        if self.structure.promoted[index(winner)] != 0 || self.pieces.len() > 2 {
            return true;
        }
        let kings = 1 << near as u32 | 1 << king as u32;
        let attacked = |piece: Piece, at: Square| attacks_of(piece.kind, winner, 1 << at as u32, self.blocked | 1 << near as u32);
        match self.pieces[..] {
            [(one, reached)] => each(reached & !kings).any(|at| self.suffices(self.by_pawns | attacked(one, at), king, near)),
            [(one, reached), (two, other)] => each(reached & !kings).any(|at| {
                let checks = self.by_pawns | attacked(one, at);
                each(other & !(kings | 1 << at as u32)).any(|at| self.suffices(checks | attacked(two, at), king, near))
            }),
            _ => true,
        }
    }

    /// Whether these attacks may be a checkmate.
    fn suffices(&self, checks: u64, king: Square, near: Square) -> bool {
        let open = attacks::king_attacks(king).0 & !(checks | self.filled | attacks::king_attacks(near).0);
        checks >> king as u32 & 1 == 1 && self.structure.may_be_filled(self.question, !self.question.winner, open)
    }
}

impl Question {
    /// Whether a capture of this piece leads to another structure.
    const fn follows(&self, number: usize) -> bool {
        self.followed >> number & 1 == 1
    }
}

/// Whether captured pieces count as if they stayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Captures {
    Ignored,
    Followed,
}

/// Whether it is proven that `winner` can never checkmate. Gives up after [`MAX_LOOKS`].
pub(super) fn is_unwinnable(position: &SearchPosition, winner: Color, captures: Captures) -> bool {
    if position.rights != 0 {
        return false;
    }
    let followed = if captures == Captures::Followed { u32::MAX } else { 0 };
    let mut question = Question { winner, pieces: ArrayVec::new(), followed };
    let mut reached = ArrayVec::new();
    for at in each((position.knights | position.diagonal | position.straight) & position.occupied()) {
        let bit = 1_u64 << at as u32;
        let color = Color::from_white(position.side[0] & bit != 0);
        let kind = position.kind(bit);
        if question.pieces.try_push(Piece { color, kind }).is_err() {
            return false;
        }
        reached.push(bit);
    }
    // Without its last piece, the winner has nothing to checkmate with.
    let mut own = (0..).zip(&question.pieces).filter(|(_, piece)| piece.color == winner);
    if let (Some((last, _)), None, 0) = (own.next(), own.next(), position.pawns & position.of(winner)) {
        question.followed |= 1 << last;
    }
    let pawns = position.side.map(|side| side & position.pawns);
    let mut pairs = NONE;
    pairs[position.king(Color::White) as usize] = 1 << position.king(Color::Black) as u32;
    let mut first =
        Structure { pawns, kings: [NONE; 2], checked: NONE, gone: 0, captured: 0, disturbed: 0, reached, promoted: [0; 2] };
    first.kings[index(position.turn)] = pairs;
    if position.turn != winner {
        first.checked = pairs;
    }
    let mut starts = vec![first.clone()];
    if let Some(target) = position.en_passant {
        let turn = position.turn;
        let capturers = each(attacks::pawn_attacks(!turn, target).0 & first.pawns[index(turn)]);
        starts.extend(
            capturers.map(|from| first.en_passant(&question, turn, (from, 1 << target as u32, 1 << (target as u32 ^ 8)))),
        );
    }
    is_never_mate(&question, starts)
}

/// Whether no structure that follows from these may have a checkmate.
fn is_never_mate(question: &Question, starts: Vec<Structure>) -> bool {
    let mut known =
        Known { structures: Vec::new(), numbers: FxHashMap::default(), queue: VecDeque::new(), is_queued: Vec::new() };
    for start in starts {
        known.add(question, start);
    }
    for _ in 0..MAX_LOOKS {
        let Some(number) = known.queue.pop_front() else { return true };
        known.is_queued[number] = false;
        known.structures[number].spread(question);
        let structure = known.structures[number].clone();
        if structure.may_be_mate(question) {
            return false;
        }
        structure.each_next(question, |next| known.add(question, next));
    }
    false
}

/// The structures that were reached.
struct Known {
    structures: Vec<Structure>,
    /// The number of the structure with these pawns, without these pieces.
    numbers: FxHashMap<([u64; 2], u32), usize>,
    /// The numbers of those that have to be looked at, again if they have grown.
    queue: VecDeque<usize>,
    /// Whether each is in the queue.
    is_queued: Vec<bool>,
}

impl Known {
    /// Adds what a move leads to, if that is possible.
    fn add(&mut self, question: &Question, structure: Structure) {
        if structure.is_over(question) {
            return;
        }
        let number = *self.numbers.entry((structure.pawns, structure.gone)).or_insert(self.structures.len());
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
