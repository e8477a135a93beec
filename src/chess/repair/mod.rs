//! Repairs of a line that cannot be played to its end.
//!
//! Changes are tried at the failing ply and before it: a legal move that is one typing error away
//! from the text, a missing ply, a duplicate or extra ply, two plies in the wrong order. The change
//! after which most of the remaining plies can be played wins.

mod change_search;
mod move_marks;
mod plies;
mod shifted_turns;
mod slips;
mod written_line;

use std::{cmp::Reverse, ops::Range};

use shakmaty::{Chess, Move};

use self::change_search::Search;
pub use self::{
    change_search::RepairMemory,
    plies::WrittenPly,
    written_line::{Replay, WrittenLine},
};
use super::san_of;

/// A change that may repair a line. Plies count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineChange {
    /// Play another move.
    Replace {
        /// The ply, from 0.
        at: usize,
        /// The move.
        played: Move,
        /// The move in its canonical spelling.
        san: String,
    },
    /// Add a missing ply.
    Insert {
        /// The ply before which it belongs, from 0.
        at: usize,
        /// The move.
        played: Move,
        /// The move in its canonical spelling.
        san: String,
    },
    /// Remove a ply.
    Remove {
        /// The ply, from 0.
        at: usize,
        /// Whether the same token comes shortly before it.
        is_duplicate: bool,
    },
    /// Swap two plies: one and the next, or one and the next by the same side.
    Swap {
        /// The first of them, from 0.
        at: usize,
        /// The other one, from 0.
        with: usize,
    },
}

impl LineChange {
    /// The (first) ply that is changed, from 0.
    pub const fn at(&self) -> usize {
        match self {
            LineChange::Replace { at, .. }
            | LineChange::Insert { at, .. }
            | LineChange::Remove { at, .. }
            | LineChange::Swap { at, .. } => *at,
        }
    }

    /// Whether two plies by the same side are swapped. If several moves are in the wrong order,
    /// this often is one of many changes after which the line can be played. The others are not
    /// tried, so it is never certain.
    pub const fn is_exchange(&self) -> bool {
        matches!(self, LineChange::Swap { at, with } if *with > *at + 1)
    }

    /// The plies of the text from the first to the last one that is changed, from 0. Empty for
    /// [`LineChange::Insert`].
    pub const fn plies(&self) -> Range<usize> {
        match self {
            LineChange::Replace { at, .. } | LineChange::Remove { at, .. } => *at..*at + 1,
            LineChange::Insert { at, .. } => *at..*at,
            LineChange::Swap { at, with } => *at..*with + 1,
        }
    }
}

/// How a line probably has to be repaired.
#[derive(Clone, Debug)]
pub struct LineRepair {
    /// The first ply that cannot be played, from 0.
    pub failing: usize,
    /// The changes after which most plies can be played: one, or a few that are equally likely.
    pub changes: Vec<LineChange>,
    /// The position before the failing ply.
    pub here: Chess,
    /// The position before each of the changes.
    pub before: Vec<Chess>,
    /// How many plies after the change can then be played.
    pub replayed: usize,
    /// How many plies follow the change.
    pub remaining: usize,
    /// Whether no other change lets as many plies be played.
    pub is_unique: bool,
    /// Whether all marks and numbers after the change agree with the board.
    pub marks_agree: bool,
    /// Whether the search stopped at a limit.
    pub search_was_cut: bool,
    /// Whether it is clear where in the text the change is made. The place of a missing ply is not
    /// if there is anything but a number between the plies around it.
    pub place_is_clear: bool,
}

/// Minimum number of plies after a change that is certain.
const MIN_FOLLOWING_PLIES: usize = 8;

impl LineRepair {
    /// Whether all remaining plies can be played and nothing speaks against the repair.
    pub fn is_certain(&self) -> bool {
        self.changes.len() == 1
            && self.is_unique
            && self.marks_agree
            && !self.search_was_cut
            && self.place_is_clear
            && !self.changes[0].is_exchange()
            && self.replays_whole()
            && !self.has_few_plies()
    }

    /// Whether too few plies follow to be certain.
    pub const fn has_few_plies(&self) -> bool {
        self.remaining < MIN_FOLLOWING_PLIES
    }

    /// Whether all remaining plies can be played.
    pub fn replays_whole(&self) -> bool {
        self.replayed == self.remaining
    }
}

/// Maximum number of equally likely changes in a repair.
const MAX_CHANGES: usize = 3;

/// Finds a repair. `None` if the line can be played to its end, or if no change helps enough.
///
/// `steps` is the number of moves that may be tried and plies that may be played. Used steps are
/// subtracted. `memory` is only reused.
pub fn find_repair(line: &WrittenLine<'_>, steps: &mut usize, memory: &mut RepairMemory) -> Option<LineRepair> {
    let mut search = Search::new(line, steps, memory)?;
    search.run();
    best_repair(line, &mut search)
}

/// The repair that is likeliest by what a search has found.
fn best_repair(line: &WrittenLine<'_>, search: &mut Search<'_, '_>) -> Option<LineRepair> {
    let failing = search.failing();
    let total = line.plies.len();
    let best = search.found().iter().map(|found| found.merit(total)).max()?;
    let best = search.found().iter().filter(|found| found.merit(total) == best);
    let mut tied: Vec<(change_search::Found, Option<usize>)> = best.map(|found| (*found, None)).collect();
    if tied.len() > 1 {
        for (found, disagreements) in &mut tied {
            *disagreements = Some(search.disagreements(found));
        }
        let fewest = tied.iter().map(|(_, disagreements)| *disagreements).min()?;
        tied.retain(|(_, disagreements)| *disagreements == fewest);
        tied.sort_by_key(|(found, _)| (found.kind.rank(), Reverse(found.kind.at())));
        let first = tied[0].0.kind.rank();
        tied.retain(|(found, _)| found.kind.rank() == first);
    }
    let (winner, disagreements) = *tied.first()?;
    if tied.len() > MAX_CHANGES || !winner.is_evidence(failing, total) {
        return None;
    }
    let disagreements = disagreements.unwrap_or_else(|| search.disagreements(&winner));
    let is_unique = search.found().iter().filter(|found| found.reach >= winner.reach).count() == 1;
    let wanted: Vec<usize> = tied.iter().map(|(found, _)| found.kind.at()).chain([failing]).collect();
    let mut before = search.positions(&wanted);
    let here = before.pop()?;
    let change = |((found, _), before): (&(change_search::Found, _), &Chess)| match found.kind {
        change_search::TriedChange::Replace { at, played, .. } => LineChange::Replace { at, played, san: san_of(before, played) },
        change_search::TriedChange::Insert { at, played } => LineChange::Insert { at, played, san: san_of(before, played) },
        change_search::TriedChange::Remove { at, is_duplicate } => LineChange::Remove { at, is_duplicate },
        change_search::TriedChange::Swap { at, with } => LineChange::Swap { at, with },
    };
    let changes: Vec<LineChange> = tied.iter().zip(&before).map(change).collect();
    let end = changes[0].plies().end;
    Some(LineRepair {
        failing,
        replayed: winner.reach.saturating_sub(end),
        remaining: total - end.min(total),
        is_unique,
        marks_agree: disagreements == 0,
        search_was_cut: search.was_cut || line.cut,
        place_is_clear: changes.iter().all(|change| place_is_clear(line, change)),
        changes,
        here,
        before,
    })
}

/// Whether only whitespace and one number are between the plies around a missing one.
fn place_is_clear(line: &WrittenLine<'_>, change: &LineChange) -> bool {
    let LineChange::Insert { at, .. } = change else { return true };
    let before = at.checked_sub(1).and_then(|before| line.plies.get(before));
    let Some((before, next)) = before.zip(line.plies.get(*at)) else { return *at == 0 };
    let between = line.text.get(before.place.end..next.place.start).unwrap_or_default();
    let mut words = between.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_number = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    words.next().is_none_or(is_number) && words.next().is_none()
}
