//! Possible last moves: moves are blocked back, and the position before each is examined.
//!
//! Every possible last move is found. Some moves that are found may be impossible for reasons that
//! are not examined.

use std::ops::ControlFlow;

use shakmaty::{
    Bitboard, Board, ByColor, CastlingSide, Color, File, Move, Piece, Rank, Role, Square,
    attacks::{attacks, between, king_attacks, pawn_attacks, queen_attacks},
};

use super::{ANY_START, StartingRanks, Structure};

/// Number of moves that are blocked back in a row.
const DEPTH: u32 = 2;

/// Maximum number of positions that are examined for one question. If they are used up, the move
/// counts as possible.
const BUDGET: u32 = 400;

/// What is known about a position, other than the board and the side to move.
#[derive(Clone, Copy, Debug)]
pub struct KnownHistory {
    /// Pieces that have not moved: kings and rooks that have a castling right.
    pub unmoved: Bitboard,
    /// Origin and square of the pawn, if an en passant square says that the last move was a double
    /// step.
    pub double_step: Option<(Square, Square)>,
    /// The starting position. Castling of a side whose home rank is known starts from e1, a1 and
    /// h1. Otherwise kings and rooks can be wherever Chess960 has them.
    pub start: StartingRanks,
}

impl Default for KnownHistory {
    fn default() -> KnownHistory {
        KnownHistory { unmoved: Bitboard::EMPTY, double_step: None, start: ANY_START }
    }
}

/// The moves that can have led to a position.
#[derive(Clone, Debug)]
pub struct LastMoves {
    board: Board,
    turn: Color,
    known: KnownHistory,
    kings: ByColor<Square>,
    /// The pieces that give check to the side to move.
    checkers: Bitboard,
    /// A quiet piece move that is easy to see and before which nobody was in check.
    obvious: Option<Move>,
}

impl LastMoves {
    /// The moves that can have led to `board` with `turn` to move. `None` unless each side has
    /// exactly one king. The king of the other side must not be in check.
    pub fn new(board: &Board, turn: Color, known: KnownHistory) -> Option<LastMoves> {
        let king = |color: Color| (board.kings() & board.by_color(color)).single_square();
        let kings = ByColor { white: king(Color::White)?, black: king(Color::Black)? };
        Some(LastMoves::with_kings(board.clone(), turn, known, kings))
    }

    /// The same for games from this starting position.
    pub fn with_start(&self, start: StartingRanks) -> LastMoves {
        let mut moves = self.clone();
        moves.known.start = start;
        moves
    }

    fn with_kings(board: Board, turn: Color, known: KnownHistory, kings: ByColor<Square>) -> LastMoves {
        let checkers = board.attacks_to(*kings.get(turn), !turn, board.occupied());
        let mut moves = LastMoves { board, turn, known, kings, checkers, obvious: None };
        moves.obvious = if known.double_step.is_none() { moves.piece_steps_back() } else { None };
        moves
    }

    /// Whether there is any possible last move.
    pub fn exist(&self) -> bool {
        self.obvious_is_possible() || self.can_be(|_| true)
    }

    /// Whether the last move can have been neither a capture nor a pawn move, so that the halfmove
    /// clock counts it.
    pub fn quiet(&self) -> bool {
        self.obvious_is_possible() || self.can_be(|last| !last.is_zeroing())
    }

    /// Whether the last move can have been a capture or a pawn move, which sets the halfmove clock
    /// to 0.
    pub fn zeroing(&self) -> bool {
        self.known.double_step.is_none() && (self.pawn_steps_back() || self.piece_captured())
            || self.can_be(|last| last.is_zeroing())
    }

    /// Whether one of the `wanted` moves is possible, after examination of the positions before it.
    pub fn can_be(&self, wanted: impl Fn(Move) -> bool) -> bool {
        self.search(&wanted, DEPTH, &mut { BUDGET })
    }

    /// The moves that are possible at first sight: the position before has allowed numbers of
    /// pieces, and the side that was not to move was not in check. Earlier moves are not examined.
    pub fn at_first_sight(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let _ = self.each(&mut |last| {
            moves.push(last);
            ControlFlow::Continue(())
        });
        moves
    }

    /// The empty squares from which the piece on `square` can have come by the path it moves,
    /// promotion included.
    pub fn origins(&self, square: Square) -> Bitboard {
        let free = !self.board.occupied();
        let step = Bitboard::from(square).shift(self.back()) & free;
        let as_pawn = (step | pawn_attacks(self.turn, square)) & free & !Bitboard::BACKRANKS;
        match self.board.role_at(square) {
            None => Bitboard::EMPTY,
            Some(Role::Pawn) if square.rank() == self.mover().fold_wb(Rank::Fourth, Rank::Fifth) => {
                as_pawn | step.shift(self.back()) & free
            }
            Some(Role::Pawn) => as_pawn,
            Some(role) => {
                let promoted = role != Role::King && square.rank() == self.mover().fold_wb(Rank::Eighth, Rank::First);
                let origins = attacks(square, Piece { color: self.mover(), role }, !free) & free;
                if promoted { origins | as_pawn } else { origins }
            }
        }
    }

    /// Whether a game can begin with the position: White is to move, and all pieces are at home.
    pub fn is_starting_position(&self) -> bool {
        let pawns = |color: Color, rank: Rank| Bitboard::from_rank(rank).is_subset(self.board.by_piece(color.pawn()));
        let at_home = |color: Color, rank: Rank| {
            let home = self.known.start.get(color);
            let is_at_home = |file: File| {
                let piece = self.board.piece_at(Square::from_coords(file, rank));
                piece.is_some_and(|piece| {
                    piece.color == color
                        && home.is_none_or(|home| home.homes(piece.role).contains(Square::from_coords(file, Rank::First)))
                })
            };
            File::ALL.into_iter().all(is_at_home)
        };
        self.turn.is_white()
            && pawns(Color::White, Rank::Second)
            && pawns(Color::Black, Rank::Seventh)
            && at_home(Color::White, Rank::First)
            && at_home(Color::Black, Rank::Eighth)
    }

    /// The side that has just moved.
    fn mover(&self) -> Color {
        !self.turn
    }

    fn obvious_is_possible(&self) -> bool {
        self.obvious.is_some_and(|last| self.is_possible(last, DEPTH, &mut { BUDGET }))
    }

    /// A move that takes a piece back to an empty square while neither king is on a line with the
    /// square that it leaves. So nobody was in check before.
    fn piece_steps_back(&self) -> Option<Move> {
        let board = &self.board;
        let (theirs, ours) = (*self.kings.get(self.turn), *self.kings.get(self.mover()));
        let occupied = board.occupied();
        let pieces = board.by_color(self.mover()) & !self.known.unmoved & !board.pawns();
        let hidden = !queen_attacks(ours, occupied);
        let movers = match self.checkers.count() {
            0 => pieces & hidden & !queen_attacks(theirs, occupied),
            1 => pieces & hidden & self.checkers,
            _ => return None,
        };
        let quiet = |role, from, to| Move::Normal { role, from, capture: None, to, promotion: None };
        let steps_back = |to: Square| {
            let piece = board.piece_at(to)?;
            let vacated = occupied.without(to);
            let from = (attacks(to, piece, occupied) & !occupied & !attacks(theirs, piece, vacated)).first()?;
            let was_in_check = || self.checkers.any() && board.attacks_to(theirs, self.mover(), vacated).without(to).any();
            (!was_in_check()).then_some(quiet(piece.role, from, to))
        };
        if let Some(last) = (movers & !board.kings()).into_iter().find_map(steps_back) {
            return Some(last);
        }
        let cannot_move_back = self.checkers.any() || !pieces.contains(ours) || queen_attacks(theirs, occupied).contains(ours);
        let vacated = occupied.without(ours);
        let mut origins = king_attacks(ours) & !occupied & !king_attacks(theirs);
        origins = if cannot_move_back { Bitboard::EMPTY } else { origins };
        let from = origins.into_iter().find(|&from| board.attacks_to(from, self.turn, vacated).is_empty())?;
        Some(quiet(Role::King, from, ours))
    }

    /// The same for pawns: whether one can be blocked back to an empty square.
    fn pawn_steps_back(&self) -> bool {
        let (theirs, ours) = (*self.kings.get(self.turn), *self.kings.get(self.mover()));
        let occupied = self.board.occupied();
        let pawns = self.board.by_piece(self.mover().pawn()) & !queen_attacks(theirs, occupied) & !queen_attacks(ours, occupied);
        let origins = pawns.shift(self.back()) & !occupied & !Bitboard::BACKRANKS & !pawn_attacks(self.turn, theirs);
        self.checkers.is_empty() && origins.any()
    }

    /// Whether that piece can have captured a rook or a queen. It gave no check, because no king is
    /// on a line with it.
    fn piece_captured(&self) -> bool {
        let victims = Spare::of(&self.board, self.turn);
        self.obvious.is_some() && self.checkers.is_empty() && (victims.rook || victims.queen)
    }

    fn search(&self, wanted: &dyn Fn(Move) -> bool, depth: u32, budget: &mut u32) -> bool {
        let found = self.each(&mut |last| {
            if wanted(last) && self.is_possible(last, depth, budget) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found.is_break()
    }

    /// Whether nothing speaks against the position before `last`.
    fn is_possible(&self, last: Move, depth: u32, budget: &mut u32) -> bool {
        if depth == 0 || *budget == 0 {
            return true;
        }
        *budget -= 1;
        let before = self.before(last);
        if !(before.is_starting_position() || before.obvious.is_some() || before.search(&|_| true, depth - 1, budget)) {
            return false;
        }
        // A piece move to an empty square does not change the pawns, the number of pieces or the
        // cages.
        let same_structure = matches!(last, Move::Normal { capture: None, promotion: None, role, .. } if role != Role::Pawn);
        same_structure || depth < DEPTH || !before.structure_is_impossible()
    }

    fn structure_is_impossible(&self) -> bool {
        Structure::new(&self.board, self.known.unmoved, &self.known.start).is_impossible()
    }

    /// The position before `last`.
    fn before(&self, last: Move) -> LastMoves {
        let mut known = KnownHistory { double_step: None, ..self.known };
        let mut kings = self.kings;
        let mover = kings.get_mut(self.mover());
        match last {
            Move::Castle { king, rook } => {
                known.unmoved = known.unmoved.with(king).with(rook);
                *mover = king;
            }
            Move::EnPassant { to, .. } => {
                let (pawn, origin) = self.mover().fold_wb((-8, 8), (8, -8));
                known.double_step = to.offset(origin).zip(to.offset(pawn));
            }
            Move::Normal { role: Role::King, from, .. } => *mover = from,
            Move::Normal { .. } | Move::Put { .. } => {}
        }
        LastMoves::with_kings(self.board_before(last), self.mover(), known, kings)
    }

    /// The board before `last`.
    fn board_before(&self, last: Move) -> Board {
        let mut board = self.board.clone();
        let (mover, other) = (self.mover(), self.turn);
        match last {
            Move::Normal { role, from, capture, to, .. } => {
                match capture {
                    Some(role) => board.set_piece_at(to, Piece { color: other, role }),
                    None => board.discard_piece_at(to),
                }
                board.set_piece_at(from, Piece { color: mover, role });
            }
            Move::EnPassant { from, to } => {
                board.discard_piece_at(to);
                board.set_piece_at(from, mover.pawn());
                if let Some(pawn) = to.offset(mover.fold_wb(-8, 8)) {
                    board.set_piece_at(pawn, other.pawn());
                }
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                board.discard_piece_at(side.king_to(mover));
                board.discard_piece_at(side.rook_to(mover));
                board.set_piece_at(king, mover.king());
                board.set_piece_at(rook, mover.rook());
            }
            Move::Put { .. } => {}
        }
        board
    }

    /// Passes every move that is possible at first sight to `visit`, until it breaks.
    fn each(&self, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if let Some((from, to)) = self.known.double_step {
            return self.offer(Move::Normal { role: Role::Pawn, from, capture: None, to, promotion: None }, visit);
        }
        let pieces = self.board.by_color(self.mover()) & !self.known.unmoved;
        let victims = Spare::of(&self.board, self.turn);
        let own = Spare::of(&self.board, self.mover());
        // If there is a check, usually the checking piece has moved.
        for squares in
            [pieces & self.checkers, pieces & !self.checkers & !self.board.pawns(), pieces & !self.checkers & self.board.pawns()]
        {
            for to in squares {
                match self.board.role_at(to) {
                    Some(Role::Pawn) => self.pawn_moves(to, &victims, visit)?,
                    Some(role) => {
                        self.piece_moves(role, to, &victims, visit)?;
                        if to.rank() == self.mover().fold_wb(Rank::Eighth, Rank::First) && own.can_be_promoted(role, to) {
                            self.promotions(role, to, &victims, visit)?;
                        }
                    }
                    None => {}
                }
            }
        }
        self.castlings(visit)
    }

    /// Passes a move to `visit` if the side that was not to move was not in check before it.
    fn offer(&self, last: Move, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.left_in_check(&self.board_before(last)) { ControlFlow::Continue(()) } else { visit(last) }
    }

    /// Whether the side to move was already in check on `board`, when it was not to move.
    fn left_in_check(&self, board: &Board) -> bool {
        board.attacks_to(*self.kings.get(self.turn), self.mover(), board.occupied()).any()
    }

    /// Whether more than two pieces gave check to the mover's king on `board`.
    fn too_many_checks(&self, board: &Board, king: Square) -> bool {
        board.attacks_to(king, self.turn, board.occupied()).count() > 2
    }

    fn piece_moves(
        &self,
        role: Role,
        to: Square,
        victims: &Spare,
        visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = self.board.occupied();
        let origins = attacks(to, Piece { color: self.mover(), role }, occupied) & !occupied;
        for from in origins {
            let mut offer = |capture: Option<Role>| {
                let last = Move::Normal { role, from, capture, to, promotion: None };
                let board = self.board_before(last);
                // Moving a piece ends one check; only the king can end more.
                if self.left_in_check(&board) || role == Role::King && self.too_many_checks(&board, from) {
                    ControlFlow::Continue(())
                } else {
                    visit(last)
                }
            };
            offer(None)?;
            for victim in victims.roles(to) {
                offer(Some(victim))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn promotions(
        &self,
        role: Role,
        to: Square,
        victims: &Spare,
        visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let free = !self.board.occupied();
        let last = |from, capture| Move::Normal { role: Role::Pawn, from, capture, to, promotion: Some(role) };
        // The board before is built with the role that moved, so promotions need nothing else.
        if let Some(from) = to.offset(self.back()).filter(|&from| free.contains(from)) {
            self.offer(last(from, None), visit)?;
        }
        for from in pawn_attacks(self.turn, to) & free {
            for victim in victims.roles(to) {
                self.offer(last(from, Some(victim)), visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn pawn_moves(&self, to: Square, victims: &Spare, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let mover = self.mover();
        let free = !self.board.occupied() & !Bitboard::from_rank(mover.fold_wb(Rank::First, Rank::Eighth));
        let last = |from, capture| Move::Normal { role: Role::Pawn, from, capture, to, promotion: None };
        if let Some(step) = to.offset(self.back()).filter(|&step| free.contains(step)) {
            self.offer(last(step, None), visit)?;
            let double = step.offset(self.back()).filter(|&from| free.contains(from));
            if let Some(from) = double.filter(|_| to.rank() == mover.fold_wb(Rank::Fourth, Rank::Fifth)) {
                self.offer(last(from, None), visit)?;
            }
        }
        for from in pawn_attacks(self.turn, to) & free {
            for victim in victims.roles(to) {
                self.offer(last(from, Some(victim)), visit)?;
            }
        }
        if to.rank() == mover.fold_wb(Rank::Sixth, Rank::Third) && victims.pawn {
            self.en_passant(to, visit)?;
        }
        ControlFlow::Continue(())
    }

    fn en_passant(&self, to: Square, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let free = !self.board.occupied();
        let around = to.offset(self.back()).zip(to.offset(-self.back()));
        let Some((pawn, home)) = around.filter(|&(pawn, home)| free.contains(pawn) && free.contains(home)) else {
            return ControlFlow::Continue(());
        };
        for from in pawn_attacks(self.turn, to) & free {
            let last = Move::EnPassant { from, to };
            let mut earlier = self.board_before(last);
            if self.left_in_check(&earlier) {
                continue;
            }
            // The double step was the move before that, and it left nobody in check either.
            earlier.discard_piece_at(pawn);
            earlier.set_piece_at(home, self.turn.pawn());
            if earlier.attacks_to(*self.kings.get(self.mover()), self.turn, earlier.occupied()).is_empty() {
                visit(last)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn castlings(&self, visit: &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        let mover = self.mover();
        let here = *self.kings.get(mover);
        if self.known.unmoved.contains(here) {
            return ControlFlow::Continue(());
        }
        for side in CastlingSide::ALL {
            let rook_here = side.rook_to(mover);
            let rooks = self.board.by_piece(mover.rook()) & !self.known.unmoved;
            if here != side.king_to(mover) || !rooks.contains(rook_here) {
                continue;
            }
            let blocked = self.board.occupied().without(here).without(rook_here);
            for (king_file, rook_file) in castling_files(side, self.known.start.get(mover).is_some()) {
                let [king, rook] = [king_file, rook_file].map(|file| Square::from_coords(file, here.rank()));
                let path = between(king, here).with(king).with(here) | between(rook, rook_here).with(rook).with(rook_here);
                if (path & blocked).any() {
                    continue;
                }
                let last = Move::Castle { king, rook };
                let board = self.board_before(last);
                let attacked = |square: Square| board.attacks_to(square, self.turn, board.occupied()).any();
                if !attacked(king) && !between(king, here).into_iter().any(attacked) && !self.left_in_check(&board) {
                    visit(last)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// One rank backwards for a pawn of the mover.
    fn back(&self) -> i32 {
        self.mover().fold_wb(-8, 8)
    }
}

/// The files from which king and rook can castle.
fn castling_files(side: CastlingSide, is_standard: bool) -> impl Iterator<Item = (File, File)> {
    let standard = (File::E, if side.is_king_side() { File::H } else { File::A });
    let fits = move |king: File, rook: File| {
        let right_side = if side.is_king_side() { king < rook } else { rook < king };
        right_side && !matches!(king, File::A | File::H) && (!is_standard || (king, rook) == standard)
    };
    File::ALL
        .into_iter()
        .flat_map(move |king| File::ALL.into_iter().map(move |rook| (king, rook)))
        .filter(move |&(king, rook)| fits(king, rook))
}

/// Which further pieces a side can have had on the board.
#[derive(Clone, Copy, Debug)]
struct Spare {
    pawn: bool,
    knight: bool,
    light_bishop: bool,
    dark_bishop: bool,
    rook: bool,
    queen: bool,
    /// Whether another of its pieces can have been a pawn.
    own_pawn: bool,
    /// The kinds with more pieces than at the start: some of them were pawns.
    surplus: Surplus,
}

/// The kinds with more pieces than at the start.
#[derive(Clone, Copy, Debug)]
struct Surplus {
    knight: bool,
    light_bishop: bool,
    dark_bishop: bool,
    rook: bool,
    queen: bool,
}

impl Spare {
    fn of(board: &Board, color: Color) -> Spare {
        let ours = board.by_color(color);
        let count = |pieces: Bitboard| (pieces & ours).count();
        let pawns = count(board.pawns());
        let [knights, rooks, queens] = [board.knights(), board.rooks(), board.queens()].map(count);
        let light = count(board.bishops() & Bitboard::LIGHT_SQUARES);
        let dark = count(board.bishops() & Bitboard::DARK_SQUARES);
        let promoted = queens.saturating_sub(1)
            + rooks.saturating_sub(2)
            + knights.saturating_sub(2)
            + light.saturating_sub(1)
            + dark.saturating_sub(1);
        let missing = ours.count() < 16;
        // At least one of the eight pawns is not on the board, not even as a promoted piece.
        let free = pawns + promoted < 8;
        let can_be = |pieces: usize, originals: usize| missing && (free || pieces < originals);
        Spare {
            pawn: missing && free,
            knight: can_be(knights, 2),
            light_bishop: can_be(light, 1),
            dark_bishop: can_be(dark, 1),
            rook: can_be(rooks, 2),
            queen: can_be(queens, 1),
            own_pawn: free,
            surplus: Surplus {
                knight: knights > 2,
                light_bishop: light > 1,
                dark_bishop: dark > 1,
                rook: rooks > 2,
                queen: queens > 1,
            },
        }
    }

    /// The roles of pieces that can have been captured on `square`.
    fn roles(&self, square: Square) -> impl Iterator<Item = Role> {
        let on_edge = matches!(square.rank(), Rank::First | Rank::Eighth);
        let bishop = if square.is_light() { self.light_bishop } else { self.dark_bishop };
        [
            (Role::Pawn, self.pawn && !on_edge),
            (Role::Knight, self.knight),
            (Role::Bishop, bishop),
            (Role::Rook, self.rook),
            (Role::Queen, self.queen),
        ]
        .into_iter()
        .filter_map(|(role, possible)| possible.then_some(role))
    }

    /// Whether the piece of `role` on `square` can have been a pawn.
    fn can_be_promoted(&self, role: Role, square: Square) -> bool {
        let surplus = match role {
            Role::Pawn | Role::King => return false,
            Role::Knight => self.surplus.knight,
            Role::Bishop if square.is_light() => self.surplus.light_bishop,
            Role::Bishop => self.surplus.dark_bishop,
            Role::Rook => self.surplus.rook,
            Role::Queen => self.surplus.queen,
        };
        self.own_pawn || surplus
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;
    use crate::chess::retro::STANDARD_START;

    /// The moves that can have led to a position, with the castling rights and the en passant
    /// square of the FEN.
    fn last_moves(fen: &str) -> LastMoves {
        let setup = fen.parse::<Fen>().expect("the FEN is well formed").into_setup();
        let rooks = setup.castling_rights;
        let kings = setup.board.kings().into_iter().filter(|king| rooks.into_iter().any(|rook| rook.rank() == king.rank()));
        let (from, to) = setup.turn.fold_wb((8, -8), (-8, 8));
        let known = KnownHistory {
            unmoved: rooks | kings.collect::<Bitboard>(),
            double_step: setup.ep_square.and_then(|square| square.offset(from).zip(square.offset(to))),
            start: STANDARD_START,
        };
        LastMoves::new(&setup.board, setup.turn, known).expect("each side has its king")
    }

    /// The possible moves after full examination, without what was captured.
    fn written(fen: &str) -> Vec<String> {
        let moves = last_moves(fen);
        let is_possible = |last: &Move| moves.can_be(|other| other == *last);
        let mut written: Vec<String> =
            moves.at_first_sight().iter().filter(|last| is_possible(last)).map(Move::to_string).collect();
        written.dedup();
        assert_eq!(moves.exist(), !written.is_empty(), "{fen}");
        assert_eq!(moves.quiet(), moves.at_first_sight().iter().any(|last| !last.is_zeroing() && is_possible(last)), "{fen}");
        assert_eq!(moves.zeroing(), moves.at_first_sight().iter().any(|last| last.is_zeroing() && is_possible(last)), "{fen}");
        written
    }

    #[test]
    fn the_only_last_move() {
        for (fen, expected) in [
            // A knight in the corner, checking from where a pawn was promoted.
            ("N7/1pp5/1k6/8/8/8/8/4K3 b - - 0 1", &["a7-a8=N"][..]),
            // The pawns on d5 and e5 left the lines of the rook and the bishop with one move.
            ("8/8/3Pk3/8/8/1B6/8/K3R3 b - - 0 1", &["e5xd6"]),
            // The pawn that captured en passant gives check, and left the file of the rook.
            ("8/4k3/3P4/8/8/8/8/K3R3 b - - 0 1", &["e5xd6"]),
            // The pawn that was promoted left the rank of the rook.
            ("4R3/R3k3/8/8/8/8/8/4K3 b - - 0 1", &["d7xe8=R"]),
            // The knight gives a discovered check by the rook, and gives check itself.
            ("8/8/4k3/8/3N4/8/8/K3R3 b - - 0 1", &["Ne2-d4", "Ne2xd4"]),
            // The rook has crossed e1, where it would have given check.
            ("4k3/8/8/8/8/8/5nPr/3n1RK1 b - - 0 1", &["O-O"]),
            ("4k3/8/8/8/8/n7/1PPn4/2KR1b2 b - - 0 1", &["O-O-O"]),
            // With an en passant square, only the two-square advance.
            ("4k3/8/8/8/3pP3/8/8/4K1N1 b - e3 0 1", &["e2-e4"]),
            // The pieces with castling rights have not moved, and White had no move before e7-e6.
            // So the pawn captured the piece that had moved.
            ("r3k2r/8/4p3/8/8/8/8/R3K2R w KQkq - 0 1", &["d7xe6", "f7xe6"]),
            // Black had no move before a quiet knight move either. So the knight captured the piece
            // that had moved.
            ("r3k2r/8/8/8/8/8/8/4K1NR b Kkq - 0 1", &["Ne2xg1", "Nf3xg1", "Nh3xg1"]),
        ] {
            assert_eq!(written(fen), expected, "{fen}");
        }
    }

    #[test]
    fn no_last_move() {
        for (fen, at_first_sight) in [
            ("8/8/N7/2k5/N7/8/8/3K4 b - - 0 1", 0),
            ("N7/ppp5/1k6/8/8/8/8/4K3 b - - 0 1", 0),
            ("8/8/8/8/R3k3/8/8/K3R3 b - - 0 1", 0),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 0),
            // The pawn cannot be moved back in a check that was there before.
            ("b6k/8/8/3pP3/8/8/8/7K w - d6 0 1", 0),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R b KQkq - 0 1", 0),
            // The only move is the king's, out of a check that no pawn can have given.
            ("8/8/8/8/8/pk6/p7/K7 b - - 0 1", 5),
        ] {
            assert_eq!(last_moves(fen).at_first_sight().len(), at_first_sight, "{fen}: {:?}", last_moves(fen).at_first_sight());
            assert_eq!(written(fen), [""; 0], "{fen}");
        }
    }

    #[test]
    fn pieces_that_can_be_missing() {
        let captured = |fen: &str, square: Square| {
            let mut roles: Vec<Role> = last_moves(fen)
                .at_first_sight()
                .iter()
                .filter(|last| last.to() == square)
                .filter_map(|last| last.capture())
                .collect();
            roles.sort_unstable();
            roles.dedup();
            roles
        };
        // All sixteen pieces are on the board.
        assert_eq!(captured("rnbqkbnr/pppppppp/8/8/8/8/8/4K1N1 b - - 0 1", Square::G1), []);
        // Eight pawns are on the board, and the dark-squared bishop is missing.
        assert_eq!(captured("rnbqk1nr/pppppppp/8/8/8/8/8/4K1N1 b - - 0 1", Square::G1), [Role::Bishop]);
        assert_eq!(captured("rnbqk1nr/pppppppp/8/8/8/7N/8/4K3 b - - 0 1", Square::H3), []);
        // A pawn is missing, and it can have been promoted to anything.
        assert_eq!(
            captured("rnbqkbnr/1ppppppp/8/8/8/8/8/4K1N1 b - - 0 1", Square::G1),
            [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        );
        assert_eq!(
            captured("rnbqkbnr/1ppppppp/8/8/8/7N/8/4K3 b - - 0 1", Square::H3),
            [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        );
        // The missing pawn is the second queen.
        assert_eq!(captured("rnbqkbn1/1ppppppp/8/8/8/q7/8/4K1N1 b - - 0 1", Square::G1), [Role::Rook]);
    }

    #[test]
    fn pieces_that_can_have_been_pawns() {
        let promoted = |fen: &str| last_moves(fen).at_first_sight().iter().any(|last| last.promotion().is_some());
        assert!(promoted("N7/8/5k2/8/8/8/PPPPPPP1/RNBQKBNR b - - 0 1"));
        assert!(!promoted("N7/8/5k2/8/8/8/PPPPPPPP/R1BQKBNR b - - 0 1"));
        // A side with eight pawns accounted for has none that can be its second knight.
        assert!(promoted("N7/8/5k2/8/8/8/PPPPPPP1/R1BQKBNR b - - 0 1"));
    }

    #[test]
    fn castling_as_in_chess960() {
        let castlings = |start: StartingRanks, unmoved: Bitboard| {
            let board = Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/8/1N3RK1").expect("the board is well formed");
            let known = KnownHistory { start, unmoved, double_step: None };
            let moves = LastMoves::new(&board, Color::Black, known).expect("each side has its king");
            moves.at_first_sight().into_iter().filter(|last| last.is_castle()).count()
        };
        assert_eq!(castlings(STANDARD_START, Bitboard::EMPTY), 1);
        // Kings from c1 to g1, each with rooks beyond it, but no rook on e1, from where it would
        // have given check.
        assert_eq!(castlings(ANY_START, Bitboard::EMPTY), 5 + 4 + 3 + 2 + 1 - 2);
        assert_eq!(castlings(ANY_START, Bitboard::from(Square::F1).with(Square::G1)), 0);
    }
}
