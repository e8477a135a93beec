//! Comparison of the inputs of two reports: inputs that are new or gone, or that lost records.
//!
//! Without it, lost data would look like progress: its findings are gone. Inputs are matched by
//! name as written, and rows with the same name count together. Those that are new or gone are
//! matched by their text: a renamed input has lost nothing.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write,
};

use schemars::JsonSchema;
use serde::Serialize;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{
    COMPARE_INPUTS_COLUMNS,
    cell::unquoted,
    compare_error::CompareError,
    reader::{InputRow, ReportReader},
};
use crate::{
    corpus::without_packing,
    text::wording::{join_and, printable, quantity, thousands},
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
}

impl InputChange {
    /// All changes, in the order of their discriminants.
    pub const ALL: [InputChange; 8] = [
        InputChange::New,
        InputChange::Gone,
        InputChange::Empty,
        InputChange::Smaller,
        InputChange::Changed,
        InputChange::Renamed,
        InputChange::Repacked,
        InputChange::Copied,
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
        }
    }
}

/// The file with one row per input that differs.
pub const COMPARE_INPUTS_CSV: &str = "compare_inputs.csv";

/// Maximum number of inputs listed in `compare.md`.
const MAX_LISTED: usize = 25;

/// The result of comparing inputs.
#[derive(Clone, Debug, Default)]
pub struct InputComparison {
    /// Number of inputs for each change, in the order of [`InputChange::ALL`].
    counts: [u64; 8],
    /// Records in the old report.
    before: u64,
    /// Records in the new report.
    after: u64,
    lost_inputs: u64,
    lost_records: u64,
    /// Whether a name is in both reports.
    has_match: bool,
    /// The inputs that lost most, then the first others.
    listed: Vec<ListedInput>,
    /// For each renamed input the old name, both as hashes.
    renamed: HashMap<u64, u64>,
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
    /// The input with the same text.
    other_input: Option<String>,
    /// Number of games and positions; nothing if the input was not there.
    records_before: Option<u64>,
    records_after: Option<u64>,
}

#[derive(Clone, Debug)]
struct ListedInput {
    name: String,
    /// The input with the same text.
    other: Option<String>,
    change: InputChange,
    entry: Entry,
}

/// What a report says about an input.
#[derive(Clone, Copy, Debug)]
struct Side {
    records: u64,
    /// The digest and the length of its text; `None` if it is not known, or rows share a name.
    text: Option<Text>,
}

/// The digest and the length of a text.
type Text = (u32, u64);

/// What the reports say about an input.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    before: Option<Side>,
    after: Option<Side>,
    /// The input with the same text: what it was renamed from or copied from, or where the text of
    /// a gone one still is.
    home: Option<Home>,
    /// Whether its row was written.
    is_done: bool,
}

/// Where the text of an input was or is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Home {
    kind: HomeKind,
    /// The digest of the name of that input.
    name: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HomeKind {
    /// It had this name.
    RenamedFrom,
    /// It is a copy of that input.
    CopyOf,
    /// That input has the old text.
    StillIn,
}

impl Entry {
    fn change(self) -> Option<InputChange> {
        match (self.before, self.after, self.home.map(|home| home.kind)) {
            (_, _, Some(HomeKind::RenamedFrom)) => Some(InputChange::Renamed),
            (_, _, Some(HomeKind::CopyOf)) => Some(InputChange::Copied),
            (None, ..) => Some(InputChange::New),
            (Some(_), None, _) => Some(InputChange::Gone),
            (Some(before), Some(after), _) => match (before.records, after.records) {
                (1.., 0) => Some(InputChange::Empty),
                (before, after) if after < before => Some(InputChange::Smaller),
                _ => before.text.zip(after.text).filter(|(before, after)| before != after).map(|_| InputChange::Changed),
            },
        }
    }

    /// The numbers of records before and after.
    fn records(self) -> [Option<u64>; 2] {
        [self.before, self.after].map(|side| side.map(|side| side.records))
    }

    /// The number of records that are gone.
    fn lost(self) -> u64 {
        match self.home {
            Some(_) => 0,
            None => self.records()[0].unwrap_or_default().saturating_sub(self.records()[1].unwrap_or_default()),
        }
    }
}

/// The inputs of both reports by the digest of their names, because names may be long.
type Entries = HashMap<u128, Entry>;

/// Adds a row to what a report says about an input.
fn add(side: &mut Option<Side>, row: &InputRow<'_>) {
    match side {
        None => *side = Some(Side { records: row.records, text: row.text }),
        Some(side) => *side = Side { records: side.records.saturating_add(row.records), text: None },
    }
}

/// Finds for inputs that are new, gone or changed where their text was or is.
fn find_homes(entries: &mut Entries) {
    let text = |side: Option<Side>| side.filter(|side| side.records > 0)?.text;
    let mut sorted: Vec<(u128, Entry)> = entries.iter().map(|(name, entry)| (*name, *entry)).collect();
    // The order of a map is another one each time.
    sorted.sort_unstable_by_key(|(name, _)| *name);
    let mut gone: HashMap<Text, Vec<u128>> = HashMap::new();
    let (mut kept, mut new): (HashMap<Text, u128>, HashMap<Text, u128>) = Default::default();
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
                Some(name) => Some(Home { kind: HomeKind::RenamedFrom, name }),
                None => kept.get(&text).map(|name| Home { kind: HomeKind::CopyOf, name: *name }),
            };
        }
    }
    for entry in entries.values_mut().filter(|entry| entry.home.is_none()) {
        let text_before = text(entry.before).filter(|before| text(entry.after) != Some(*before));
        entry.home = text_before.and_then(|before| new.get(&before)).map(|name| Home { kind: HomeKind::StillIn, name: *name });
    }
}

impl InputComparison {
    /// The number of inputs with this change.
    pub const fn count(&self, change: InputChange) -> u64 {
        self.counts[change as usize]
    }

    /// The number of inputs that have fewer records than before, gone ones included.
    pub const fn lost_inputs(&self) -> u64 {
        self.lost_inputs
    }

    /// The number of records that these inputs had before and do not have now.
    pub const fn lost_records(&self) -> u64 {
        self.lost_records
    }

    /// Compares the inputs of two reports and writes a row for each difference to `rows`: first in
    /// the order of the new report, then inputs that are gone, in the order of the old one.
    pub(super) fn of(before: &ReportReader, after: &ReportReader, rows: impl Write) -> Result<InputComparison, CompareError> {
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
        find_homes(&mut entries);
        let homes = entries.values().filter_map(|entry| entry.home);
        let mut names: HashMap<u128, Vec<u8>> = homes.map(|home| (home.name, Vec::new())).collect();
        comparison.has_match |= !names.is_empty();
        for report in [before, after] {
            report.for_each_input(|row| {
                if let Some(name) = names.get_mut(&xxh3_128(row.cell)) {
                    row.cell.clone_into(name);
                }
                Ok::<(), CompareError>(())
            })?;
        }
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
        let Some(mut change) = entry.change() else { return Ok(()) };
        let other = entry.home.and_then(|home| names.get(&home.name));
        let shown = |cell: &[u8]| String::from_utf8_lossy(unquoted(cell)).into_owned();
        if let (InputChange::Renamed, Some(other)) = (change, other) {
            self.renamed.insert(xxh3_64(row.name()), xxh3_64(unquoted(other)));
            if without_packing(&shown(row.cell)) == without_packing(&shown(other)) {
                change = InputChange::Repacked;
            }
        }
        self.counts[change as usize] += 1;
        self.lost_inputs += u64::from(entry.lost() > 0);
        self.lost_records = self.lost_records.saturating_add(entry.lost());
        self.list(ListedInput { name: shown(row.cell), other: other.map(|other| shown(other)), change, entry });
        let [before, after] = entry.records().map(|records| records.map(|records| records.to_string()).unwrap_or_default());
        let other = other.map_or(&b""[..], |other| other);
        writer.write_record([change.as_str().as_bytes(), row.cell, other, before.as_bytes(), after.as_bytes()])
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

    /// Lines with the first differences; empty if there are none.
    pub(super) fn text(&self) -> String {
        let Some(sentence) = self.sentence() else { return String::new() };
        let mut text = format!("Inputs  {sentence}\n\n");
        for ListedInput { name, other, change, entry } in &self.listed {
            let [before, after] = entry.records();
            let records = after.or(before).unwrap_or_default();
            let what = match (change, other) {
                (InputChange::Renamed | InputChange::Repacked, Some(other)) => format!("was {}", printable(other)),
                (InputChange::Copied, Some(other)) => {
                    let twice = if records == 1 { "is now there twice" } else { "are now there twice" };
                    let records = quantity(records, "game or position", "games and positions");
                    format!("a copy of {}: {records} {twice}", printable(other))
                }
                (_, Some(other)) => format!("its old text is in {}", printable(other)),
                _ => [(before, "before"), (after, "now")]
                    .into_iter()
                    .filter_map(|(records, when)| Some(format!("{} {when}", thousands(records?))))
                    .collect::<Vec<_>>()
                    .join(", "),
            };
            text.push_str(&format!("{:<10}{} ({what})\n", change.as_str(), printable(name)));
        }
        let more = self.counts.iter().sum::<u64>() - self.listed.len() as u64;
        if more > 0 {
            text.push_str(&format!("... and {} more, in {COMPARE_INPUTS_CSV} of `compare --output`\n", thousands(more)));
        }
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
        text.push_str("| change | input | same text | records before | records after |\n|---|---|---|---:|---:|\n");
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
            let [before, after] = [100, 100 - lost * 7 % 60].map(|records| Some(Side { records, text: None }));
            let entry = Entry { before, after, ..Entry::default() };
            comparison.list(ListedInput { name: lost.to_string(), other: None, change: InputChange::Smaller, entry });
        }
        let lost: Vec<u64> = comparison.listed.iter().map(|input| input.entry.lost()).collect();
        assert_eq!(lost, (35..60).rev().collect::<Vec<u64>>());
    }
}
