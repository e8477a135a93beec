//! Which findings of two reports are the same.
//!
//! Findings are matched by fingerprint: first inside their input, then over all inputs. So a copy
//! of an input does not take the matches of the original. A fingerprint that occurs several times
//! (the same game twice) is matched once for each pair.
//!
//! A fingerprint changes with any part of its record. So the other findings are matched once more,
//! by what stays if another part of the record is edited. They have moved.

use std::io;

use memchr::memmem;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{
    compare_error::CompareError,
    compare_inputs::InputComparison,
    reader::{FindingRow, ReportReader},
};
use crate::{
    identity::{Group, IN_SECOND, join, matched},
    rules::Severity,
    spill::{Sorter, temporary_failed},
};

/// Maximum number of rows of each sorter in memory.
const MAX_ENTRIES: usize = 1 << 18;

/// What the other report has for a row: the same finding, none, or its severity if it differs.
/// One byte, because there is one for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match(u8);

impl Match {
    pub const SAME: Match = Match(u8::MAX);
    pub const NONE: Match = Match(u8::MAX - 1);
    pub const MOVED: Match = Match(u8::MAX - 2);
    /// The same finding, which was known.
    pub const KNOWN: Match = Match(u8::MAX - 3);

    /// The severity before, if it was another one.
    pub fn severity_before(self) -> Option<Severity> {
        Severity::ALL.into_iter().find(|severity| *severity as u8 == self.0)
    }
}

/// The matches of all rows of both reports, in the order of the rows.
#[derive(Debug, Default)]
pub(super) struct Matches {
    pub old: Vec<Match>,
    pub new: Vec<Match>,
    /// The rows of findings that have moved, before and after.
    pub moves: Vec<(u64, u64)>,
}

impl Matches {
    pub fn of(before: &ReportReader, after: &ReportReader, inputs: &InputComparison) -> Result<Matches, CompareError> {
        let mut matches = Matches::default();
        let mut rows = Sorter::with_limit(MAX_ENTRIES);
        before.for_each_finding(|row| {
            let place = matches.old.len() as u64;
            matches.old.push(Match::NONE);
            rows.push(entry(&row, place, xxh3_64(row.cell("input")))).map_err(temporary)
        })?;
        after.for_each_finding(|row| {
            let place = matches.new.len() as u64 | IN_SECOND;
            matches.new.push(Match::NONE);
            rows.push(entry(&row, place, inputs.old_name(xxh3_64(row.cell("input"))))).map_err(temporary)
        })?;
        let looser = |_, row: &Entry| Some(row[4]);
        matched(
            rows,
            2,
            || Sorter::with_limit(MAX_ENTRIES),
            looser,
            |step, groups| Ok(groups.into_iter().flat_map(|group| matches.match_group(group, step > 0)).collect()),
        )
        .map_err(temporary)?;
        Ok(matches)
    }

    /// Matches rows with the same fingerprint: first those of the same input, then the others in
    /// the order of the rows. Returns those without a match.
    fn match_group(&mut self, group: Group<'_, 5>, is_looser: bool) -> Vec<Entry> {
        let (pairs, mut left) = group.join_by(INPUT);
        left.iter_mut().for_each(|rows| rows.sort_unstable_by_key(|[_, place, ..]| *place));
        let (others, left) = join(&left[0], &left[1], |_| ());
        pairs.into_iter().chain(others).for_each(|[before, after]| self.pair(before, after, is_looser));
        left.concat()
    }

    fn pair(&mut self, [_, before, _, state, _]: Entry, [_, after, _, state_after, _]: Entry, is_looser: bool) {
        let after = after & !IN_SECOND;
        self.old[before as usize] = Match::SAME;
        if is_looser {
            self.moves.push((before, after));
        }
        let [(severity, is_known), (severity_after, _)] = [state, state_after].map(|state| ((state >> 1) as u8, state & 1 == 1));
        self.new[after as usize] = match severity == severity_after {
            _ if is_looser => Match::MOVED,
            true if is_known => Match::KNOWN,
            true => Match::SAME,
            false => Match(severity),
        };
    }
}

/// The part of a row that is needed to match it: its fingerprint, its place, the hash of the old
/// name of its input, its severity and whether it is in the baseline of its audit, and its looser
/// identity, if it has one.
type Entry = [u64; 5];

/// Where in an entry the input is.
const INPUT: usize = 2;

fn entry(row: &FindingRow<'_>, place: u64, input: u64) -> Entry {
    let is_known = row.cell("known") == b"true";
    [row.fingerprint, place, input, (row.severity as u64) << 1 | u64::from(is_known), looser(row).unwrap_or_default()]
}

fn temporary(error: io::Error) -> CompareError {
    CompareError::Temporary(temporary_failed(error))
}

/// What stays if another part of the record is edited: its rule, severity, ply and text, with the
/// players, event, date and round of the game, or its link, or the position on its line. `None` if
/// too little is known to tell games apart.
fn looser(row: &FindingRow<'_>) -> Option<u64> {
    let label = row.cell("game_label");
    let names_game = [&b" - "[..], b"http"].iter().any(|part| memmem::find(label, part).is_some());
    // Many games have the same position at a ply. Lines of positions have no plies.
    let fen = if names_game || !row.cell("ply").is_empty() { b"" } else { row.cell("fen") };
    if !names_game && fen.is_empty() {
        return None;
    }
    let mut hasher = Xxh3::new();
    hasher.update(&[row.severity as u8]);
    for name in ["rule", "ply", "variation", "move", "found"] {
        hasher.update(row.cell(name));
        hasher.update(b"\0");
    }
    hasher.update(label);
    hasher.update(b"\0");
    hasher.update(fen);
    Some(hasher.digest())
}
