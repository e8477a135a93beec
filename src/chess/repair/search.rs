//! The search: which changes are tried, and how many of the remaining plies can then be played.

use shakmaty::{Bitboard, Chess, Color, File, Move, Position, Rank, Role, Square, attacks};

use super::{
    WrittenLine, WrittenPly,
    near::{Skeleton, Slip},
};
use crate::chess::{Board, CheckMark, Snapshot, WrittenMove, checkers_after, resolve};

/// Maximum number of plies before the failing one at which changes are tried.
const MAX_PLIES_BACK: usize = 400;

/// A change that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Another move at a ply. `slip` is how the two differ, `None` for more than a slip. `fails`
    /// says whether this is the failing ply.
    Replace { at: usize, played: Move, slip: Option<Slip>, fails: bool },
    /// A new move before a ply.
    Insert { at: usize, played: Move },
    /// Without this ply.
    Remove { at: usize, is_duplicate: bool },
    /// This ply and the next one swapped.
    Swap { at: usize },
}

impl Kind {
    pub const fn at(&self) -> usize {
        match *self {
            Kind::Replace { at, .. } | Kind::Insert { at, .. } | Kind::Remove { at, .. } | Kind::Swap { at } => at,
        }
    }

    /// The first ply of the text after the change.
    const fn resumes(&self) -> usize {
        match *self {
            Kind::Replace { at, .. } | Kind::Remove { at, .. } => at + 1,
            Kind::Insert { at, .. } => at,
            Kind::Swap { at } => at + 2,
        }
    }

    /// Smaller is likelier. Used if nothing else distinguishes two changes.
    pub const fn rank(&self) -> u8 {
        match *self {
            Kind::Remove { is_duplicate: true, .. } => 0,
            Kind::Replace { slip: Some(slip), fails: true, .. } => 1 + slip as u8,
            Kind::Replace { slip: Some(slip), fails: false, .. } => 5 + slip as u8,
            Kind::Swap { .. } => 9,
            Kind::Remove { is_duplicate: false, .. } => 10,
            Kind::Insert { .. } => 11,
            Kind::Replace { slip: None, .. } => 12,
        }
    }

    /// How many plies further than a slip at the failing ply this change must lead, to be
    /// preferred.
    const fn doubt(&self) -> usize {
        match self {
            Kind::Remove { is_duplicate: true, .. } | Kind::Replace { slip: Some(_), fails: true, .. } => 0,
            Kind::Replace { slip: Some(_), .. } => 2,
            Kind::Swap { .. } | Kind::Remove { .. } => 4,
            Kind::Insert { .. } | Kind::Replace { slip: None, .. } => 6,
        }
    }
}

/// A change, and the first ply of the text that cannot be played after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub kind: Kind,
    pub reach: usize,
}

impl Found {
    /// The merit of the change. `total` is the number of plies in the text.
    pub const fn merit(&self, total: usize) -> usize {
        if self.reach >= total { total + 8 } else { self.reach.saturating_sub(self.kind.doubt()) }
    }

    /// Whether enough plies can be played after it.
    pub const fn is_evidence(&self, failing: usize, total: usize) -> bool {
        let beyond = self.reach.saturating_sub(failing + 1);
        match self.kind {
            Kind::Replace { slip: Some(_), fails: true, .. } | Kind::Remove { is_duplicate: true, .. } => true,
            Kind::Replace { slip: None, .. } => self.reach >= total && beyond >= 8,
            _ => beyond >= 4 || (self.reach >= total && beyond >= 2),
        }
    }
}

/// A position and the pieces that give check in it.
#[derive(Clone, Debug)]
struct Stage {
    chess: Chess,
    checkers: Bitboard,
}

impl Stage {
    fn is_black_to_move(&self) -> bool {
        self.chess.turn().is_black()
    }

    fn of(chess: Chess) -> Stage {
        let checkers = chess.checkers();
        Stage { chess, checkers }
    }

    #[inline]
    fn after(&self, played: Move) -> Stage {
        let mut chess = self.chess.clone();
        chess.play_unchecked(played);
        let checkers = checkers_after(&chess, played);
        Stage { chess, checkers }
    }

    #[inline]
    fn resolve_ply(&self, ply: &WrittenPly) -> Option<Move> {
        resolve(&self.chess, self.checkers, ply.written.as_ref()?).map(|resolved| resolved.played)
    }

    #[inline]
    fn play(&mut self, played: Move) {
        self.chess.play_unchecked(played);
        self.checkers = checkers_after(&self.chess, played);
    }
}

/// The state of a search.
pub(super) struct Search<'a, 's> {
    line: &'a WrittenLine<'a>,
    steps: &'s mut usize,
    /// The first ply whose position is still known.
    first: usize,
    /// The positions before the plies from `first` to the failing ply.
    stages: Vec<Stage>,
    /// The same positions for `board`.
    snapshots: Vec<Snapshot>,
    /// Changes are tried on this board, which is several times as fast.
    board: Board,
    /// The moves played from `first` on.
    moves: Vec<Move>,
    /// The offset of the move numbers in the text from those of the board.
    numbering: i64,
    pub found: Vec<Found>,
    /// Whether there were too few steps, or plies too far back.
    pub was_cut: bool,
}

impl<'a, 's> Search<'a, 's> {
    /// Plays the line up to the failing ply. `None` if there is none.
    pub fn new(line: &'a WrittenLine<'a>, steps: &'s mut usize) -> Option<Search<'a, 's>> {
        let mut stage = Stage::of(line.start.clone());
        let mut board = Board::of(line.start);
        let mut stages = vec![stage.clone()];
        let mut snapshots = vec![board.snapshot()];
        let mut moves = Vec::new();
        let mut numbering = None;
        let mut failing = 0;
        for ply in line.plies {
            if let Some((number, color)) = ply.number
                && color.is_none_or(|color| color == stage.chess.turn())
            {
                numbering.get_or_insert(i64::from(number) - i64::from(stage.chess.fullmoves().get()));
            }
            let Some(played) = stage.resolve_ply(ply) else { break };
            board.play_move(played, stage.is_black_to_move());
            stage.play(played);
            stages.push(stage.clone());
            snapshots.push(board.snapshot());
            moves.push(played);
            failing += 1;
            if stages.len() > 2 * MAX_PLIES_BACK {
                stages.drain(..MAX_PLIES_BACK);
                snapshots.drain(..MAX_PLIES_BACK);
                moves.drain(..MAX_PLIES_BACK);
            }
        }
        if failing == line.plies.len() || line.plies[failing].written.is_some_and(|written| written.what == WrittenMove::Null) {
            return None;
        }
        let first = failing - moves.len();
        let numbering = numbering.unwrap_or(0);
        let found = Vec::new();
        Some(Search { line, steps, first, stages, snapshots, board, moves, numbering, found, was_cut: first > 0 })
    }

    /// The first ply that cannot be played.
    pub fn failing(&self) -> usize {
        self.first + self.moves.len()
    }

    fn stage(&self, at: usize) -> &Stage {
        &self.stages[at - self.first]
    }

    /// The position before ply `at`, which is at most the failing one.
    pub fn position(&self, at: usize) -> Chess {
        self.stage(at).chess.clone()
    }

    /// Uses up steps. `false` if there are too few.
    fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.was_cut |= left.is_none();
        *self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Tries a change: makes it and plays the plies of the text after it.
    fn attempt(&mut self, kind: Kind) {
        let at = kind.at();
        self.board.restore(&self.snapshots[at - self.first]);
        let mut black = self.stage(at).is_black_to_move();
        let plies = self.line.plies;
        let is_made = match kind {
            Kind::Replace { played, .. } | Kind::Insert { played, .. } => {
                black = !black;
                self.board.play_move(played, !black)
            }
            Kind::Remove { .. } => true,
            Kind::Swap { at } => [at + 1, at].into_iter().all(|at| self.play_ply(&plies[at], &mut black)),
        };
        if !is_made {
            return;
        }
        if matches!(kind, Kind::Swap { .. }) {
            self.spend(2);
        }
        // At a position that the unchanged line also reaches, the rest is the same.
        let may_meet = matches!(kind, Kind::Replace { fails: false, .. } | Kind::Swap { .. });
        let from = kind.resumes();
        let mut reach = from;
        for ply in plies.iter().skip(from).take(*self.steps) {
            if !self.play_ply(ply, &mut black) {
                break;
            }
            reach += 1;
            if may_meet && self.snapshots.get(reach - self.first).is_some_and(|known| self.board.is_at(known)) {
                break;
            }
        }
        self.spend(reach - from + 1);
        if reach > self.failing() {
            self.found.push(Found { kind, reach });
        }
    }

    /// Plays a ply of the text on the board, and changes the side to move. `false` if it cannot be played.
    #[inline]
    fn play_ply(&mut self, ply: &WrittenPly, black: &mut bool) -> bool {
        *black = !*black;
        ply.written.is_some_and(|written| self.board.play_written(written.what, !*black))
    }

    /// Tries all changes, first those at the failing ply.
    pub fn run(&mut self) {
        let failing = self.failing();
        let legal = self.stage(failing).chess.legal_moves();
        self.try_moves(failing, &legal, true);
        self.try_removal(failing);
        self.try_moves(failing, &legal, false);
        if self.is_settled() {
            return;
        }
        self.try_swap(failing);
        self.try_insertion(failing, &legal);
        if self.line.plies[failing].written.is_none() {
            // No earlier change makes it a move.
            return;
        }
        let relevant = relevant(self.stage(failing), &self.line.plies[failing]);
        let mut left = Bitboard::EMPTY;
        for at in (self.first..failing).rev() {
            if *self.steps == 0 {
                self.was_cut = true;
            }
            if self.was_cut && *self.steps == 0 || self.is_settled() {
                return;
            }
            let legal = self.stage(at).chess.legal_moves();
            self.try_removal(at);
            self.try_swap(at);
            self.try_insertion(at, &legal);
            self.try_near_moves(at, &legal, relevant, left);
            if let Some(from) = self.moves[at - self.first].from() {
                left.add(from);
            }
        }
    }

    /// Whether further changes make no difference: the likeliest one and another one both lead to
    /// the end.
    fn is_settled(&self) -> bool {
        let total = self.line.plies.len();
        let first = |found: &Found| {
            matches!(found.kind, Kind::Replace { slip: Some(_), fails: true, .. } | Kind::Remove { is_duplicate: true, .. })
        };
        let (mut whole, mut likeliest) = (0, false);
        for found in self.found.iter().filter(|found| found.reach >= total) {
            whole += 1;
            likeliest |= first(found);
        }
        whole > 1 && likeliest
    }

    /// Tries legal moves at the failing ply: those close to the text, or all others.
    fn try_moves(&mut self, at: usize, legal: &[Move], near: bool) {
        let skeleton = Skeleton::of(self.line.plies[at].place.of(self.line.text));
        for &played in legal {
            let slip = skeleton.as_ref().and_then(|skeleton| skeleton.slip(played));
            if slip.is_some() != near {
                continue;
            }
            if !self.spend(1) || (!near && self.is_settled()) {
                return;
            }
            self.attempt(Kind::Replace { at, played, slip, fails: true });
        }
    }

    /// Tries legal moves close to the text at an earlier ply.
    ///
    /// `relevant` are the squares on which the failing ply depends, and `left` those that pieces
    /// leave in between. A change that touches none of them cannot help.
    fn try_near_moves(&mut self, at: usize, legal: &[Move], relevant: Bitboard, left: Bitboard) {
        let Some(skeleton) = Skeleton::of(self.line.plies[at].place.of(self.line.text)) else { return };
        let written = self.moves[at - self.first];
        let touched = squares(written);
        let matters = relevant | left;
        self.spend(4);
        for &played in legal {
            if !skeleton.may_be_near(played) || played == written || (touched | squares(played)).is_disjoint(matters) {
                continue;
            }
            if let Some(slip) = skeleton.slip(played) {
                self.attempt(Kind::Replace { at, played, slip: Some(slip), fails: false });
            }
        }
    }

    /// Tries to remove a ply.
    fn try_removal(&mut self, at: usize) {
        let plies = self.line.plies;
        let same = |one: usize, other: usize| {
            let token = |at: usize| plies.get(at).map(|ply| ply.place.of(self.line.text));
            token(one).is_some() && token(one) == token(other)
        };
        // Of two equal plies without a number between them, only the second is removed.
        if at + 1 < plies.len() && same(at, at + 1) && plies[at + 1].number.is_none() && at != self.failing() {
            return;
        }
        let is_duplicate = at > self.first && same(at - 1, at) || at >= self.first + 2 && same(at - 2, at);
        self.attempt(Kind::Remove { at, is_duplicate });
    }

    /// Tries to swap a ply with the next one.
    fn try_swap(&mut self, at: usize) {
        if at + 1 < self.line.plies.len() {
            self.attempt(Kind::Swap { at });
        }
    }

    /// Tries to insert a ply before another.
    fn try_insertion(&mut self, at: usize, legal: &[Move]) {
        let Some(written) = self.line.plies[at].written else { return };
        self.spend(1);
        let chess = &self.stage(at).chess;
        let turn = chess.turn();
        if !may_be_played(chess, turn.other(), written.what) {
            return;
        }
        // If the ply after that cannot be played by the pieces on the board, the inserted move must
        // be by that piece.
        let next = self.line.plies.get(at + 1).and_then(|ply| ply.written).map(|written| written.what);
        let mover = match next {
            Some(WrittenMove::Normal { role, .. }) if next.is_some_and(|what| !may_be_played(chess, turn, what)) => Some(role),
            _ => None,
        };
        for &played in legal {
            if mover.is_some_and(|role| role != played.role() && Some(role) != played.promotion() && !played.is_castle()) {
                continue;
            }
            if !self.spend(1) {
                return;
            }
            self.attempt(Kind::Insert { at, played });
        }
    }

    /// Whether the number before a ply does not agree with the board.
    fn is_misnumbered(&self, stage: &Stage, number: Option<(u32, Option<Color>)>) -> bool {
        let Some((number, color)) = number else { return false };
        let board = i64::from(stage.chess.fullmoves().get()) + self.numbering;
        let turn = stage.chess.turn();
        i64::from(number) != board || color.is_some_and(|color| color != turn)
    }

    /// How many numbers do not agree with the board up to the ply after a change, which is at
    /// `resumed`. A number stays where it is, before whatever then follows it.
    fn misnumbered_before(&self, found: &Found, resumed: &Stage) -> usize {
        let plies = self.line.plies;
        let at = found.kind.at();
        let number = |at: usize| plies.get(at).and_then(|ply| ply.number);
        let earlier = (self.first..at).filter(|&ply| self.is_misnumbered(self.stage(ply), number(ply))).count();
        let stage = match found.kind {
            Kind::Remove { .. } => resumed,
            Kind::Insert { .. } if !self.numbers_inserted(at) => resumed,
            _ => self.stage(at),
        };
        let mut wrong = earlier + usize::from(self.is_misnumbered(stage, number(at)));
        if let Kind::Swap { .. } = found.kind
            && let Some(first) = plies.get(at + 1).and_then(|second| self.stage(at).resolve_ply(second))
        {
            wrong += usize::from(self.is_misnumbered(&self.stage(at).after(first), number(at + 1)));
        }
        wrong
    }

    /// Whether the number before a ply is that of the ply inserted there.
    fn numbers_inserted(&self, at: usize) -> bool {
        let color = self.line.plies.get(at).and_then(|ply| ply.number).and_then(|(_, color)| color);
        color == Some(self.stage(at).chess.turn())
    }

    /// How many marks and numbers do not agree with the board if the change is made. Marks are
    /// compared after the change only.
    pub fn disagreements(&self, found: &Found) -> usize {
        let plies = self.line.plies;
        let marks_checks = plies.iter().any(|ply| ply.written.is_some_and(|written| written.mark != CheckMark::None));
        let marks_captures = plies.iter().any(|ply| ply.written.is_some_and(|written| written.capture));
        let at = found.kind.at();
        let mut stage = match found.kind {
            Kind::Replace { played, .. } | Kind::Insert { played, .. } => self.stage(at).after(played),
            Kind::Remove { .. } => self.stage(at).clone(),
            Kind::Swap { .. } => {
                let both = plies.get(at + 1).and_then(|second| {
                    let stage = self.stage(at).after(self.stage(at).resolve_ply(second)?);
                    Some(stage.after(stage.resolve_ply(&plies[at])?))
                });
                let Some(stage) = both else { return usize::MAX };
                stage
            }
        };
        let mut wrong = self.misnumbered_before(found, &stage);
        if let Kind::Replace { played, .. } = found.kind
            && let Some(written) = plies[at].written
        {
            wrong += mark_disagrees(&stage, played, written.capture, written.mark, marks_captures, marks_checks);
        }
        let resumes = found.kind.resumes().min(found.reach);
        for (index, ply) in (resumes..).zip(&plies[resumes..found.reach]) {
            // The number before an inserted ply has been compared.
            if index > at || !matches!(found.kind, Kind::Insert { .. }) {
                wrong += usize::from(self.is_misnumbered(&stage, ply.number));
            }
            let Some((played, written)) = stage.resolve_ply(ply).zip(ply.written) else { break };
            stage.play(played);
            let unmarked = matches!(written.what, WrittenMove::Coordinates { .. });
            wrong += mark_disagrees(
                &stage,
                played,
                written.capture,
                written.mark,
                marks_captures && !unmarked,
                marks_checks && !unmarked,
            );
        }
        wrong
    }
}

/// How many marks of a move do not agree with the board. `stage` is the position after it.
fn mark_disagrees(
    stage: &Stage,
    played: Move,
    capture: bool,
    mark: CheckMark,
    captures_marked: bool,
    checks_marked: bool,
) -> usize {
    let takes = played.is_capture();
    let capture_wrong = capture != takes && (capture || captures_marked);
    let checks = stage.checkers.any();
    let check_wrong = match mark {
        CheckMark::None => checks && checks_marked,
        CheckMark::Check | CheckMark::Double => !checks,
        CheckMark::Mate => !checks || !stage.chess.legal_moves().is_empty(),
    };
    usize::from(capture_wrong) + usize::from(check_wrong)
}

/// The squares that a move changes.
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

/// The squares that decide whether `ply` can be played in `stage`, and possibly more.
fn relevant(stage: &Stage, ply: &WrittenPly) -> Bitboard {
    let Some(WrittenMove::Normal { role, file, rank, to, .. }) = ply.written.map(|written| written.what) else {
        return Bitboard::FULL;
    };
    let chess = &stage.chess;
    let Some(king) = chess.board().king_of(chess.turn()) else { return Bitboard::FULL };
    let lines = attacks::queen_attacks(king, Bitboard::EMPTY) | attacks::knight_attacks(king);
    let reach = match role {
        Role::King => return Bitboard::FULL,
        Role::Pawn => Bitboard::from_file(to.file()) | file.map_or(Bitboard::EMPTY, Bitboard::from_file),
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, Bitboard::EMPTY),
        Role::Rook => attacks::rook_attacks(to, Bitboard::EMPTY),
        Role::Queen => attacks::queen_attacks(to, Bitboard::EMPTY),
    };
    if !is_within_reach(chess, role, file, rank, to) {
        // The king is not what keeps a piece from going there.
        return reach | Bitboard::from_square(to);
    }
    lines | reach | Bitboard::from_square(king) | Bitboard::from_square(to)
}

/// Whether a piece of the side to move attacks `to`, if it is one of those that the text may mean. Pawns always count.
fn is_within_reach(chess: &Chess, role: Role, file: Option<File>, rank: Option<Rank>, to: Square) -> bool {
    let occupied = chess.board().occupied();
    let origins = match role {
        Role::Pawn | Role::King => return true,
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, occupied),
        Role::Rook => attacks::rook_attacks(to, occupied),
        Role::Queen => attacks::queen_attacks(to, occupied),
    };
    let of_file = file.map_or(Bitboard::FULL, Bitboard::from_file);
    let of_rank = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
    (origins & of_file & of_rank).intersects(chess.board().by_piece(role.of(chess.turn())))
}

/// Whether `side` may be able to play what is written after one move by the other side. If in
/// doubt, `true`.
fn may_be_played(chess: &Chess, side: Color, what: WrittenMove) -> bool {
    let ours = |role: Role| chess.board().by_role(role) & chess.board().by_color(side);
    match what {
        WrittenMove::Normal { role: Role::Pawn, file, to, .. } => {
            let from = file.unwrap_or(to.file());
            ours(Role::Pawn).intersects(Bitboard::from_file(from))
                && match file {
                    Some(file) if file != to.file() => {
                        attacks::pawn_attacks(side.other(), to).intersects(ours(Role::Pawn) & Bitboard::from_file(file))
                    }
                    _ => {
                        let back = side.fold_wb(-8, 8);
                        let one = to.offset(back);
                        let two = one.and_then(|one| one.offset(back));
                        let has_pawn = |square: Option<Square>| square.is_some_and(|square| ours(Role::Pawn).contains(square));
                        has_pawn(one) || has_pawn(two)
                    }
                }
        }
        WrittenMove::Normal { role, file, rank, to, .. } => {
            let reach = match role {
                Role::Knight => attacks::knight_attacks(to),
                Role::Bishop => attacks::bishop_attacks(to, Bitboard::EMPTY),
                Role::Rook => attacks::rook_attacks(to, Bitboard::EMPTY),
                Role::Queen => attacks::queen_attacks(to, Bitboard::EMPTY),
                Role::King | Role::Pawn => attacks::king_attacks(to),
            };
            let from = file.map_or(Bitboard::FULL, Bitboard::from_file) & rank.map_or(Bitboard::FULL, Bitboard::from_rank);
            reach.intersects(ours(role) & from)
        }
        WrittenMove::Castle(_) => {
            !chess.castles().is_empty()
                && chess
                    .castles()
                    .castling_rights()
                    .intersects(Bitboard::from_rank(side.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth)))
        }
        WrittenMove::Coordinates { from, .. } => chess.board().by_color(side).contains(from),
        WrittenMove::Null | WrittenMove::Drop { .. } => false,
    }
}
