//! What was meant by a line of moves that cannot be played to its end, proven by replaying the rest of it.
//!
//! Changes are tried at the ply that fails and at those before it: a legal move that is one slip of the pen away from what is
//! written, a ply left out, a ply written twice, two plies in the wrong order. The change after which most of the rest can be
//! played wins.

mod near;
mod search;

use std::{cmp::Reverse, ops::Range};

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use self::search::Search;
use super::WrittenSan;
use crate::text::Span;

/// A ply as it is written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenPly {
    /// Where it stands.
    pub place: Span,
    /// What was read of it; `None` where it is no move in any spelling.
    pub written: Option<WrittenSan>,
    /// The move number indication right before it: the number, and whose move its periods say it is, if there are any.
    pub number: Option<(u32, Option<Color>)>,
}

impl WrittenPly {
    /// The same ply, `by` bytes further on.
    pub const fn shifted(self, by: usize) -> WrittenPly {
        WrittenPly { place: self.place.shifted(by), ..self }
    }
}

/// A line of moves as it is written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenLine<'a> {
    /// What the places are offsets in.
    pub text: &'a [u8],
    /// The position before its first ply.
    pub start: &'a Chess,
    /// Its plies.
    pub plies: &'a [WrittenPly],
    /// Whether the line goes on behind them: then nothing is certain.
    pub cut: bool,
}

/// What has to be changed in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Another move was meant.
    Replace {
        /// The ply, from 0.
        at: usize,
        /// The move, in its canonical spelling.
        san: String,
    },
    /// A ply was left out.
    Insert {
        /// The ply before which it belongs, from 0.
        at: usize,
        /// The move, in its canonical spelling.
        san: String,
    },
    /// A ply is one too many.
    Remove {
        /// The ply, from 0.
        at: usize,
        /// Whether the same move stands before it.
        is_duplicate: bool,
    },
    /// Two plies are in the wrong order.
    Swap {
        /// The first of them, from 0.
        at: usize,
    },
}

impl Change {
    /// The ply that is changed, from 0.
    pub const fn at(&self) -> usize {
        match self {
            Change::Replace { at, .. } | Change::Insert { at, .. } | Change::Remove { at, .. } | Change::Swap { at } => *at,
        }
    }

    /// The written plies that take part in it.
    pub const fn plies(&self) -> Range<usize> {
        match self {
            Change::Replace { at, .. } | Change::Remove { at, .. } => *at..*at + 1,
            Change::Insert { at, .. } => *at..*at,
            Change::Swap { at } => *at..*at + 2,
        }
    }
}

/// What probably was meant.
#[derive(Clone, Debug)]
pub struct LineRepair {
    /// The first ply that cannot be played, from 0.
    pub failing: usize,
    /// The changes after which most can be played: one, or a few that nothing tells apart.
    pub changes: Vec<Change>,
    /// The number of the move that is changed, and whose move it is, counted from the start position.
    pub number: (u32, Color),
    /// Plies behind the change that can then be played.
    pub replayed: usize,
    /// Plies behind the change.
    pub remaining: usize,
    /// Whether no other change that was tried lets as many be played.
    pub is_unique: bool,
    /// Whether all marks and numbers behind the change agree with the board.
    pub marks_agree: bool,
    /// Whether the search came to its bound.
    pub search_was_cut: bool,
}

/// So many plies have to follow a change that is certain.
const PROVING_PLIES: usize = 8;

impl LineRepair {
    /// Whether all that follows can be played, and no doubt is left.
    pub fn is_certain(&self) -> bool {
        self.changes.len() == 1
            && self.is_unique
            && self.marks_agree
            && !self.search_was_cut
            && self.replays_whole()
            && self.remaining >= PROVING_PLIES
    }

    /// Whether all plies behind the change can be played.
    pub fn replays_whole(&self) -> bool {
        self.replayed == self.remaining
    }
}

/// No more changes than these are named where nothing tells them apart.
const MOST_NAMED: usize = 3;

/// Finds what was meant by a line that cannot be played to its end. `None` where it can be, or where nothing of use was found.
///
/// `steps` is how many moves may be tried and plies played; what is used is taken off it.
pub fn find_repair(line: &WrittenLine<'_>, steps: &mut usize) -> Option<LineRepair> {
    let mut search = Search::new(line, steps)?;
    search.run();
    let failing = search.failing();
    let total = line.plies.len();
    let best = search.found.iter().map(|found| found.merit(total)).max()?;
    let mut tied: Vec<_> = search.found.iter().filter(|found| found.merit(total) == best).copied().collect();
    let disagreements = |found: &search::Found| search.disagreements(found);
    if tied.len() > 1 {
        let fewest = tied.iter().map(&disagreements).min()?;
        tied.retain(|found| disagreements(found) == fewest);
        tied.sort_by_key(|found| (found.kind.rank(), Reverse(found.kind.at())));
        let first = tied[0].kind.rank();
        tied.retain(|found| found.kind.rank() == first);
    }
    let winner = *tied.first()?;
    if tied.len() > MOST_NAMED || !winner.is_evidence(failing, total) {
        return None;
    }
    let is_unique = search.found.iter().filter(|found| found.reach >= winner.reach).count() == 1;
    let at = winner.kind.at();
    let before = search.position(at);
    let change = |found: &search::Found| match found.kind {
        search::Kind::Replace { at, played, .. } => Change::Replace { at, san: spelt(&search.position(at), played) },
        search::Kind::Insert { at, played } => Change::Insert { at, san: spelt(&search.position(at), played) },
        search::Kind::Remove { at, is_duplicate } => Change::Remove { at, is_duplicate },
        search::Kind::Swap { at } => Change::Swap { at },
    };
    let changes: Vec<Change> = tied.iter().map(change).collect();
    let end = changes[0].plies().end;
    Some(LineRepair {
        failing,
        number: (before.fullmoves().get(), before.turn()),
        replayed: winner.reach.saturating_sub(end),
        remaining: total - end.min(total),
        is_unique,
        marks_agree: disagreements(&winner) == 0,
        search_was_cut: search.bounded || line.cut,
        changes,
    })
}

fn spelt(before: &Chess, played: Move) -> String {
    SanPlus::from_move(before.clone(), played).to_string()
}
