//! Which findings of two reports are the same.
//!
//! Findings are matched by fingerprint: first inside their input, then over all inputs. So a copy
//! of an input does not take the matches of the original. A fingerprint that occurs several times
//! (the same game twice) is matched once for each pair. A finding may stand for others, on a line
//! with a count: these are matched by the fingerprints that they have on lines of their own.
//!
//! A fingerprint changes with any part of its record. So the other findings are matched once more,
//! inside games that are the same, edited: by rule, ply and text. They have moved. A game that was
//! replaced keeps no finding.

use std::{
    collections::{HashMap, HashSet},
    io,
};

use memchr::memmem;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::{
    compare_error::CompareError,
    compare_games::{Counterpart, GameComparison, game_id},
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

/// Added to the place of a finding that is not on a line of its own, so that it comes after those
/// that are.
const ON_SHARED_LINE: u64 = 1 << 62;

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
    /// A finding of an edited game, which was known.
    pub const KNOWN_MOVED: Match = Match(u8::MAX - 4);
    /// It has a line of its own in one of the reports, and is counted on a line of the other.
    pub const FOLDED: Match = Match(u8::MAX - 5);

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
    /// For each new row whose finding had another fingerprint: the row and that one, sorted.
    pub moves: Vec<(u64, u64)>,
    /// Lines of the old report that stood for findings which now have lines of their own.
    unfolded: HashSet<u64>,
    /// Lines of the old report that stand for several findings, and whether they were known.
    old_lines: HashMap<u64, bool>,
    /// For each line of the new report that stands for several findings: how many of them are new.
    new_on_line: HashMap<u64, u64>,
}

impl Matches {
    pub fn of(before: &ReportReader, after: &ReportReader, inputs: &InputComparison) -> Result<Matches, CompareError> {
        let mut matches = Matches::default();
        let mut rows = Sorter::with_limit(MAX_ENTRIES);
        let games = inputs.games.as_ref();
        before.for_each_folded(|fingerprint, line| {
            matches.old_lines.insert(line, false);
            rows.push([fingerprint, ON_SHARED_LINE, 0, line, 0, 0]).map_err(temporary)
        })?;
        before.for_each_finding(|row| {
            let place = matches.old.len() as u64;
            matches.old.push(Match::NONE);
            let input = xxh3_64(row.cell("input"));
            if let Some(is_known) = matches.old_lines.get_mut(&row.fingerprint) {
                *is_known |= row.cell("known") == b"true";
            }
            rows.push(entry(&row, place, input, games, false)).map_err(temporary)
        })?;
        after.for_each_finding(|row| {
            let place = matches.new.len() as u64 | IN_SECOND;
            matches.new.push(Match::NONE);
            let input = inputs.old_name(xxh3_64(row.cell("input")));
            rows.push(entry(&row, place, input, games, true)).map_err(temporary)
        })?;
        after.for_each_folded(|fingerprint, line| {
            *matches.new_on_line.entry(line).or_default() += 1;
            rows.push([fingerprint, IN_SECOND | ON_SHARED_LINE, 0, line, 0, 0]).map_err(temporary)
        })?;
        let looser = |_, row: &Entry| Some(row[4]);
        matched(
            rows,
            2,
            || Sorter::with_limit(MAX_ENTRIES),
            looser,
            |step, groups| Ok(groups.into_iter().flat_map(|group| matches.match_group(group, step > 0, inputs)).collect()),
        )
        .map_err(temporary)?;
        matches.moves.sort_unstable();
        Ok(matches)
    }

    /// Whether both reports have findings that the other one does not have.
    pub fn has_both_new_and_gone(&self) -> bool {
        [&self.old, &self.new].iter().all(|rows| rows.contains(&Match::NONE))
    }

    /// What the new report has for a row of the old one.
    pub fn of_old(&self, ordinal: usize, fingerprint: u64) -> Match {
        match self.old.get(ordinal).copied().unwrap_or(Match::NONE) {
            Match::NONE if self.unfolded.contains(&fingerprint) => Match::FOLDED,
            found => found,
        }
    }

    /// What the old report has for a row of the new one. A row without a match was added just now.
    pub fn of_new(&self, ordinal: usize, fingerprint: u64) -> Match {
        match self.new.get(ordinal).copied().unwrap_or(Match::NONE) {
            Match::NONE if self.new_on_line.get(&fingerprint) == Some(&0) => Match::FOLDED,
            found => found,
        }
    }

    /// The fingerprint that the finding of a new row had before, if that was another one.
    pub fn old_fingerprint(&self, ordinal: usize) -> Option<u64> {
        let at = self.moves.binary_search_by_key(&(ordinal as u64), |(row, _)| *row).ok()?;
        Some(self.moves[at].1)
    }

    /// Whether the finding of a new row with this match was in the baseline of the old audit.
    pub fn was_known(&self, ordinal: usize, found: Match) -> bool {
        match found {
            Match::KNOWN | Match::KNOWN_MOVED => true,
            Match::FOLDED => self.old_fingerprint(ordinal).is_some_and(|line| self.old_lines.get(&line) == Some(&true)),
            _ => false,
        }
    }

    /// Matches rows with the same fingerprint: first those of the same input, then the others in
    /// the order of the rows, then those that are not on lines of their own. Returns the rows
    /// without a match.
    fn match_group(&mut self, group: Group<'_, 6>, is_looser: bool, inputs: &InputComparison) -> Vec<Entry> {
        let [first, second] = [group.first, group.second]
            .map(|entries| entries.split_at(entries.partition_point(|entry| entry[1] & ON_SHARED_LINE == 0)));
        let rows = Group { key: group.key, first: first.0, second: second.0 };
        let (pairs, mut left) = rows.join_by(INPUT);
        left.iter_mut().for_each(|rows| rows.sort_unstable_by_key(|[_, place, ..]| *place));
        let (others, [mut old, mut new]) = join(&left[0], &left[1], |_| ());
        pairs.into_iter().chain(others).for_each(|[before, after]| self.pair(before, after, is_looser));
        let (mut was_on_line, mut is_on_line) = (first.1.iter(), second.1.iter());
        old.drain(..is_on_line.len().min(old.len())).zip(is_on_line.by_ref()).for_each(
            |([_, place, ..], [_, _, _, line, ..])| {
                self.old[place as usize] = Match::FOLDED;
                self.is_not_new(*line);
            },
        );
        new.drain(..was_on_line.len().min(new.len())).zip(was_on_line.by_ref()).for_each(
            |([_, place, ..], [_, _, _, line, ..])| {
                let row = place & !IN_SECOND;
                self.new[row as usize] = Match::FOLDED;
                self.moves.push((row, *line));
                self.unfolded.insert(*line);
            },
        );
        // Of an input that was split, each part may have a finding that is reported once per input.
        if !rows.first.is_empty() {
            let is_of_part = |entry: &mut Entry| inputs.is_part(entry[INPUT]);
            new.extract_if(.., is_of_part).for_each(|[_, place, ..]| self.new[(place & !IN_SECOND) as usize] = Match::FOLDED);
        }
        is_on_line.zip(was_on_line).for_each(|([_, _, _, line, ..], _)| self.is_not_new(*line));
        old.extend(new);
        old
    }

    /// Notes that one of the findings of a line of the new report is in the old one.
    fn is_not_new(&mut self, line: u64) {
        if let Some(new) = self.new_on_line.get_mut(&line) {
            *new -= 1;
        }
    }

    fn pair(&mut self, before: Entry, after: Entry, is_looser: bool) {
        let [_, row, _, state, _, fingerprint] = before;
        let [_, new_row, _, state_after, ..] = after;
        let new_row = new_row & !IN_SECOND;
        self.old[row as usize] = Match::SAME;
        if is_looser {
            self.moves.push((new_row, fingerprint));
        }
        let [(severity, is_known), (severity_after, _)] = [state, state_after].map(|state| ((state >> 1) as u8, state & 1 == 1));
        self.new[new_row as usize] = match (severity == severity_after, is_looser) {
            (false, _) => Match(severity),
            (true, true) if is_known => Match::KNOWN_MOVED,
            (true, true) => Match::MOVED,
            (true, false) if is_known => Match::KNOWN,
            (true, false) => Match::SAME,
        };
    }
}

/// The part of a row that is needed to match it: the key of the step, its place, the hash of the
/// old name of its input, its severity and whether it is in the baseline of its audit, its looser
/// identity, if it has one, and its fingerprint, which is the first key. Of a finding that is not
/// on a line of its own, the fingerprint of that line comes instead of the severity.
type Entry = [u64; 6];

/// Where in an entry the input is.
const INPUT: usize = 2;

fn entry(row: &FindingRow<'_>, place: u64, input: u64, games: Option<&GameComparison>, is_new: bool) -> Entry {
    let is_known = row.cell("known") == b"true";
    let counterpart = games
        .map_or(Counterpart::Equal, |games| games.counterpart(game_id(xxh3_64(row.cell("input")), row.cell("game")), is_new));
    let looser = match counterpart {
        Counterpart::Equal => looser(row),
        Counterpart::Edited(game) => Some(looser_in(game, row)),
        Counterpart::None => None,
    };
    let state = (row.severity as u64) << 1 | u64::from(is_known);
    [row.fingerprint, place, input, state, looser.unwrap_or_default(), row.fingerprint]
}

/// The identity of a finding in an edited game: its rule, ply and text.
fn looser_in(game: u64, row: &FindingRow<'_>) -> u64 {
    let mut hasher = Xxh3::with_seed(game);
    for name in ["rule", "ply", "variation", "move", "found"] {
        hasher.update(row.cell(name));
        hasher.update(b"\0");
    }
    hasher.digest()
}

fn temporary(error: io::Error) -> CompareError {
    CompareError::Temporary(temporary_failed(error))
}

/// What stays of a finding of a game that is in both reports, or of another record, or if the games
/// of a report are not known: its rule, severity, ply and text, with the players, event, date and
/// round of the game, or its link, or the position on its line. `None` if too little is known to
/// tell games apart.
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
