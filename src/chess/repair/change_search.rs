//! The search: which changes are tried, and how many of the remaining plies can then be played.

use shakmaty::{Chess, Color, Move, Position, Role};

use super::{
    move_marks::{SeenMarks, UsualMarks, WrittenMarks},
    plies::WrittenPly,
    shifted_turns::ShiftedTurns,
    slips::{Skeleton, Slip},
    written_line::{Replay, WrittenLine},
};
use crate::chess::{Board, MoveFilter, Needs, PreparedMove, Snapshot, WrittenMove};

/// Maximum number of plies before the failing one at which changes are tried.
const MAX_PLIES_BACK: usize = 400;

/// Maximum number of plies that are played without a new one, before the ply that then cannot be
/// played: after an insertion while no change leads to the end of the line, and otherwise.
const PLIES_AHEAD: [usize; 2] = [3, 40];

/// A change that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) enum TriedChange {
    /// Another move at a ply. `slip` is how the two differ, `None` for more than a slip. `fails`
    /// says whether this is the failing ply.
    Replace { at: usize, played: Move, slip: Option<Slip>, fails: bool },
    /// A new move before a ply.
    Insert { at: usize, played: Move },
    /// Without this ply.
    Remove { at: usize, is_duplicate: bool },
    /// This ply swapped with the next one, or with the next one by the same side.
    Swap { at: usize, with: usize },
}

impl TriedChange {
    pub const fn at(&self) -> usize {
        match *self {
            TriedChange::Replace { at, .. }
            | TriedChange::Insert { at, .. }
            | TriedChange::Remove { at, .. }
            | TriedChange::Swap { at, .. } => at,
        }
    }

    /// The first ply of the text after the change.
    const fn resumes(&self) -> usize {
        match *self {
            TriedChange::Replace { at, .. } | TriedChange::Remove { at, .. } => at + 1,
            TriedChange::Insert { at, .. } => at,
            TriedChange::Swap { with, .. } => with + 1,
        }
    }

    /// Smaller is likelier. Used if nothing else distinguishes two changes.
    pub const fn rank(&self) -> u8 {
        match *self {
            TriedChange::Remove { is_duplicate: true, .. } => 0,
            TriedChange::Replace { slip: Some(slip), fails: true, .. } => 1 + slip as u8,
            TriedChange::Replace { slip: Some(slip), fails: false, .. } => 5 + slip as u8,
            TriedChange::Swap { .. } => 9,
            TriedChange::Remove { is_duplicate: false, .. } => 10,
            TriedChange::Insert { .. } => 11,
            TriedChange::Replace { slip: None, .. } => 12,
        }
    }

    /// How many plies further than a slip at the failing ply this change must lead, to be
    /// preferred.
    const fn doubt(&self) -> usize {
        match self {
            TriedChange::Remove { is_duplicate: true, .. } | TriedChange::Replace { slip: Some(_), fails: true, .. } => 0,
            TriedChange::Replace { slip: Some(_), .. } => 2,
            TriedChange::Swap { .. } | TriedChange::Remove { .. } => 4,
            TriedChange::Insert { .. } | TriedChange::Replace { slip: None, .. } => 6,
        }
    }
}

/// A change, and the first ply of the text that cannot be played after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub kind: TriedChange,
    pub reach: usize,
    /// How many marks and numbers then do not agree with the board, if that is known.
    disagreements: Option<usize>,
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
            TriedChange::Remove { is_duplicate: true, .. } => true,
            // Of a long line, a wrong move may allow a ply by chance.
            TriedChange::Replace { slip: Some(_), fails: true, .. } => beyond >= 2 || total.saturating_sub(failing) <= 8,
            TriedChange::Replace { slip: None, .. } => self.reach >= total && beyond >= 8,
            _ => beyond >= 4 || (self.reach >= total && beyond >= 2),
        }
    }
}

/// Memory that is reused from search to search.
#[derive(Debug, Default)]
pub struct RepairMemory {
    /// The positions before the plies from the first known one to the failing ply.
    snapshots: Vec<Snapshot>,
    /// Changes are tried on this board.
    board: Box<Board>,
    /// The plies of the line. Those that are not moves cannot be played.
    plies: Vec<PreparedMove>,
    /// The moves played, from the first one on.
    moves: Vec<Move>,
    /// A list of moves, empty between uses.
    list: Vec<(Move, Option<Slip>)>,
    /// Plies that are played without a new one before them, with the positions before them.
    ahead: Vec<(Snapshot, WrittenMove, Move)>,
    /// The marks of the plies in the text.
    marks: Vec<WrittenMarks>,
    /// The marks by the board of the plies that were played after a change.
    seen: Vec<SeenMarks>,
    found: Vec<Found>,
}

impl WrittenPly {
    /// What it says, prepared for playing it. What is not a move cannot be played.
    #[inline]
    fn prepared(&self) -> PreparedMove {
        self.written.map_or(PreparedMove::NONE, |written| PreparedMove::of(written.what))
    }
}

/// The state of a search.
pub(super) struct Search<'a, 's> {
    line: &'a WrittenLine<'a>,
    steps: &'s mut usize,
    memory: &'s mut RepairMemory,
    /// The first ply whose position is known.
    first: usize,
    /// The first ply at which changes are tried.
    earliest: usize,
    /// The offset of the move numbers in the text from those of the board.
    numbering: i64,
    /// The marks that the text uses.
    usual_marks: UsualMarks,
    /// Number of changes that lead to the end of the line.
    whole: usize,
    /// Whether one of them is among the likeliest.
    is_likeliest_whole: bool,
    /// What rules out other changes, if one leads to the end of the line.
    turns: ShiftedTurns,
    /// Whether the plies before the failing one are those of the replay.
    begins_as_replayed: bool,
    /// What a move instead of the failing one has to change, if one change leads to the end of the
    /// line.
    needs_at_failing: Option<Needs>,
    /// How many numbers after the failing ply do not agree with the board, once that is known.
    misnumbered_after_failing: Option<usize>,
    /// From here on, the plies are prepared.
    prepared: usize,
    /// Whether there were too few steps, or plies too far back.
    pub was_cut: bool,
    /// Whether changes are also tried that are known to lead nowhere.
    #[cfg(test)]
    plays_all: bool,
}

impl<'a, 's> Search<'a, 's> {
    /// Plays the line up to the failing ply. `None` if there is none.
    pub fn new(line: &'a WrittenLine<'a>, steps: &'s mut usize, memory: &'s mut RepairMemory) -> Option<Search<'a, 's>> {
        let RepairMemory { snapshots, board, plies, moves, list, ahead, seen, found, .. } = memory;
        board.begin_at(line.start);
        snapshots.clear();
        plies.clear();
        moves.clear();
        list.clear();
        ahead.clear();
        found.clear();
        seen.resize(line.plies.len(), SeenMarks::default());
        let mut search = Search {
            line,
            steps,
            memory,
            first: 0,
            earliest: 0,
            numbering: 0,
            usual_marks: UsualMarks::default(),
            whole: 0,
            is_likeliest_whole: false,
            turns: ShiftedTurns::default(),
            begins_as_replayed: false,
            needs_at_failing: None,
            misnumbered_after_failing: None,
            prepared: 0,
            was_cut: false,
            #[cfg(test)]
            plays_all: false,
        };
        search.begins_as_replayed = search.begin_at_failing_ply();
        search.usual_marks = WrittenMarks::of_line(line.plies, &mut search.memory.marks);
        if !search.begins_as_replayed {
            search.play_to_failing_ply()?;
        }
        let failing = search.failing();
        if failing == line.plies.len() || line.plies[failing].written.is_some_and(|written| written.what == WrittenMove::Null) {
            return None;
        }
        let mut numbers = (0..=failing).filter_map(|at| Some((at, line.plies[at].number?)));
        let first = numbers.find(|(at, (_, color))| color.is_none_or(|color| color == search.turn(*at)));
        search.numbering = first.map_or(0, |(at, (number, _))| i64::from(number) - i64::from(search.fullmoves(at)));
        search.was_cut = search.earliest > 0;
        Some(search)
    }

    /// Begins with the position before the failing ply, if it is known. Those before it are not
    /// needed yet.
    fn begin_at_failing_ply(&mut self) -> bool {
        let Replay { played, reached, is_as_written } = self.line.replay;
        if !is_as_written || played.len() > MAX_PLIES_BACK || played.len() >= self.line.plies.len() {
            return false;
        }
        let RepairMemory { snapshots, board, plies, moves, .. } = &mut *self.memory;
        moves.extend(played.iter().flatten());
        plies.resize(played.len(), PreparedMove::NONE);
        plies.extend(self.line.plies[played.len()..].iter().map(WrittenPly::prepared));
        board.continue_at(reached);
        snapshots.push(board.snapshot());
        self.first = moves.len();
        self.prepared = moves.len();
        self.first == played.len() && !self.play_ply(self.first, self.is_black(self.first))
    }

    /// Plays the line up to the failing ply. `None` if a move is not known after that.
    fn play_to_failing_ply(&mut self) -> Option<()> {
        let RepairMemory { snapshots, board, plies, moves, .. } = &mut *self.memory;
        plies.clear();
        moves.clear();
        snapshots.clear();
        plies.extend(self.line.plies.iter().map(WrittenPly::prepared));
        board.begin_at(self.line.start);
        snapshots.push(board.snapshot());
        (self.first, self.prepared) = (0, 0);
        for at in 0..self.line.plies.len() {
            if !self.play_ply(at, self.is_black(at)) {
                break;
            }
            self.memory.moves.push(self.memory.board.last_move()?);
            self.memory.snapshots.push(self.memory.board.snapshot());
            if self.memory.snapshots.len() > 2 * MAX_PLIES_BACK {
                self.memory.snapshots.drain(..MAX_PLIES_BACK);
                self.first += MAX_PLIES_BACK;
            }
        }
        self.earliest = self.first;
        Some(())
    }

    /// Gets to know the positions before the failing ply.
    fn look_back(&mut self) {
        if self.first == self.earliest {
            return;
        }
        let RepairMemory { snapshots, board, moves, .. } = &mut *self.memory;
        snapshots.clear();
        board.begin_at(self.line.start);
        snapshots.push(board.snapshot());
        let mut black = self.line.start.turn().is_black();
        for played in moves {
            board.play_move(*played, black);
            snapshots.push(board.snapshot());
            black = !black;
        }
        self.first = 0;
    }

    /// The changes that have been tried and lead further.
    pub fn found(&self) -> &[Found] {
        &self.memory.found
    }

    /// The first ply that cannot be played.
    pub fn failing(&self) -> usize {
        self.memory.moves.len()
    }

    /// Whether Black is to move before ply `at` of the unchanged line.
    fn is_black(&self, at: usize) -> bool {
        self.line.start.turn().is_black() != (at % 2 == 1)
    }

    /// The side to move before ply `at` of the unchanged line.
    pub fn turn(&self, at: usize) -> Color {
        Color::from_white(!self.is_black(at))
    }

    /// The number of the move before ply `at` of the unchanged line.
    pub fn fullmoves(&self, at: usize) -> u32 {
        let by_black = (at + usize::from(self.line.start.turn().is_black())) / 2;
        self.line.start.fullmoves().get().saturating_add(u32::try_from(by_black).unwrap_or(u32::MAX))
    }

    fn snapshot(&self, at: usize) -> &Snapshot {
        &self.memory.snapshots[at - self.first]
    }

    /// The positions before some plies, which are at most the failing one.
    pub fn positions(&self, plies: &[usize]) -> Vec<Chess> {
        if self.begins_as_replayed && plies.iter().all(|at| *at == self.failing()) {
            return vec![self.line.replay.reached.clone(); plies.len()];
        }
        let mut position = self.line.start.clone();
        let mut positions = vec![position.clone(); plies.len()];
        let last = plies.iter().max().map_or(0, |last| *last);
        for (after, played) in (1..=last).zip(&self.memory.moves) {
            position.play_unchecked(*played);
            for (_, known) in plies.iter().zip(&mut positions).filter(|(at, _)| **at == after) {
                known.clone_from(&position);
            }
        }
        positions
    }

    /// Whether changes are also tried that are known to lead nowhere.
    const fn tries_all(&self) -> bool {
        #[cfg(test)]
        return self.plays_all;
        #[cfg(not(test))]
        false
    }

    /// Uses up steps. `false` if there are too few.
    fn spend(&mut self, steps: usize) -> bool {
        let left = self.steps.checked_sub(steps);
        self.was_cut |= left.is_none();
        *self.steps = left.unwrap_or(0);
        left.is_some()
    }

    /// Tries a change: makes it and plays the plies of the text after it.
    fn attempt(&mut self, kind: TriedChange) {
        let at = kind.at();
        self.prepare_from(at);
        if !self.make(kind) {
            return;
        }
        if matches!(kind, TriedChange::Swap { .. }) {
            self.spend(kind.resumes() - at);
        }
        // At a position that the unchanged line also reaches, the rest is the same.
        let may_meet = matches!(kind, TriedChange::Replace { fails: false, .. } | TriedChange::Swap { .. });
        let end = self.line.plies.len().min(kind.resumes().saturating_add(*self.steps));
        let reach = self.play_on(kind, end, may_meet);
        self.conclude(kind, reach);
    }

    /// Whether a glance does not rule out that a later ply can be played instead of `at`.
    #[inline]
    fn may_come_now(&self, at: usize, later: usize) -> bool {
        let later = self.line.plies.get(later).and_then(|later| later.written);
        self.tries_all() || later.is_some_and(|later| self.snapshot(at).may_play(later.what, self.is_black(at)))
    }

    /// Whether a glance does not rule out that the other side can play ply `at` one move later.
    #[inline]
    fn may_come_next(&self, at: usize) -> bool {
        let (before, written) = (self.snapshot(at), self.line.plies[at].written);
        let may_come = |what| before.may_play_later(what, !self.is_black(at), self.memory.board.rights_in(before));
        self.tries_all() || written.is_some_and(|written| may_come(written.what))
    }

    /// Prepares the plies from `at` on. Those before the failing one are rarely played again.
    fn prepare_from(&mut self, at: usize) {
        while self.prepared > at {
            self.prepared -= 1;
            self.memory.plies[self.prepared] = self.line.plies[self.prepared].prepared();
        }
    }

    /// Makes a change on the board. Returns whether it can be made.
    fn make(&mut self, kind: TriedChange) -> bool {
        let at = kind.at();
        let black = self.is_black(at);
        self.memory.board.restore(&self.memory.snapshots[at - self.first]);
        match kind {
            TriedChange::Replace { played, .. } => {
                let is_made = self.memory.board.play_move(played, black);
                self.memory.seen[at] = SeenMarks::of_last(&self.memory.board);
                is_made
            }
            TriedChange::Insert { played, .. } => self.memory.board.play_move(played, black),
            TriedChange::Remove { .. } => true,
            TriedChange::Swap { with, .. } => {
                self.play_ply(with, black)
                    && (at + 1..with).all(|between| self.play_ply(between, self.is_black(between)))
                    && self.play_ply(at, self.is_black(with))
            }
        }
    }

    /// Whether Black plays the first ply of the text after a change.
    fn resumes_black(&self, kind: TriedChange) -> bool {
        match kind {
            TriedChange::Replace { .. } | TriedChange::Swap { .. } => self.is_black(kind.resumes()),
            TriedChange::Insert { .. } | TriedChange::Remove { .. } => !self.is_black(kind.resumes()),
        }
    }

    /// Plays the plies of the text after a change, up to `end`. Returns the first one that is not
    /// played.
    fn play_on(&mut self, kind: TriedChange, end: usize, may_meet: bool) -> usize {
        let (mut black, mut reach, first) = (self.resumes_black(kind), kind.resumes(), self.first);
        let RepairMemory { board, plies, seen, snapshots, .. } = &mut *self.memory;
        let end = end.min(plies.len()).min(seen.len());
        while reach < end && board.play_written(&plies[reach], black) {
            seen[reach] = SeenMarks::of_last(board);
            black = !black;
            reach += 1;
            if may_meet && snapshots.get(reach - first).is_some_and(|known| board.is_at(known)) {
                break;
            }
        }
        reach
    }

    /// Counts the steps of a change after which the plies of the text before `reach` have been
    /// played.
    fn conclude(&mut self, kind: TriedChange, reach: usize) {
        self.spend(reach - kind.resumes() + 1);
        if reach > self.failing() {
            let is_whole = reach >= self.line.plies.len();
            let disagreements = is_whole.then(|| self.disagreements_seen(kind, reach));
            self.memory.found.push(Found { kind, reach, disagreements });
            if is_whole {
                self.whole += 1;
                self.is_likeliest_whole |= kind.doubt() == 0;
            }
        }
    }

    /// Plays a ply of the text on the board. `false` if it cannot be played.
    fn play_ply(&mut self, at: usize, black: bool) -> bool {
        self.memory.board.play_written(&self.memory.plies[at], black)
    }

    /// Tries all changes, first those at the failing ply.
    pub fn run(&mut self) {
        let failing = self.failing();
        self.try_slips(failing);
        self.try_removal(failing);
        self.try_other_moves(failing);
        if self.is_settled() {
            return;
        }
        self.try_swap(failing);
        self.try_insertion(failing);
        let Some(written) = self.line.plies[failing].written else {
            // No earlier change makes it a move.
            return;
        };
        self.look_back();
        if self.seeks_whole() {
            let before = self.line.plies.iter().take(failing + 1);
            self.turns = ShiftedTurns::of(before, &self.memory.plies[failing + 1..], self.is_black(0));
        }
        let mut needs = self.memory.board.needs_in(self.snapshot(failing), written.what, self.is_black(failing));
        for at in (self.earliest..failing).rev() {
            if *self.steps == 0 {
                self.was_cut = true;
            }
            if self.was_cut && *self.steps == 0 || self.is_settled() {
                return;
            }
            self.try_removal(at);
            self.try_swap(at);
            self.try_insertion(at);
            self.try_near_moves(at, &needs);
            if let Some(written) = self.line.plies[at].written {
                needs.step_back(self.snapshot(at), written.what, self.memory.moves[at], self.is_black(at));
            }
        }
    }

    /// Whether further changes make no difference: the likeliest one and another one both lead to
    /// the end.
    fn is_settled(&self) -> bool {
        self.whole > 1 && self.is_likeliest_whole
    }

    /// Whether only changes that lead to the end of the line still matter: one of them does.
    fn seeks_whole(&self) -> bool {
        self.whole > 0 && !self.tries_all()
    }

    /// Tries the legal moves at the failing ply that are close to the text.
    fn try_slips(&mut self, at: usize) {
        let Some(skeleton) = Skeleton::of(self.line.plies[at].place.of(self.line.text)) else { return };
        let filter = MoveFilter { targets: skeleton.near_targets(), ..MoveFilter::NONE };
        self.try_moves(at, &filter, |played| skeleton.slip(played).map(Some));
    }

    /// What a move instead of the failing one has to change.
    fn needs_at_failing(&mut self) -> Needs {
        if !self.seeks_whole() {
            return Needs::ALL;
        }
        if let Some(known) = self.needs_at_failing {
            return known;
        }
        let at = self.failing();
        let needs = self.needs_without(at, at + 1, !self.is_black(at));
        self.needs_at_failing = Some(needs);
        needs
    }

    /// Tries the other legal moves at the failing ply.
    fn try_other_moves(&mut self, at: usize) {
        let black = self.is_black(at);
        let needs = self.needs_at_failing();
        let Some(filter) = self.filter(&needs, at, None, black) else { return };
        let skeleton = Skeleton::of(self.line.plies[at].place.of(self.line.text));
        let is_slip = |played: Move| skeleton.as_ref().is_some_and(|skeleton| skeleton.slip(played).is_some());
        self.try_moves(at, &filter, |played| (needs.are_met(played, None, black) && !is_slip(played)).then_some(None));
    }

    /// Tries legal moves at the failing ply: those for which `keep` says how they differ from the
    /// text.
    fn try_moves(&mut self, at: usize, filter: &MoveFilter, keep: impl Fn(Move) -> Option<Option<Slip>>) {
        let list = self.legal_moves(at, filter, keep);
        for &(played, slip) in &list {
            if !self.spend(1) || (slip.is_none() && self.is_settled()) {
                break;
            }
            if self.needs_at_failing().are_met(played, None, self.is_black(at)) {
                self.attempt(TriedChange::Replace { at, played, slip, fails: true });
            }
        }
        self.memory.list = list;
    }

    /// The legal moves before ply `at` that pass `filter`, and what `keep` says of them. The list
    /// goes back to the memory.
    fn legal_moves(
        &mut self,
        at: usize,
        filter: &MoveFilter,
        keep: impl Fn(Move) -> Option<Option<Slip>>,
    ) -> Vec<(Move, Option<Slip>)> {
        let mut list = std::mem::take(&mut self.memory.list);
        list.clear();
        self.memory.board.restore(&self.memory.snapshots[at - self.first]);
        self.memory.board.list_moves(self.is_black(at), filter, keep, &mut list);
        list
    }

    /// Tries legal moves close to the text at an earlier ply, which have to meet the needs of the
    /// failing ply.
    fn try_near_moves(&mut self, at: usize, needs: &Needs) {
        let (written, black) = (self.memory.moves[at], self.is_black(at));
        self.spend(1);
        let Some(mut filter) = self.filter(needs, at, Some(written), black) else { return };
        let Some(skeleton) = Skeleton::of(self.line.plies[at].place.of(self.line.text)) else { return };
        for (targets, near) in filter.targets.iter_mut().zip(skeleton.near_targets()) {
            *targets &= near;
        }
        if !skeleton.may_castle() && !self.snapshot(at).may_list(&filter, black) {
            return;
        }
        let tries_all = self.tries_all();
        let keep = |played: Move| {
            let is_tried = played != written && (tries_all || needs.are_met(played, Some(written), black));
            skeleton.slip(played).filter(|_| is_tried).map(Some)
        };
        let list = self.legal_moves(at, &filter, keep);
        for &(played, slip) in &list {
            self.attempt(TriedChange::Replace { at, played, slip, fails: false });
        }
        self.memory.list = list;
    }

    /// The moves before ply `at` that may meet some needs.
    fn filter(&self, needs: &Needs, at: usize, instead_of: Option<Move>, black: bool) -> Option<MoveFilter> {
        if self.tries_all() { Some(MoveFilter::NONE) } else { needs.filter(self.snapshot(at), instead_of, black) }
    }

    /// Tries to remove a ply.
    #[inline]
    fn try_removal(&mut self, at: usize) {
        if self.turns.rule_out_removal(self.snapshot(at)) {
            return;
        }
        let next_may_come = self.may_come_now(at, at + 1);
        // At the failing ply, a removal after which nothing can be played counts, too.
        if next_may_come || at == self.failing() {
            self.attempt_removal(at, next_may_come);
        } else {
            self.spend(1);
        }
    }

    fn attempt_removal(&mut self, at: usize, next_may_come: bool) {
        let plies = self.line.plies;
        let same = |one: usize, other: usize| {
            let token = |at: usize| plies.get(at).map(|ply| ply.place.of(self.line.text));
            token(one).is_some() && token(one) == token(other)
        };
        // Of two equal plies without a number between them, only the second is removed.
        if at + 1 < plies.len() && same(at, at + 1) && plies[at + 1].number.is_none() && at != self.failing() {
            return;
        }
        let is_duplicate = at > self.earliest && same(at - 1, at) || at >= self.earliest + 2 && same(at - 2, at);
        let kind = TriedChange::Remove { at, is_duplicate };
        if next_may_come { self.attempt(kind) } else { self.conclude(kind, at + 1) }
    }

    /// Tries to swap a ply with the next one, and with the next one by the same side.
    fn try_swap(&mut self, at: usize) {
        if at + 1 < self.line.plies.len() && self.may_come_now(at, at + 1) && self.may_come_next(at) {
            self.attempt(TriedChange::Swap { at, with: at + 1 });
        }
        if at + 2 < self.line.plies.len() && self.order_matters(at) && self.may_come_now(at, at + 2) {
            self.attempt(TriedChange::Swap { at, with: at + 2 });
        }
    }

    /// Whether the order of two plies by the same side, `at` and the one after the next, may make a
    /// difference to the line.
    fn order_matters(&self, at: usize) -> bool {
        let Some([one, between, other]) = self.memory.moves.get(at..at + 3) else { return true };
        let [first, second, third] = [one, between, other].map(|played| played.to());
        let is_on_the_way = second == first || second == third;
        // The same piece, or another one of its kind, would make both moves.
        let may_be_one_piece = one.role() == other.role() && (one.role() != Role::Pawn || first.file() == third.file());
        // The failing ply may be a capture en passant of the pawn that has just moved.
        let is_right_before = at + 3 == self.failing();
        is_on_the_way || may_be_one_piece || is_right_before || self.tries_all()
    }

    /// Tries to insert a ply before another.
    #[inline]
    fn try_insertion(&mut self, at: usize) {
        let Some(written) = self.line.plies[at].written else { return };
        self.spend(1);
        if !self.turns.rule_out_insertion(self.snapshot(at), self.is_black(at)) {
            self.attempt_insertions(at, written.what);
        }
    }

    /// Tries the moves that may be missing before a ply, which is written as `what`.
    fn attempt_insertions(&mut self, at: usize, what: WrittenMove) {
        let (before, black) = (self.snapshot(at), self.is_black(at));
        let rights = self.memory.board.rights_in(before);
        if !self.tries_all() && !before.may_play_later(what, !black, rights) {
            return;
        }
        let needs = self.needs_without(at, at, !black);
        let Some(filter) = self.filter(&needs, at, None, black) else { return };
        let tries_all = self.tries_all();
        let keep = |played: Move| (tries_all || needs.are_met(played, None, black)).then_some(None);
        let list = self.legal_moves(at, &filter, keep);
        for &(played, _) in &list {
            if !self.spend(1) {
                break;
            }
            self.attempt(TriedChange::Insert { at, played });
        }
        self.memory.list = list;
    }

    /// What a new move by the side to move before ply `at` has to change: without it, the line goes
    /// on with ply `next`, by Black (`black`) or White, until a ply cannot be played.
    fn needs_without(&mut self, at: usize, next: usize, mut black: bool) -> Needs {
        let seeks_whole = self.seeks_whole();
        let last = next + PLIES_AHEAD[usize::from(seeks_whole)];
        // Further plies than the failing one are worth knowing, as long as no change leads to the
        // end.
        let last = last.min(if seeks_whole { self.line.plies.len().saturating_sub(1) } else { self.failing() });
        self.memory.board.restore(&self.memory.snapshots[at - self.first]);
        self.memory.board.pass();
        self.memory.ahead.clear();
        self.prepare_from(next);
        for index in next..=last {
            let Some(what) = self.line.plies[index].written.map(|written| written.what) else { return Needs::NOTHING };
            self.spend(1);
            let before = self.memory.board.snapshot();
            if !self.play_ply(index, black) {
                let mut needs = self.memory.board.needs_in(&before, what, black);
                for (position, what, played) in self.memory.ahead.iter().rev() {
                    black = !black;
                    needs.step_back(position, *what, *played, black);
                }
                return needs;
            }
            let Some(played) = self.memory.board.last_move() else { break };
            self.memory.ahead.push((before, what, played));
            black = !black;
        }
        Needs::ALL
    }

    /// Whether the number before a ply does not agree with the board, on which `color` plays move
    /// `board`.
    fn is_misnumbered(&self, number: Option<(u32, Option<Color>)>, (board, turn): (u32, Color)) -> bool {
        let Some((number, color)) = number else { return false };
        i64::from(number) != i64::from(board) + self.numbering || color.is_some_and(|color| color != turn)
    }

    /// How many numbers do not agree with the board up to the ply after a change, which is then the
    /// move `resumed`. A number stays where it is, before whatever then follows it.
    fn misnumbered_before(&self, kind: TriedChange, resumed: (u32, Color)) -> usize {
        let plies = self.line.plies;
        let at = kind.at();
        let number = |at: usize| plies.get(at).and_then(|ply| ply.number);
        let move_at = |at: usize| (self.fullmoves(at), self.turn(at));
        let earlier = (self.earliest..at).filter(|&ply| self.is_misnumbered(number(ply), move_at(ply))).count();
        let changed = match kind {
            TriedChange::Remove { .. } => resumed,
            TriedChange::Insert { .. } if !self.numbers_inserted(at) => resumed,
            _ => move_at(at),
        };
        let others = if let TriedChange::Swap { with, .. } = kind { at + 1..with + 1 } else { 0..0 };
        let swapped = others.filter(|&ply| self.is_misnumbered(number(ply), move_at(ply))).count();
        earlier + usize::from(self.is_misnumbered(number(at), changed)) + swapped
    }

    /// Whether the number before a ply is that of the ply inserted there.
    fn numbers_inserted(&self, at: usize) -> bool {
        let color = self.line.plies.get(at).and_then(|ply| ply.number).and_then(|(_, color)| color);
        color == Some(self.turn(at))
    }

    /// How many marks and numbers do not agree with the board if the change is made. Marks are
    /// compared after the change only.
    pub fn disagreements(&mut self, found: &Found) -> usize {
        if let Some(known) = found.disagreements {
            return known;
        }
        if !self.make(found.kind) {
            return usize::MAX;
        }
        let reach = self.play_on(found.kind, found.reach, false);
        self.disagreements_seen(found.kind, reach)
    }

    /// The same for a change after which the plies of the text before `reach` have just been
    /// played.
    fn disagreements_seen(&mut self, kind: TriedChange, reach: usize) -> usize {
        let (at, resumes) = (kind.at(), kind.resumes().min(reach));
        // The number of plies played after the position before the change.
        let new = match kind {
            TriedChange::Remove { .. } => 0,
            TriedChange::Replace { .. } | TriedChange::Insert { .. } => 1,
            TriedChange::Swap { with, .. } => with + 1 - at,
        };
        // Elsewhere, a move after it shows that it is no mate.
        let last = reach.saturating_sub(1);
        if self.memory.marks[last].is_mate() {
            let black = self.resumes_black(kind) != ((reach - resumes) % 2 == 1);
            self.memory.seen[last] = self.memory.seen[last].with_mate(&self.memory.board, black);
        }
        let pairs = self.memory.marks[resumes..reach].iter().zip(&self.memory.seen[resumes..reach]);
        let mut wrong: usize = pairs.map(|(written, seen)| written.disagreements(self.usual_marks, *seen)).sum();
        if let TriedChange::Replace { .. } = kind {
            wrong += self.memory.marks[at].disagreements_with_other(self.usual_marks, self.memory.seen[at]);
        }
        let board = |index: usize| (self.fullmoves(at + new + index - resumes), self.turn(at + new + index - resumes));
        wrong += self.misnumbered_before(kind, board(resumes));
        // The number before an inserted ply has been compared.
        let first = if matches!(kind, TriedChange::Insert { .. }) { resumes + 1 } else { resumes };
        let misnumbered =
            || (first..reach).filter(|&index| self.is_misnumbered(self.line.plies[index].number, board(index))).count();
        // Whatever replaces the failing ply, the numbers after it stay the same.
        let is_after_failing = matches!(kind, TriedChange::Replace { fails: true, .. }) && reach == self.line.plies.len();
        let known = self.misnumbered_after_failing.filter(|_| is_after_failing && !self.tries_all());
        let counted = known.unwrap_or_else(misnumbered);
        if is_after_failing {
            self.misnumbered_after_failing = Some(counted);
        }
        wrong + counted
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, san::SanPlus};

    use super::*;
    use crate::{
        chess::{WrittenSan, resolve},
        text::Span,
    };

    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pPpp1ppp/8/4p3/4P3/8/PpPP1PPP/R3K2R w KQkq - 0 1",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 b GBgb - 0 7",
        "4k3/2n1n3/1r3r2/2PpP3/2pPp3/1R3R2/2N1N3/4K3 w - d6 0 1",
        "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
    ];

    /// Pseudo-random numbers that are the same in every run.
    struct Random(usize);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(0x5DEE_CE66D).wrapping_add(11) & 0xFFFF_FFFF_FFFF;
            (self.0 >> 17) % limit
        }
    }

    /// Random moves, of which one or two are damaged, and their plies.
    fn damaged(start: &Chess, random: &mut Random) -> (String, Vec<WrittenPly>) {
        let mut chess = start.clone();
        let mut tokens: Vec<String> = Vec::new();
        let with_coordinates = random.below(8) == 0;
        for _ in 0..20 + random.below(100) {
            let mut moves = chess.legal_moves();
            // Few pieces wander, so that changes often matter only later.
            let some: Vec<Move> = moves.iter().filter(|played| played.is_capture() || random.below(3) == 0).copied().collect();
            moves.retain(|played| some.is_empty() || some.contains(played));
            if moves.is_empty() {
                break;
            }
            let played = moves[random.below(moves.len())];
            tokens.push(match with_coordinates {
                true => played.to_uci(chess.castles().mode()).to_string(),
                false => SanPlus::from_move(chess.clone(), played).to_string(),
            });
            chess.play_unchecked(played);
        }
        for _ in 0..1 + random.below(2) {
            let at = random.below(tokens.len());
            match random.below(7) {
                0 => drop(tokens.remove(at)),
                1 => tokens.insert(at, tokens[random.below(tokens.len())].clone()),
                2 => {
                    let other = random.below(tokens.len());
                    tokens.swap(at, other);
                }
                3 => {
                    let other = (at + 2) % tokens.len();
                    tokens.swap(at, other);
                }
                _ => {
                    let mut token = tokens[at].clone().into_bytes();
                    let byte = random.below(token.len());
                    token[byte] = b"abcdefgh12345678NBRQKO"[random.below(22)];
                    tokens[at] = String::from_utf8(token).expect("ASCII");
                }
            }
            if tokens.len() < 3 {
                break;
            }
        }
        let mut text = String::new();
        let mut plies = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let place = Span::new(text.len(), text.len() + token.len());
            let number = (at % 2 == 0).then(|| (at as u32 / 2 + 1, Some(Color::White)));
            plies.push(WrittenPly { place, written: WrittenSan::read(token.as_bytes()), number });
            text.push_str(token);
            text.push(' ');
        }
        (text, plies)
    }

    /// What is found with `steps`, the disagreements, and whether there were too few.
    fn result(line: &WrittenLine<'_>, steps: usize, plays_all: bool) -> Option<(String, bool)> {
        result_with(line, steps, plays_all, &mut RepairMemory::default())
    }

    /// The same with memory that was used before.
    fn result_with(
        line: &WrittenLine<'_>,
        mut steps: usize,
        plays_all: bool,
        memory: &mut RepairMemory,
    ) -> Option<(String, bool)> {
        let mut search = Search::new(line, &mut steps, memory)?;
        search.plays_all = plays_all;
        search.run();
        let mut found = std::mem::take(&mut search.memory.found);
        // Other changes do not matter if there is one that leads to the end.
        let total = line.plies.len();
        if found.iter().any(|found| found.reach >= total) {
            found.retain(|found| found.reach >= total);
        }
        let mut counted = |found: &Found| {
            let again = search.disagreements(&Found { disagreements: None, ..*found });
            assert!(found.disagreements.is_none_or(|known| known == again), "{found:?}, {again}");
            format!("{found:?} {again}\n")
        };
        let all: Vec<String> = found.iter().map(&mut counted).collect();
        Some((all.concat(), search.was_cut))
    }

    /// The moves before the failing ply, and the position after them.
    fn replayed(start: &Chess, plies: &[WrittenPly]) -> (Vec<Option<Move>>, Chess) {
        let (mut played, mut position) = (Vec::new(), start.clone());
        for ply in plies {
            let resolved = ply.written.and_then(|written| resolve(&position, position.checkers(), &written));
            let Some(resolved) = resolved else { break };
            played.push(Some(resolved.played));
            position.play_unchecked(resolved.played);
        }
        (played, position)
    }

    /// A line of which nothing was replayed.
    fn unplayed<'a>(text: &'a [u8], start: &'a Chess, plies: &'a [WrittenPly]) -> WrittenLine<'a> {
        WrittenLine { text, start, plies, replay: Replay { played: &[], reached: start, is_as_written: false }, cut: false }
    }

    #[test]
    fn changes_that_a_glance_rules_out_lead_nowhere() {
        let mut random = Random(11);
        let (mut searched, mut cut) = (0, 0);
        let mut memory = RepairMemory::default();
        for game in 0..10_000 {
            let fen = STARTS[game % STARTS.len()];
            let mode = if fen.contains("KQ") { CastlingMode::Standard } else { CastlingMode::Chess960 };
            let start: Chess = fen.parse::<Fen>().expect(fen).into_position(mode).expect(fen);
            let (text, plies) = damaged(&start, &mut random);
            let line = unplayed(text.as_bytes(), &start, &plies);
            let Some(expected) = result(&line, 10_000_000, true) else { continue };
            searched += 1;
            assert_eq!(result_with(&line, 10_000_000, false, &mut memory), Some(expected.clone()), "{text} in {fen}");
            let (played, reached) = replayed(&start, &plies);
            let replay = Replay { played: &played, reached: &reached, is_as_written: true };
            let known = result_with(&WrittenLine { replay, ..line }, 10_000_000, false, &mut memory);
            assert_eq!(known, Some(expected.clone()), "{text} in {fen}");
            let (found, was_cut) = result(&line, random.below(5_000), false).expect("a search");
            assert!(was_cut || found == expected.0, "{text} in {fen}");
            cut += usize::from(was_cut);
        }
        assert!(searched > 5_000 && cut > 500, "{searched} searches, {cut} with too few steps");
    }

    /// Moves that let another piece than before make a move, or make a capture en passant possible
    /// or impossible, and castling on the other wing.
    #[test]
    fn changes_with_consequences_are_found() {
        for (fen, text, change) in [
            (
                "6k1/8/8/r4R1r/8/8/8/1K5Q w - - 0 1",
                "Rd5 Qh7 Kf8 Qf5",
                "Insert { at: 0, played: Normal { role: Rook, from: F5, capture: None, to: B5",
            ),
            (
                "4k1n1/8/8/2n5/4p1N1/8/3PP3/7K w - - 0 1",
                "d4 exd3 Nf6 d5",
                "Insert { at: 1, played: Normal { role: Knight, from: C5, capture: None, to: D3",
            ),
            (
                "8/8/5k2/8/3p4/8/3PP3/4K3 w - - 0 1",
                "e3 Kf5 e4+ dxe3 Ke2 exd2 Kxd2",
                "Replace { at: 0, played: Normal { role: Pawn, from: D2, capture: None, to: D3",
            ),
            (
                "8/P6k/8/8/8/8/8/4K3 w - - 0 1",
                "a7a8R h7g7 a8a1 g7h7 a1e5 h7g8 e5e6",
                "Replace { at: 0, played: Normal { role: Pawn, from: A7, capture: None, to: A8, promotion: Some(Queen)",
            ),
            (
                "8/8/8/3pP2k/8/8/6B1/4K3 w - d6 0 1",
                "e6 Kg5 Bb7 Kh5 Bc8 Kg5 Bb7",
                "Replace { at: 0, played: EnPassant { from: E5, to: D6 }",
            ),
            (
                "4k3/p7/8/8/8/8/8/R3K2R w KQ - 0 1",
                "O-O a6 Rh4 a5 Rh5 Ke7 Rxa5",
                "Replace { at: 0, played: Castle { king: E1, rook: A1 }",
            ),
            // Moves of one side in the wrong order, before a capture en passant and before a
            // capture of one of them.
            ("4k3/7p/8/8/2p5/8/3P3P/4K3 w - - 0 1", "d4 h6 h3 cxd3 Kd1 d2", "Swap { at: 0, with: 2 }"),
            ("4k3/1b6/6p1/8/8/2N5/3Q4/4K3 w - - 0 1", "Nxd5 Bd5 Qg5 Kf8 Ne7 Kg7 Qh5", "Swap { at: 0, with: 2 }"),
        ] {
            let start: Chess = fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen);
            let mut plies = Vec::new();
            for token in text.split(' ') {
                let at = plies.last().map_or(0, |last: &WrittenPly| last.place.end + 1);
                let place = Span::new(at, at + token.len());
                plies.push(WrittenPly { place, written: WrittenSan::read(token.as_bytes()), number: None });
            }
            let line = unplayed(text.as_bytes(), &start, &plies);
            let (found, _) = result(&line, 10_000, false).expect("a search");
            assert!(found.contains(change), "{found}");
            assert_eq!(result(&line, 10_000, true), Some((found, false)));
        }
    }
}
