//! What has to be different before a ply that cannot be played becomes possible.
//!
//! A repair changes one ply of a line, and the plies after it are played as written. Until the ply
//! that fails, the positions then differ from those that were reached on a few squares only.
//! [`Needs`] are the squares that decide whether the failing ply becomes possible. Followed back
//! through the line, they show whether a change makes such a difference. If it does not, it need
//! not be played.
//!
//! Going back over a ply, two things happen. Its text names the piece, so that the target contains
//! the same piece afterwards, and no difference on that square lasts. And where several pieces of a
//! kind could be meant, a difference may let another one make the move, so that two more squares
//! differ.

use shakmaty::{Bitboard, CastlingSide, Move, Role, Square};

use super::{
    Board, Castling, MoveFilter, Movement, Snapshot, between, beyond, each,
    history::PackedPly,
    plausible::origins,
    square_tables::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK},
};
use crate::chess::WrittenMove;

/// How a position in a line has to differ from the one that was reached, so that a later ply which
/// cannot be played may become possible: at least in one of these ways.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// Squares with anything else on them.
    any: u64,
    /// Squares with a piece of kind `kind` of side `side` (0 is White), which is not there now.
    piece: u64,
    kind: u8,
    side: usize,
    /// For each side, whether its king may be elsewhere.
    king: [bool; 2],
}

impl Needs {
    /// Any difference may be enough.
    pub const ALL: Needs = Needs { any: u64::MAX, king: [true; 2], ..Needs::NOTHING };

    /// No difference is enough.
    pub const NOTHING: Needs = Needs { any: 0, piece: 0, kind: PAWN, side: 0, king: [false; 2] };

    /// Goes back over a ply of the line: the move `played` by Black (`black`) or White in
    /// `position`, written as `what`.
    pub fn step_back(&mut self, position: &Snapshot, what: WrittenMove, played: Move, black: bool) {
        let side = usize::from(black);
        if let WrittenMove::Coordinates { .. } = what {
            // Whatever stands on its origin makes the move.
            *self = Needs::ALL;
            return;
        }
        let (Move::Normal { from, to, .. } | Move::EnPassant { from, to }) = played else {
            self.king[side] = false;
            return;
        };
        let (kind, from, to) = (played.role() as u8, usize::from(from), usize::from(to));
        let after = *self;
        // Afterwards, the same piece is there in any case.
        self.remove(1 << to);
        if kind == KING {
            // So is the king. Where it came from, something else may have been.
            self.king[side] = false;
            return;
        }
        let allowed = match what {
            WrittenMove::Normal { file, rank, .. } => {
                Movement::of_mover(kind, side, played.is_capture()).to(to) & origins(file, rank)
            }
            _ => 1 << from,
        };
        if allowed == 1 << from {
            self.remove(1 << from);
            return;
        }
        // If something keeps this piece from making the move, and another one makes it, both of
        // their squares differ.
        let stays = after.any | if (kind, side) == (self.kind, self.side) { after.piece } else { 0 };
        let king = usize::from(position.kings[side] & 63);
        if stays >> from & 1 != 0 {
            self.any |= between(from, to) | between(king, from) | beyond(king, from);
            self.king[side] = true;
        }
        let others = allowed & position.pieces[side][usize::from(kind & 7)] & after.any & !(1 << from);
        for other in each(others) {
            let obstacles = between(other, to) & (position.side[0] | position.side[1]);
            if obstacles == 0 {
                self.any |= position.pinning_line(other, king, side).unwrap_or(u64::MAX);
                self.king[side] = true;
            }
            self.any |= obstacles & obstacles.wrapping_neg();
        }
    }

    fn remove(&mut self, squares: u64) {
        self.any &= !squares;
        self.piece &= !squares;
    }

    /// Whether a move by Black (`black`) or White makes such a difference: instead of another move,
    /// or as an additional one.
    pub fn are_met(&self, played: Move, instead_of: Option<Move>, black: bool) -> bool {
        let side = usize::from(black);
        let moves_king = |played: Move| played.role() == Role::King;
        if self.king[side] && (moves_king(played) || instead_of.is_some_and(moves_king)) {
            return true;
        }
        let Move::Normal { role, from, to, promotion, .. } = played else {
            return self.touch(squares(played) | instead_of.map_or(Bitboard::EMPTY, squares));
        };
        let placed = promotion.unwrap_or(role);
        // The squares that differ, and those of them with a piece that is needed.
        let mut differing = 1_u64 << usize::from(from) | 1 << usize::from(to);
        let mut supplied = if self.is_needed(placed, side) { 1 << usize::from(to) } else { 0 };
        match instead_of {
            None => {}
            Some(Move::Normal { role, from: other_from, to: other_to, capture, promotion }) => {
                let (start, end) = (1 << usize::from(other_from), 1 << usize::from(other_to));
                if other_from == from {
                    differing &= !start;
                } else {
                    differing |= start;
                    supplied |= if self.is_needed(role, side) { start } else { 0 };
                }
                if other_to != to {
                    differing |= end;
                    supplied |= if capture.is_some_and(|role| self.is_needed(role, 1 - side)) { end } else { 0 };
                } else if promotion.unwrap_or(role) == placed {
                    differing &= !end;
                    supplied &= !end;
                }
            }
            Some(other) => return self.touch(squares(played) | squares(other)),
        }
        differing & self.any != 0 || supplied & self.piece != 0
    }

    /// Whether `piece` asks for this kind of piece of this side.
    fn is_needed(&self, role: Role, side: usize) -> bool {
        (role as u8, side) == (self.kind, self.side)
    }

    fn touch(&self, squares: Bitboard) -> bool {
        squares.0 & (self.any | self.piece) != 0
    }

    /// The moves by Black (`black`) or White in `position` for which [`Needs::are_met`] can be
    /// true, and possibly more. `None` if there are none.
    pub fn filter(&self, position: &Snapshot, instead_of: Option<Move>, black: bool) -> Option<MoveFilter> {
        let side = usize::from(black);
        let is_enough = match instead_of {
            None => false,
            Some(Move::Normal { role, from, to, capture, .. }) => {
                let (from, to) = (1 << usize::from(from), 1 << usize::from(to));
                self.any & (from | to) != 0
                    || self.piece & from != 0 && self.is_needed(role, side)
                    || self.piece & to != 0 && capture.is_some_and(|role| self.is_needed(role, 1 - side))
                    || role == Role::King && self.king[side]
            }
            Some(other) => self.touch(squares(other)) || self.king[side],
        };
        if is_enough {
            return Some(MoveFilter::NONE);
        }
        let piece = if side == self.side { self.piece } else { 0 };
        let king = if self.king[side] { 1 << (position.kings[side] & 63) } else { 0 };
        let touched = self.any | piece | king;
        let mut filter = MoveFilter { touched, ..MoveFilter::NONE };
        if self.any == 0 {
            filter.targets = [0; 7];
            filter.targets[usize::from(self.kind & 7) % 7] = piece;
            filter.targets[usize::from(KING)] |= if king == 0 { 0 } else { u64::MAX };
        }
        (touched != 0).then_some(filter)
    }
}

impl Snapshot {
    /// What has to differ before Black (`black`) or White, which is to move, can play a move that
    /// names a piece and its target, and cannot be played now.
    fn needs(&self, what: WrittenMove, black: bool) -> Needs {
        let WrittenMove::Normal { role, file, rank, to, .. } = what else { return Needs::ALL };
        let captures = role == Role::Pawn && file.is_some_and(|file| file != to.file());
        let (side, kind, to) = (usize::from(black), role as u8, usize::from(to));
        if role == Role::King {
            return self.needs_of_king(to, side);
        }
        let target = 1_u64 << to;
        let (own, enemies, king) = (self.side[side], self.side[1 - side], usize::from(self.kings[side] & 63));
        // A capture en passant, which may also end a check by the pawn.
        if captures && (self.en_passant() == Some(to) || self.check && target & enemies == 0) {
            return Needs::ALL;
        }
        let mut needs = Needs { kind, side, ..Needs::NOTHING };
        let mut checks = self.lines_to(king, side, own | enemies);
        if let Some(line) = checks.find(|line| self.check && line & target == 0) {
            needs.any = line;
            needs.king[side] = true;
            return needs;
        }
        let is_unsuitable = match (role, captures) {
            (Role::Pawn, true) => target & enemies == 0,
            (Role::Pawn, false) => target & (own | enemies) != 0,
            _ => target & own != 0,
        };
        if is_unsuitable {
            // A capture en passant becomes possible if a pawn passes the target.
            needs.any = target | if captures { target << 8 | target >> 8 } else { 0 };
            return needs;
        }
        let reach = Movement::of_mover(kind, side, captures).to(to) & origins(file, rank);
        let standing = reach & self.pieces[side][usize::from(kind & 7)];
        needs.piece = reach & !standing;
        let mut movers = 0_u64;
        for from in each(standing) {
            let obstacles = between(from, to) & (own | enemies);
            if obstacles != 0 {
                needs.any |= obstacles & obstacles.wrapping_neg();
            } else if let Some(line) = self.pinning_line(from, king, side).filter(|line| line & target == 0) {
                needs.any |= line;
                needs.king[side] = true;
            } else {
                movers |= 1 << from;
            }
        }
        match movers.count_ones() {
            0 => needs,
            // It is not a square that keeps it from being played: perhaps a promotion is missing.
            1 => Needs::ALL,
            _ => {
                needs = Needs { kind, side, ..Needs::NOTHING };
                for from in each(movers) {
                    needs.any |= 1 << from | between(from, to) | between(king, from) | beyond(king, from);
                }
                needs.king[side] = true;
                needs
            }
        }
    }

    /// What has to differ before the king of `side` can go to a square.
    fn needs_of_king(&self, to: usize, side: usize) -> Needs {
        let mut needs = Needs { side, ..Needs::NOTHING };
        needs.king[side] = true;
        let king = 1_u64 << (self.kings[side] & 63);
        if Movement::of(KING).to(to) & king == 0 {
            return needs;
        }
        if self.side[side] >> to & 1 != 0 {
            needs.any = 1 << to;
            return needs;
        }
        let enemy = usize::from(self.kings[1 - side] & 63);
        if Movement::of(KING).to(to) >> enemy & 1 != 0 {
            needs.king[1 - side] = true;
            return needs;
        }
        let line = self.lines_to(to, side, (self.side[0] | self.side[1]) & !king).next();
        line.map_or(Needs::ALL, |line| Needs { any: line, ..needs })
    }

    /// What has to differ before `side` can castle in this way.
    fn needs_to_castle(&self, how: &Castling, side: usize) -> Needs {
        if self.unmoved & how.home != how.home {
            // Perhaps another move keeps the right to it.
            return Needs::ALL;
        }
        let occupied = self.side[0] | self.side[1];
        let obstacles = occupied & how.empty;
        if obstacles != 0 {
            return Needs { any: obstacles & obstacles.wrapping_neg(), ..Needs::NOTHING };
        }
        let king = usize::from(how.king[0] & 63);
        let passed = if self.check { 1 << king } else { how.passed };
        let enemy = usize::from(self.kings[1 - side] & 63);
        for at in each(passed) {
            if let Some(line) = self.lines_to(at, side, occupied).next() {
                return Needs { any: line, ..Needs::NOTHING };
            }
            if Movement::of(KING).to(at) >> enemy & 1 != 0 {
                let mut needs = Needs::NOTHING;
                needs.king[1 - side] = true;
                return needs;
            }
        }
        Needs::ALL
    }

    /// For each piece, kings left out, by which the other side than `side` attacks a square: its
    /// square and those between.
    fn lines_to(&self, to: usize, side: usize, occupied: u64) -> impl Iterator<Item = u64> {
        let of = |kind: u8| self.pieces[1 - side][usize::from(kind)];
        let attackers = (Movement::of(KNIGHT).to(to) & of(KNIGHT))
            | (Movement::CAPTURE[1 - side].to(to) & of(PAWN))
            | (Movement::of(BISHOP).to(to) & (of(BISHOP) | of(QUEEN)))
            | (Movement::of(ROOK).to(to) & (of(ROOK) | of(QUEEN)));
        each(attackers)
            .map(move |from| (1 << from, between(from, to)))
            .filter(move |(_, line)| line & occupied == 0)
            .map(|(from, line)| from | line)
    }

    /// The squares between a king of `side` and the piece that pins the one on `from`, with that
    /// piece and without `from`.
    fn pinning_line(&self, from: usize, king: usize, side: usize) -> Option<u64> {
        let others = (self.side[0] | self.side[1]) & !(1 << from);
        let attacks = |slider: &usize| Movement::of(self.mailbox[*slider]).to(*slider) >> king & 1 != 0;
        let mut pinning = each(beyond(king, from) & self.sliders[1 - side]).filter(attacks);
        pinning
            .find(|slider| between(king, *slider) & others == 0)
            .map(|slider| 1 << slider | between(king, slider) & !(1 << from))
    }

    /// The en passant target square, if the last move was a two-square advance.
    pub(super) fn en_passant(&self) -> Option<usize> {
        self.end.1.passed(&self.mailbox)
    }
}

impl Board {
    /// What has to differ before Black (`black`) or White can play what is written and cannot be
    /// played in an earlier position, in which it is to move.
    pub fn needs_in(&self, earlier: &Snapshot, what: WrittenMove, black: bool) -> Needs {
        let side = usize::from(black);
        match what {
            WrittenMove::Castle(wing) => {
                earlier.needs_to_castle(self.castling[side][usize::from(wing == CastlingSide::QueenSide)], side)
            }
            _ => earlier.needs(what, black),
        }
    }

    /// Lets the side to move pass, even if it is in check. No capture en passant is possible after
    /// that.
    pub fn pass(&mut self) {
        self.history.note(PackedPly::NONE);
    }
}

/// The squares that a move changes, and for castling the whole rank.
fn squares(played: Move) -> Bitboard {
    match played {
        Move::Castle { king, rook } => Bitboard::from_rank(king.rank()) | Bitboard::from_square(rook),
        Move::EnPassant { from, to } => {
            let victim = Square::from_coords(to.file(), from.rank());
            Bitboard::from_square(from).with(to).with(victim)
        }
        _ => played.from().map_or(Bitboard::EMPTY, Bitboard::from_square).with(played.to()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::board::written_moves::tests::position;

    #[test]
    fn castling_needs_a_free_and_safe_way() {
        for (fen, wing, squares, king) in [
            ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", CastlingSide::KingSide, "f1", false),
            ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", CastlingSide::QueenSide, "b1", false),
            ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", CastlingSide::KingSide, "f2 f3 f4 f5 f6 f7 f8", false),
            ("4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1", CastlingSide::KingSide, "b4 c3 d2", false),
            ("8/8/8/8/8/8/6k1/R3K2R w KQ - 0 1", CastlingSide::KingSide, "", true),
        ] {
            let board = Board::of(&position(fen));
            let needs = board.needs_in(&board.snapshot(), WrittenMove::Castle(wing), false);
            let expected = squares.split_whitespace().map(|name| name.parse::<Square>().expect(name));
            let found = (Bitboard(needs.any), needs.piece, needs.king);
            assert_eq!(found, (expected.collect(), 0, [false, king]), "{fen}");
        }
        let board = Board::of(&position("4k3/8/8/8/8/8/8/R3KB1R w Q - 0 1"));
        let needs = board.needs_in(&board.snapshot(), WrittenMove::Castle(CastlingSide::KingSide), false);
        assert_eq!((needs.any, needs.king), (u64::MAX, [true; 2]), "perhaps the rook need not move");
    }
}
