//! The search: which changes are tried, and how far the rest of the line can then be played.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, attacks};

use super::{
    WrittenLine, WrittenPly,
    near::{Core, Slip},
};
use crate::chess::{CheckMark, WrittenMove, checkers_after, resolve};

/// The search goes back no further than so many plies before the one that fails.
const FARTHEST_BACK: usize = 400;

/// A change that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Another move instead of the one at a ply; `slip` says how the two differ, `None` that they differ in more than a slip.
    Replace { at: usize, played: Move, slip: Option<Slip>, fails: bool },
    /// Another move before a ply.
    Insert { at: usize, played: Move },
    /// Without a ply.
    Remove { at: usize, is_duplicate: bool },
    /// Two plies the other way round.
    Swap { at: usize },
}

impl Kind {
    pub const fn at(&self) -> usize {
        match *self {
            Kind::Replace { at, .. } | Kind::Insert { at, .. } | Kind::Remove { at, .. } | Kind::Swap { at } => at,
        }
    }

    /// The first written ply behind the change.
    const fn resumes(&self) -> usize {
        match *self {
            Kind::Replace { at, .. } | Kind::Remove { at, .. } => at + 1,
            Kind::Insert { at, .. } => at,
            Kind::Swap { at } => at + 2,
        }
    }

    /// The likelier, the smaller: used where nothing else tells two changes apart.
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

    /// How many plies a change has to lead further than one at the failing ply, to be believed.
    const fn doubt(&self) -> usize {
        match self {
            Kind::Remove { is_duplicate: true, .. } | Kind::Replace { slip: Some(_), fails: true, .. } => 0,
            Kind::Replace { slip: Some(_), .. } => 2,
            Kind::Swap { .. } | Kind::Remove { .. } => 4,
            Kind::Insert { .. } | Kind::Replace { slip: None, .. } => 6,
        }
    }
}

/// A change, and the first written ply that cannot be played after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub kind: Kind,
    pub reach: usize,
}

impl Found {
    /// What counts for it; `total` plies are written.
    pub const fn merit(&self, total: usize) -> usize {
        if self.reach >= total { total + 8 } else { self.reach.saturating_sub(self.kind.doubt()) }
    }

    /// Whether enough can be played after it that it says anything.
    pub const fn is_evidence(&self, failing: usize, total: usize) -> bool {
        let beyond = self.reach.saturating_sub(failing + 1);
        match self.kind {
            Kind::Replace { slip: Some(_), fails: true, .. } | Kind::Remove { is_duplicate: true, .. } => true,
            Kind::Replace { slip: None, .. } => self.reach >= total && beyond >= 8,
            _ => beyond >= 4 || (self.reach >= total && beyond >= 2),
        }
    }
}

/// A position, and who gives check in it.
#[derive(Clone, Debug)]
struct Stage {
    chess: Chess,
    checkers: Bitboard,
}

impl Stage {
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
    fn meaning(&self, ply: &WrittenPly) -> Option<Move> {
        resolve(&self.chess, self.checkers, ply.written.as_ref()?).map(|resolved| resolved.played)
    }

    #[inline]
    fn play(&mut self, played: Move) {
        self.chess.play_unchecked(played);
        self.checkers = checkers_after(&self.chess, played);
    }
}

/// A search on its way.
pub(super) struct Search<'a, 's> {
    line: &'a WrittenLine<'a>,
    steps: &'s mut usize,
    /// The first ply of which the position is known.
    first: usize,
    /// The positions before the plies from `first` on, that of the failing ply the last.
    stages: Vec<Stage>,
    /// The moves played from `first` on.
    moves: Vec<Move>,
    /// How far the number indications are ahead of those on the board.
    numbering: i64,
    pub found: Vec<Found>,
    /// Whether there were too few steps, or plies too far back.
    pub bounded: bool,
}

impl<'a, 's> Search<'a, 's> {
    /// Plays the line up to the ply that fails; `None` where none does.
    pub fn new(line: &'a WrittenLine<'a>, steps: &'s mut usize) -> Option<Search<'a, 's>> {
        let mut stage = Stage::of(line.start.clone());
        let mut stages = vec![stage.clone()];
        let mut moves = Vec::new();
        let mut numbering = None;
        let mut failing = 0;
        for ply in line.plies {
            if let Some((number, color)) = ply.number
                && color.is_none_or(|color| color == stage.chess.turn())
            {
                numbering.get_or_insert(i64::from(number) - i64::from(stage.chess.fullmoves().get()));
            }
            let Some(played) = stage.meaning(ply) else { break };
            stage.play(played);
            stages.push(stage.clone());
            moves.push(played);
            failing += 1;
            if stages.len() > 2 * FARTHEST_BACK {
                stages.drain(..FARTHEST_BACK);
                moves.drain(..FARTHEST_BACK);
            }
        }
        if failing == line.plies.len() || line.plies[failing].written.is_some_and(|written| written.what == WrittenMove::Null) {
            return None;
        }
        let first = failing - moves.len();
        let numbering = numbering.unwrap_or(0);
        Some(Search { line, steps, first, stages, moves, numbering, found: Vec::new(), bounded: first > 0 })
    }

    /// The first ply that cannot be played.
    pub fn failing(&self) -> usize {
        self.first + self.moves.len()
    }

    fn stage(&self, at: usize) -> &Stage {
        &self.stages[at - self.first]
    }

    /// The position before ply `at`, which is not behind the one that fails.
    pub fn position(&self, at: usize) -> Chess {
        self.stage(at).chess.clone()
    }

    /// Takes steps off those that are left; false where there are too few.
    fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.bounded |= left.is_none();
        *self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Plays the written plies from `from` on, and tells which one fails.
    ///
    /// With `may_meet`, a position that the line as written has reached as well ends it: from there on all goes as it went.
    fn reach(&mut self, mut stage: Stage, from: usize, may_meet: bool) -> usize {
        let mut reach = from;
        for ply in self.line.plies.iter().skip(from).take(*self.steps) {
            let Some(played) = stage.meaning(ply) else { break };
            stage.play(played);
            reach += 1;
            if may_meet
                && let Some(known) = self.stages.get(reach - self.first)
                && known.chess.board() == stage.chess.board()
                && known.chess.castles().castling_rights() == stage.chess.castles().castling_rights()
            {
                break;
            }
        }
        self.spend(reach - from + 1);
        reach
    }

    /// Tries a change that leads to `stage`.
    fn attempt(&mut self, kind: Kind, stage: Stage) {
        let may_meet = matches!(kind, Kind::Replace { fails: false, .. } | Kind::Swap { .. });
        let reach = self.reach(stage, kind.resumes(), may_meet);
        if reach > self.failing() {
            self.found.push(Found { kind, reach });
        }
    }

    /// Tries all changes, those at the failing ply first.
    pub fn run(&mut self) {
        let failing = self.failing();
        let legal = self.stage(failing).chess.legal_moves();
        self.other_moves(failing, &legal, true);
        self.without(failing);
        self.other_moves(failing, &legal, false);
        if self.is_settled() {
            return;
        }
        self.exchanged(failing);
        self.left_out(failing, &legal);
        if self.line.plies[failing].written.is_none() {
            // Nothing before it makes it a move.
            return;
        }
        let relevant = relevant(self.stage(failing), &self.line.plies[failing]);
        let mut left = Bitboard::EMPTY;
        for at in (self.first..failing).rev() {
            if *self.steps == 0 {
                self.bounded = true;
            }
            if self.bounded && *self.steps == 0 || self.is_settled() {
                return;
            }
            let legal = self.stage(at).chess.legal_moves();
            self.without(at);
            self.exchanged(at);
            self.left_out(at, &legal);
            self.near_moves(at, &legal, relevant, left);
            if let Some(from) = self.moves[at - self.first].from() {
                left.add(from);
            }
        }
    }

    /// Whether nothing that may still be found can make a difference: what is likeliest leads to the end, and so does another
    /// change.
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

    /// Legal moves at the ply that fails: those near the written one, or all others.
    fn other_moves(&mut self, at: usize, legal: &[Move], near: bool) {
        let core = Core::of(self.line.plies[at].place.of(self.line.text));
        let stage = self.stage(at).clone();
        for &played in legal {
            let slip = core.as_ref().and_then(|core| core.slip(played));
            if slip.is_some() != near {
                continue;
            }
            if !self.spend(1) || (!near && self.is_settled()) {
                return;
            }
            self.attempt(Kind::Replace { at, played, slip, fails: true }, stage.after(played));
        }
    }

    /// Legal moves near the written one at a ply before the one that fails.
    ///
    /// `relevant` are the squares on which the ply that fails depends, `left` those that men leave in between: a change that
    /// touches none of them changes nothing for the ply that fails.
    fn near_moves(&mut self, at: usize, legal: &[Move], relevant: Bitboard, left: Bitboard) {
        let Some(core) = Core::of(self.line.plies[at].place.of(self.line.text)) else { return };
        let written = self.moves[at - self.first];
        let touched = squares(written);
        let matters = relevant | left;
        self.spend(4);
        for &played in legal {
            if played == written || (touched | squares(played)).is_disjoint(matters) {
                continue;
            }
            if let Some(slip) = core.slip(played) {
                let stage = self.stage(at).after(played);
                self.attempt(Kind::Replace { at, played, slip: Some(slip), fails: false }, stage);
            }
        }
    }

    /// Without a ply: one written is_duplicate, or one too many.
    fn without(&mut self, at: usize) {
        let plies = self.line.plies;
        let same = |one: usize, other: usize| {
            let token = |at: usize| plies.get(at).map(|ply| ply.place.of(self.line.text));
            token(one).is_some() && token(one) == token(other)
        };
        // Of two that are the same either may go.
        if at + 1 < plies.len() && same(at, at + 1) && at != self.failing() {
            return;
        }
        let is_duplicate = at > self.first && same(at - 1, at) || at >= self.first + 2 && same(at - 2, at);
        let stage = self.stage(at).clone();
        self.attempt(Kind::Remove { at, is_duplicate }, stage);
    }

    /// A ply and the one behind it the other way round.
    fn exchanged(&mut self, at: usize) {
        let Some(second) = self.line.plies.get(at + 1) else { return };
        let Some(first) = self.stage(at).meaning(second) else { return };
        let stage = self.stage(at).after(first);
        let Some(other) = stage.meaning(&self.line.plies[at]) else { return };
        let stage = stage.after(other);
        self.spend(2);
        self.attempt(Kind::Swap { at }, stage);
    }

    /// A ply left out before another.
    fn left_out(&mut self, at: usize, legal: &[Move]) {
        let stage = self.stage(at).clone();
        let Some(written) = self.line.plies[at].written else { return };
        self.spend(1);
        let turn = stage.chess.turn();
        if !may_be_played(&stage.chess, turn.other(), written.what) {
            return;
        }
        // If nobody can play the ply after that, it has to be the man who has just moved.
        let next = self.line.plies.get(at + 1).and_then(|ply| ply.written).map(|written| written.what);
        let mover = match next {
            Some(WrittenMove::Normal { role, .. }) if next.is_some_and(|what| !may_be_played(&stage.chess, turn, what)) => {
                Some(role)
            }
            _ => None,
        };
        for &played in legal {
            if mover.is_some_and(|role| role != played.role() && Some(role) != played.promotion() && !played.is_castle()) {
                continue;
            }
            if !self.spend(1) {
                return;
            }
            self.attempt(Kind::Insert { at, played }, stage.after(played));
        }
    }

    /// How many marks and numbers behind a change do not agree with the board.
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
                    let stage = self.stage(at).after(self.stage(at).meaning(second)?);
                    Some(stage.after(stage.meaning(&plies[at])?))
                });
                let Some(stage) = both else { return usize::MAX };
                stage
            }
        };
        let mut wrong = 0;
        if let Kind::Replace { played, .. } = found.kind
            && let Some(written) = plies[at].written
        {
            wrong += mark_disagrees(&stage, played, written.capture, written.mark, marks_captures, marks_checks);
        }
        for ply in &plies[found.kind.resumes().min(found.reach)..found.reach] {
            if let Some((number, color)) = ply.number {
                let board = i64::from(stage.chess.fullmoves().get()) + self.numbering;
                let turn = stage.chess.turn();
                wrong += usize::from(i64::from(number) != board || color.is_some_and(|color| color != turn));
            }
            let Some((played, written)) = stage.meaning(ply).zip(ply.written) else { break };
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

/// How many marks of a move do not agree with the board; `stage` is reached by it.
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
            let victim = shakmaty::Square::from_coords(to.file(), from.rank());
            Bitboard::from_square(from).with(to).with(victim)
        }
        _ => played.from().map_or(Bitboard::EMPTY, Bitboard::from_square).with(played.to()),
    }
}

/// The squares on which it depends whether `ply` can be played in `stage`: more rather than fewer.
fn relevant(stage: &Stage, ply: &WrittenPly) -> Bitboard {
    let Some(WrittenMove::Normal { role, file, to, .. }) = ply.written.map(|written| written.what) else { return Bitboard::FULL };
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
    lines | reach | Bitboard::from_square(king) | Bitboard::from_square(to)
}

/// Whether `side` may be able to play what is written after the other side has made one move: no if in doubt never.
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
                        let stands =
                            |square: Option<shakmaty::Square>| square.is_some_and(|square| ours(Role::Pawn).contains(square));
                        stands(one) || stands(two)
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
