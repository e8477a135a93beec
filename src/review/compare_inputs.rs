//! Comparison of the inputs of two reports: inputs that are new or gone, or that lost records.
//!
//! Without it, lost data would look like progress: its findings are gone. Inputs are matched by
//! name as written, and rows with the same name count together. Those that are new or gone are
//! matched by their text, and then by their games: a renamed input has lost nothing.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
    io::Write,
};

use schemars::JsonSchema;
use serde::Serialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{
    compare_error::CompareError,
    compare_games::{GameChange, GameComparison, InputGames},
    compare_tables::CompareTables,
    reader::{InputRow, ReportReader},
};
use crate::format::{COMPARE_INPUTS_COLUMNS, csv_cell::unquoted, sentences::TablesAt};
use crate::{
    corpus::without_packing,
    text::{
        Format,
        wording::{join_and, printable, quantity, thousands},
    },
};

/// The difference between the reports for one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InputChange {
    /// The input is only in the new report.
    New,
    /// The input is only in the old report.
    Gone,
    /// The input had games or positions, and now has none.
    Empty,
    /// The input has fewer games and positions than before.
    Smaller,
    /// The input has another text, with as many games and positions or more.
    Changed,
    /// The input has the text of one that is gone.
    Renamed,
    /// The same, and only the extension of a compression differs.
    Repacked,
    /// The input is new, and has the text of another one.
    Copied,
    /// The input is gone, and all its games are in several other ones.
    Split,
    /// The input is gone, and all its games are in another one.
    Joined,
}

impl InputChange {
    /// All changes, in the order of their discriminants.
    pub const ALL: [InputChange; 10] = [
        InputChange::New,
        InputChange::Gone,
        InputChange::Empty,
        InputChange::Smaller,
        InputChange::Changed,
        InputChange::Renamed,
        InputChange::Repacked,
        InputChange::Copied,
        InputChange::Split,
        InputChange::Joined,
    ];

    /// The value in the column `change`.
    pub const fn as_str(self) -> &'static str {
        match self {
            InputChange::New => "new",
            InputChange::Gone => "gone",
            InputChange::Empty => "empty",
            InputChange::Smaller => "smaller",
            InputChange::Changed => "changed",
            InputChange::Renamed => "renamed",
            InputChange::Repacked => "repacked",
            InputChange::Copied => "copied",
            InputChange::Split => "split",
            InputChange::Joined => "joined",
        }
    }
}

/// The file with one row per input that differs.
pub const COMPARE_INPUTS_CSV: &str = crate::format::files::COMPARE_INPUTS_FILE;

/// Maximum number of inputs listed in `compare.md`.
const MAX_LISTED: usize = 25;

/// Maximum number of inputs listed in a text.
const MAX_LINES: usize = 10;

/// The result of comparing inputs.
#[derive(Clone, Debug, Default)]
pub struct InputComparison {
    /// Number of inputs for each change, in the order of [`InputChange::ALL`].
    counts: [u64; InputChange::ALL.len()],
    /// Records in the old report.
    before: u64,
    /// Records in the new report.
    after: u64,
    lost_inputs: u64,
    lost_records: u64,
    uncompared: u64,
    /// Whether a name is in both reports.
    has_match: bool,
    /// The inputs that lost most, then the first others.
    listed: Vec<ListedInput>,
    /// For each renamed input the old name, both as hashes.
    renamed: HashMap<u64, u64>,
    /// For each input that is a copy, by the hash of its name: that of the original, and the number
    /// of findings that it has as that one.
    copied: HashMap<u64, (u64, u64)>,
    /// What inputs are read as now, if that has changed: sentences about the first ones.
    pub(super) kinds: Vec<String>,
    /// The hashes of the names of new inputs whose games were all in others.
    parts: HashSet<u64>,
    /// The hashes of the names of inputs that have the same text in both reports.
    same: HashSet<u64>,
    /// What happened to the games, if both reports have their keys.
    pub games: Option<GameComparison>,
}

/// Inputs that differ. The list has those that lost most, then the first new ones.
#[derive(Serialize, JsonSchema)]
pub(super) struct InputList {
    /// Number of inputs, by what happened to them.
    counts: BTreeMap<&'static str, u64>,
    /// Number of inputs that have fewer records than before.
    lost_inputs: u64,
    /// Number of records that they had before and do not have now.
    lost_records: u64,
    first: Vec<InputRecord>,
}

/// An input that differs.
#[derive(Serialize, JsonSchema)]
struct InputRecord {
    change: &'static str,
    input: String,
    /// The input with the same text or games.
    other_input: Option<String>,
    /// Number of games and positions; nothing if the input was not there.
    records_before: Option<u64>,
    records_after: Option<u64>,
    /// Number of games of each kind; nothing if a report does not have the keys of its games.
    games_removed: Option<u64>,
    games_changed: Option<u64>,
    games_copied: Option<u64>,
    games_added: Option<u64>,
}

#[derive(Clone, Debug)]
struct ListedInput {
    name: String,
    /// The input with the same text or games.
    other: Option<String>,
    change: InputChange,
    entry: Entry,
}

/// What a report says about an input.
#[derive(Clone, Copy, Debug)]
struct Side {
    games: u64,
    positions: u64,
    /// The digest and the length of its text; `None` if it is not known, or rows share a name.
    text: Option<Content>,
    /// The digest and the number of its games, if there is nothing else in it.
    content: Option<Content>,
    /// What it was read as.
    kind: InputKind,
}

/// What an input was read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct InputKind {
    /// `None` if it is not known.
    format: Option<Format>,
    is_chess960: Option<bool>,
}

impl InputKind {
    fn of(row: &InputRow<'_>) -> InputKind {
        let format = [Format::Pgn, Format::Epd].into_iter().find(|format| format.as_str().as_bytes() == row.format);
        InputKind { format, is_chess960: row.is_chess960 }
    }

    /// What is different now, after the name of the input; `None` if nothing is.
    fn change_to(self, now: InputKind) -> Option<String> {
        match (self.is_chess960.zip(now.is_chess960), self.format.zip(now.format)) {
            (_, Some((before, now))) if before != now => Some(format!("is now read as {}", now.as_str().to_uppercase())),
            (Some((false, true)), _) => Some("is now read as Chess960".to_owned()),
            (Some((true, false)), _) => Some("is no longer read as Chess960".to_owned()),
            _ => None,
        }
    }
}

impl Side {
    const fn records(self) -> u64 {
        self.games.saturating_add(self.positions)
    }
}

/// A digest and the number of what was digested.
type Content = (u64, u64);

/// What the reports say about an input.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    before: Option<Side>,
    after: Option<Side>,
    /// The input with the same text or games: what it was renamed from or copied from, or where
    /// those of a gone one still are.
    home: Option<Home>,
    /// What happened to its games, if that is known.
    games: Option<InputGames>,
    /// Whether its row was written.
    is_done: bool,
}

/// Where the text of an input was or is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Home {
    kind: HomeKind,
    /// The digest of the name of that input.
    name: u128,
    /// Number of other such inputs.
    more: u64,
}

impl Home {
    const fn new(kind: HomeKind, name: u128) -> Home {
        Home { kind, name, more: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HomeKind {
    /// It had this name.
    RenamedFrom,
    /// It is a copy of that input.
    CopyOf,
    /// That input has the old text.
    StillIn,
    /// All its games are in that input now.
    GamesIn,
    /// All its games were in that input.
    GamesFrom,
}

impl Entry {
    fn change(self) -> Option<InputChange> {
        match (self.before, self.after, self.home.map(|home| home.kind)) {
            (_, _, Some(HomeKind::RenamedFrom)) => Some(InputChange::Renamed),
            (_, _, Some(HomeKind::CopyOf)) => Some(InputChange::Copied),
            (_, _, Some(HomeKind::GamesIn)) if self.home.is_some_and(|home| home.more > 0) => Some(InputChange::Split),
            (_, _, Some(HomeKind::GamesIn)) => Some(InputChange::Joined),
            (None, ..) => Some(InputChange::New),
            (Some(_), None, _) => Some(InputChange::Gone),
            (Some(before), Some(after), _) => match (before.records(), after.records()) {
                (1.., 0) => Some(InputChange::Empty),
                (before, after) if after < before => Some(InputChange::Smaller),
                _ => before.text.zip(after.text).filter(|(before, after)| before != after).map(|_| InputChange::Changed),
            },
        }
    }

    /// Whether its text is known, and the same in both reports.
    fn has_same_text(self) -> bool {
        self.before.zip(self.after).is_some_and(|(before, after)| before.text.is_some() && before.text == after.text)
    }

    /// The numbers of records before and after.
    fn records(self) -> [Option<u64>; 2] {
        [self.before, self.after].map(|side| side.map(Side::records))
    }

    /// The number of records that are gone.
    fn lost(self) -> u64 {
        let lost = |of: fn(Side) -> u64| self.before.map_or(0, of).saturating_sub(self.after.map_or(0, of));
        match (self.home, self.games) {
            (Some(_), _) => 0,
            (None, Some(games)) => lost(|side| side.positions).saturating_add(games.count(GameChange::Removed)),
            (None, None) => lost(Side::records),
        }
    }

    /// Whether it has another text, and it is not known what happened to the games in it.
    fn is_uncompared(self) -> bool {
        let Some((before, after)) = self.before.zip(self.after) else { return false };
        let is_same = |of: fn(Side) -> Option<Content>| of(before).is_some() && of(before) == of(after);
        let has_same_games = is_same(|side| side.text) || is_same(|side| side.content);
        before.games > 0 && !has_same_games && self.home.is_none() && self.games.is_none()
    }

    /// `3 before, 2 now; 1 removed`.
    fn what_happened(self) -> String {
        let numbers = self.records().into_iter().zip(["before", "now"]);
        let numbers: Vec<String> =
            numbers.filter_map(|(records, when)| Some(format!("{} {when}", thousands(records?)))).collect();
        let numbers = numbers.join(", ");
        match self.games.filter(InputGames::are_in_both) {
            Some(games) if games.are_same() => format!("{numbers}; the same games"),
            Some(games) => format!("{numbers}; games: {}", games.sentence()),
            None => numbers,
        }
    }

    /// The numbers of games in the columns of `compare_inputs.csv`.
    fn games(self) -> [Option<u64>; 4] {
        [GameChange::Removed, GameChange::Changed, GameChange::Copied, GameChange::Added]
            .map(|change| self.games.map(|games| games.count(change)))
    }
}

/// The inputs of both reports by the digest of their names, because names may be long.
type Entries = HashMap<u128, Entry>;

/// Adds a row to what a report says about an input.
fn add(side: &mut Option<Side>, row: &InputRow<'_>) {
    *side = Some(match *side {
        None => Side {
            games: row.games,
            positions: row.positions,
            text: row.text.map(|(crc, bytes)| (crc.into(), bytes)),
            content: row.games_digest.filter(|_| row.positions == 0).map(|digest| (digest, row.games)),
            kind: InputKind::of(row),
        },
        Some(Side { games, positions, .. }) => Side {
            games: games.saturating_add(row.games),
            positions: positions.saturating_add(row.positions),
            text: None,
            content: None,
            kind: InputKind::default(),
        },
    });
}

/// Finds for inputs that are new, gone or changed, and have no home yet, where their text or games
/// were or are.
fn find_homes(entries: &mut Entries, content: impl Fn(Side) -> Option<Content>) {
    let text = |side: Option<Side>| content(side.filter(|side| side.records() > 0)?);
    let homeless = entries.iter().filter(|(_, entry)| entry.home.is_none() && !entry.is_done);
    let mut sorted: Vec<(u128, Entry)> = homeless.map(|(name, entry)| (*name, *entry)).collect();
    // The order of a map is another one each time.
    sorted.sort_unstable_by_key(|(name, _)| *name);
    let mut gone: HashMap<Content, Vec<u128>> = HashMap::new();
    let (mut kept, mut new): (HashMap<Content, u128>, HashMap<Content, u128>) = Default::default();
    for (name, entry) in &sorted {
        let texts = [text(entry.before), text(entry.after)];
        match texts {
            [Some(before), after] if Some(before) == after => _ = kept.entry(before).or_insert(*name),
            [Some(before), None] if entry.after.is_none() => gone.entry(before).or_default().push(*name),
            _ => {}
        }
        if let [_, Some(after)] = texts {
            new.entry(after).or_insert(*name);
        }
    }
    for (name, entry) in sorted.iter().filter(|(_, entry)| entry.before.is_none()) {
        let Some(text) = text(entry.after) else { continue };
        let renamed = gone.get_mut(&text).and_then(Vec::pop);
        let mut before = None;
        if let Some(other) = renamed.and_then(|other| entries.get_mut(&other)) {
            other.is_done = true;
            before = other.before;
        }
        if let Some(entry) = entries.get_mut(name) {
            entry.before = before;
            entry.home = match renamed {
                Some(name) => {
                    // If there are more of them, these are copies.
                    kept.entry(text).or_insert(name);
                    Some(Home::new(HomeKind::RenamedFrom, name))
                }
                None => kept.get(&text).map(|name| Home::new(HomeKind::CopyOf, *name)),
            };
        }
    }
    for entry in entries.values_mut().filter(|entry| entry.home.is_none() && !entry.is_done) {
        let text_before = text(entry.before).filter(|before| text(entry.after) != Some(*before));
        entry.home = text_before.and_then(|before| new.get(&before)).map(|name| Home::new(HomeKind::StillIn, *name));
    }
}

/// Finds for inputs that are gone where all their games are now, and for new ones where all of them
/// were. `ids` are the digests of names by what [`GameComparison`] calls the inputs.
fn find_homes_of_games(games: &GameComparison, ids: &HashMap<u64, u128>, entries: &mut Entries) {
    // The inputs with most games first.
    let [mut went, mut came]: [HashMap<u128, Vec<(u64, u128)>>; 2] = Default::default();
    for (from, to, games) in games.moves() {
        let Some((from, to)) = ids.get(&from).zip(ids.get(&to)) else { continue };
        went.entry(*from).or_default().push((games, *to));
        came.entry(*to).or_default().push((games, *from));
    }
    let is_whole = |side: Option<Side>, games: &[(u64, u128)]| {
        side.is_some_and(|side| side.positions == 0 && games.iter().map(|(games, _)| games).sum::<u64>() == side.games)
    };
    for (others, kind) in [(went, HomeKind::GamesIn), (came, HomeKind::GamesFrom)] {
        for (name, mut others) in others {
            let Some(entry) = entries.get_mut(&name).filter(|entry| entry.home.is_none() && entry.games.is_some()) else {
                continue;
            };
            let [there, not_there] = match kind {
                HomeKind::GamesIn => [entry.before, entry.after],
                _ => [entry.after, entry.before],
            };
            if not_there.is_none() && is_whole(there, &others) {
                others.sort_by_key(|(games, name)| (Reverse(*games), *name));
                entry.home = others.first().map(|(_, name)| Home { kind, name: *name, more: others.len() as u64 - 1 });
            }
        }
    }
}

impl InputComparison {
    /// The number of inputs with this change.
    pub const fn count(&self, change: InputChange) -> u64 {
        self.counts[change as usize]
    }

    /// The number of records that these inputs had before and do not have now.
    pub const fn lost_records(&self) -> u64 {
        self.lost_records
    }

    /// The number of inputs with another text whose games were not compared, because a report does
    /// not have their keys.
    pub(super) const fn uncompared(&self) -> u64 {
        self.uncompared
    }

    /// Compares the inputs of two reports and writes a row for each difference: first in
    /// the order of the new report, then inputs that are gone, in the order of the old one.
    pub(super) fn of(
        before: &ReportReader,
        after: &ReportReader,
        tables: &mut CompareTables<'_>,
    ) -> Result<InputComparison, CompareError> {
        let CompareTables { inputs: rows, games: game_rows, .. } = tables;
        let mut entries = Entries::new();
        let mut comparison = InputComparison { before: before.records, after: after.records, ..InputComparison::default() };
        before.for_each_input(|row| {
            add(&mut entries.entry(xxh3_128(row.cell)).or_default().before, &row);
            Ok::<(), CompareError>(())
        })?;
        after.for_each_input(|row| {
            let entry = entries.entry(xxh3_128(row.cell)).or_default();
            comparison.has_match |= entry.before.is_some();
            add(&mut entry.after, &row);
            Ok::<(), CompareError>(())
        })?;
        find_homes(&mut entries, |side| side.text);
        find_homes(&mut entries, |side| side.content);
        let mut names: HashMap<u128, Vec<u8>> = HashMap::new();
        comparison.name_homes(before, after, &entries, &mut names)?;
        comparison.games = GameComparison::of(before, after, |name| comparison.old_name(name), game_rows)?;
        if let Some(games) = &comparison.games {
            let ids = comparison.add_games(before, after, games, &mut entries)?;
            find_homes_of_games(games, &ids, &mut entries);
            comparison.name_homes(before, after, &entries, &mut names)?;
        }
        comparison.has_match |= !names.is_empty();
        let failed = |source| CompareError::Write { path: COMPARE_INPUTS_CSV.into(), source };
        let mut writer = csv::Writer::from_writer(rows);
        writer.write_record(COMPARE_INPUTS_COLUMNS).map_err(|error| failed(error.into()))?;
        for report in [after, before] {
            report.for_each_input(|row| {
                comparison.row(&mut entries, &names, &row, &mut writer).map_err(|error| failed(error.into()))
            })?;
        }
        writer.flush().map_err(failed)?;
        Ok(comparison)
    }

    /// Finds the names of inputs that are homes, and notes the old names of renamed ones.
    fn name_homes(
        &mut self,
        before: &ReportReader,
        after: &ReportReader,
        entries: &Entries,
        names: &mut HashMap<u128, Vec<u8>>,
    ) -> Result<(), CompareError> {
        names.extend(entries.values().filter_map(|entry| entry.home).map(|home| (home.name, Vec::new())));
        for report in [before, after] {
            report.for_each_input(|row| {
                let name = xxh3_128(row.cell);
                if let Some(home) = names.get_mut(&name) {
                    row.cell.clone_into(home);
                }
                let home = entries.get(&name).and_then(|entry| entry.home);
                if let Some(Home { kind: HomeKind::RenamedFrom, name, .. }) = home
                    && let Some(old) = names.get(&name)
                {
                    self.renamed.insert(xxh3_64(row.name()), xxh3_64(unquoted(old)));
                }
                if home.is_some_and(|home| home.kind == HomeKind::GamesFrom) {
                    self.parts.insert(xxh3_64(row.name()));
                }
                // With other line ends, a copy may have findings of its own.
                let text = |name: u128| entries.get(&name).and_then(|entry| entry.after.or(entry.before))?.text;
                if let Some(Home { kind: HomeKind::CopyOf, name: of, .. }) = home
                    && let Some(original) = names.get(&of)
                    && text(of).is_some_and(|original| text(name) == Some(original))
                {
                    self.copied.entry(xxh3_64(row.name())).or_insert((xxh3_64(unquoted(original)), 0));
                }
                Ok::<(), CompareError>(())
            })?;
        }
        Ok(())
    }

    /// Adds to each input what happened to its games, if all of them have keys. Returns the digests
    /// of the names of the inputs by what [`GameComparison`] calls them.
    fn add_games(
        &self,
        before: &ReportReader,
        after: &ReportReader,
        games: &GameComparison,
        entries: &mut Entries,
    ) -> Result<HashMap<u64, u128>, CompareError> {
        let mut ids = HashMap::new();
        for (report, is_new) in [(before, false), (after, true)] {
            report.for_each_input(|row| {
                let (name, id) = (xxh3_128(row.cell), xxh3_64(row.name()));
                let id = if is_new { self.old_name(id) } else { id };
                ids.insert(id, name);
                let Some(entry) = entries.get_mut(&name).filter(|entry| !entry.is_done) else { return Ok(()) };
                let of_games = games.input(id);
                let numbers = [entry.before, entry.after].map(|side| side.map_or(0, |side| side.games));
                entry.games = (numbers == [of_games.before, of_games.after]).then_some(of_games);
                Ok::<(), CompareError>(())
            })?;
        }
        Ok(ids)
    }

    /// Counts and writes the input of a row, if it differs and was not written yet.
    fn row(
        &mut self,
        entries: &mut Entries,
        names: &HashMap<u128, Vec<u8>>,
        row: &InputRow<'_>,
        writer: &mut csv::Writer<impl Write>,
    ) -> csv::Result<()> {
        let Some(entry) = entries.get_mut(&xxh3_128(row.cell)) else { return Ok(()) };
        if std::mem::replace(&mut entry.is_done, true) {
            return Ok(());
        }
        let entry = *entry;
        self.uncompared += u64::from(entry.is_uncompared());
        self.note_kind(row, entry);
        if entry.has_same_text() {
            self.same.insert(xxh3_64(row.name()));
        }
        let Some(mut change) = entry.change() else { return Ok(()) };
        let other = entry.home.and_then(|home| names.get(&home.name));
        let shown = |cell: &[u8]| String::from_utf8_lossy(unquoted(cell)).into_owned();
        if let (InputChange::Renamed, Some(other)) = (change, other)
            && without_packing(&shown(row.cell)) == without_packing(&shown(other))
        {
            change = InputChange::Repacked;
        }
        self.counts[change as usize] += 1;
        self.lost_inputs += u64::from(entry.lost() > 0);
        self.lost_records = self.lost_records.saturating_add(entry.lost());
        self.list(ListedInput { name: shown(row.cell), other: other.map(|other| shown(other)), change, entry });
        let other = other.map_or(&b""[..], |other| other);
        [change.as_str().as_bytes(), row.cell, other].into_iter().try_for_each(|cell| writer.write_field(cell))?;
        let numbers = entry.records().into_iter().chain(entry.games());
        writer.write_record(numbers.map(|number| number.map(|number| number.to_string()).unwrap_or_default()))
    }

    /// Notes what an input is read as now, if that has changed.
    fn note_kind(&mut self, row: &InputRow<'_>, entry: Entry) {
        let kinds = entry.before.zip(entry.after).map(|(before, after)| (before.kind, after.kind));
        if let Some(change) = kinds.and_then(|(before, after)| before.change_to(after))
            && self.kinds.len() < MAX_LINES
        {
            self.kinds.push(format!("{} {change}.", String::from_utf8_lossy(row.name())));
        }
    }

    fn list(&mut self, input: ListedInput) {
        let at = self.listed.partition_point(|earlier| earlier.entry.lost() >= input.entry.lost());
        if at < MAX_LISTED {
            self.listed.truncate(MAX_LISTED - 1);
            self.listed.insert(at, input);
        }
    }

    /// The hash of the name that an input had before, by the hash of its name.
    pub(super) fn old_name(&self, name: u64) -> u64 {
        self.renamed.get(&name).copied().unwrap_or(name)
    }

    /// Notes a finding of the new report about an input and perhaps a `partner`, by the hashes of
    /// their names. Returns whether it is there because the input is a copy: the original has it,
    /// too, or it is about both.
    pub(super) fn note_in_copy(&mut self, input: u64, partner: Option<u64>) -> bool {
        let copy = [Some(input), partner].into_iter().flatten().find(|name| self.copied.contains_key(name));
        let is_about_copy = |copy: u64, (original, _): &(u64, u64)| {
            [Some(input), partner]
                .into_iter()
                .flatten()
                .all(|name| name == copy || name == *original || self.copied.contains_key(&name))
        };
        let Some(copy) = copy.filter(|copy| self.copied.get(copy).is_some_and(|found| is_about_copy(*copy, found))) else {
            return false;
        };
        if let Some((_, findings)) = self.copied.get_mut(&copy).filter(|_| partner.is_none()) {
            *findings += 1;
        }
        true
    }

    /// Whether an input of the new report, and perhaps a `partner`, have the same text in the old
    /// one.
    pub(super) fn have_same_text(&self, input: u64, partner: Option<u64>) -> bool {
        [Some(input), partner].into_iter().flatten().all(|name| self.same.contains(&name))
    }

    /// Whether all games of an input of the new report were in other inputs before.
    pub(super) fn is_part(&self, input: u64) -> bool {
        self.parts.contains(&input)
    }

    /// What was lost, without a full stop; `None` if nothing was.
    pub fn loss(&self) -> Option<String> {
        if self.lost_records == 0 {
            return None;
        }
        // Probably the paths were written in another way, so "lost" may be false.
        if self.has_only_other_names() {
            return Some("no input has the same name".to_owned());
        }
        let (records, inputs) = (quantity(self.lost_records, "record", "records"), quantity(self.lost_inputs, "input", "inputs"));
        Some(format!("{records} lost in {inputs}"))
    }

    /// Inputs that are copies, without a full stop; `None` if there are none.
    pub(super) fn copies(&self) -> Option<String> {
        let copies = self.count(InputChange::Copied);
        (copies > 0).then(|| quantity(copies, "input is a copy of another one", "inputs are copies of others"))
    }

    /// The numbers of inputs and records, without a full stop; `None` if there are no differences.
    pub fn sentence(&self) -> Option<String> {
        let counts = InputChange::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0);
        let counts: Vec<String> = counts.map(|(change, count)| format!("{} {}", thousands(count), change.as_str())).collect();
        let (before, after) = (quantity(self.before, "record", "records"), thousands(self.after));
        (!counts.is_empty()).then(|| format!("{}; {before} before, {after} after", join_and(&counts)))
    }

    /// Whether both reports have inputs, but none with the same name.
    pub(super) fn has_only_other_names(&self) -> bool {
        !self.has_match && self.count(InputChange::New) > 0 && self.count(InputChange::Gone) > 0
    }

    /// Lines with the first differences; empty if there are none. The tables are in `at`.
    pub(super) fn text(&self, at: TablesAt<'_>) -> String {
        let Some(sentence) = self.sentence() else { return String::new() };
        let mut text = format!("\nInputs: {sentence}\n\n");
        for ListedInput { name, other, change, entry } in self.listed.iter().take(MAX_LINES) {
            let [before, after] = entry.records();
            let records = after.or(before).unwrap_or_default();
            let more = entry.home.map_or(0, |home| home.more);
            let and_more = if more > 0 { format!(" and {}", quantity(more, "other", "others")) } else { String::new() };
            let what = match (change, other) {
                (InputChange::Renamed | InputChange::Repacked, Some(other)) => format!("was {}", printable(other)),
                (InputChange::Copied, Some(other)) => {
                    let twice = if records == 1 { "is now there twice" } else { "are now there twice" };
                    let records = quantity(records, "game or position", "games and positions");
                    let original = printable(other);
                    let (_, findings) = self.copied.get(&xxh3_64(name.as_bytes())).copied().unwrap_or_default();
                    let findings = match findings {
                        0 => String::new(),
                        _ => format!("; {} as in {original}", quantity(findings, "finding", "findings")),
                    };
                    format!("a copy of {original}: {records} {twice}{findings}")
                }
                (InputChange::Split | InputChange::Joined, Some(other)) => {
                    format!("{} now in {}{and_more}", quantity(records, "game is", "games are"), printable(other))
                }
                (InputChange::New, Some(other)) => {
                    format!("{} in {}{and_more}", quantity(records, "game was", "games were"), printable(other))
                }
                (_, Some(other)) => format!("its old text is in {}", printable(other)),
                (_, None) => entry.what_happened(),
            };
            text.push_str(&format!("{:<10}{} ({what})\n", change.as_str(), printable(name)));
        }
        let shown = self.listed.len().min(MAX_LINES) as u64;
        text.push_str(&at.more(self.counts.iter().sum::<u64>() - shown, COMPARE_INPUTS_CSV));
        text
    }

    /// The numbers and the first differences, for JSON.
    pub(super) fn record(&self) -> InputList {
        let record = |ListedInput { name, other, change, entry }: &ListedInput| InputRecord {
            change: change.as_str(),
            input: name.clone(),
            other_input: other.clone(),
            records_before: entry.records()[0],
            records_after: entry.records()[1],
            games_removed: entry.games()[0],
            games_changed: entry.games()[1],
            games_copied: entry.games()[2],
            games_added: entry.games()[3],
        };
        InputList {
            counts: InputChange::ALL.into_iter().zip(self.counts).map(|(change, count)| (change.as_str(), count)).collect(),
            lost_inputs: self.lost_inputs,
            lost_records: self.lost_records,
            first: self.listed.iter().map(record).collect(),
        }
    }

    /// A section of Markdown with the first differences; empty if there are none.
    pub(super) fn markdown(&self, escaped: impl Fn(&str) -> String) -> String {
        let Some(sentence) = self.sentence() else { return String::new() };
        let mut text = format!("\n## Inputs\n\n{sentence}.\n\n");
        let total: u64 = self.counts.iter().sum();
        let shown = self.listed.len() as u64;
        if total > shown {
            text.push_str(&format!(
                "The first {shown} of {}, sorted by lost records. All are in {COMPARE_INPUTS_CSV}, written with `--output`.\n\n",
                thousands(total)
            ));
        }
        text.push_str("| change | input | same text or games | records before | records after |\n|---|---|---|---:|---:|\n");
        for ListedInput { name, other, change, entry } in &self.listed {
            let [before, after] = entry.records().map(|records| records.map(|records| records.to_string()).unwrap_or_default());
            let other = other.as_deref().map(&escaped).unwrap_or_default();
            text.push_str(&format!("| {} | {} | {other} | {before} | {after} |\n", change.as_str(), escaped(name)));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_that_lost_most_are_listed_first() {
        let mut comparison = InputComparison::default();
        for lost in 0..60_u64 {
            let [before, after] = [100, 100 - lost * 7 % 60].map(|games| {
                let kind = InputKind::default();
                Some(Side { games, positions: 0, text: None, content: None, kind })
            });
            let entry = Entry { before, after, ..Entry::default() };
            comparison.list(ListedInput { name: lost.to_string(), other: None, change: InputChange::Smaller, entry });
        }
        let lost: Vec<u64> = comparison.listed.iter().map(|input| input.entry.lost()).collect();
        assert_eq!(lost, (35..60).rev().collect::<Vec<u64>>());
    }
}
