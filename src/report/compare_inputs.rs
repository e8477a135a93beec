//! Comparison of the inputs of two reports: inputs that are new or gone, or that lost records.
//!
//! Without it, lost data would look like progress: its findings are gone. Inputs are matched by
//! name as written. Rows with the same name count together.

use std::{collections::HashMap, io::Write};

use schemars::JsonSchema;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use super::{
    COMPARE_INPUTS_COLUMNS,
    compare_error::CompareError,
    reader::{InputRow, ReportReader},
};
use crate::text::wording::{join_and, printable, quantity, thousands};

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
}

impl InputChange {
    /// All changes, in the order of their discriminants.
    pub const ALL: [InputChange; 4] = [InputChange::New, InputChange::Gone, InputChange::Empty, InputChange::Smaller];

    /// The value in the column `change`.
    pub const fn as_str(self) -> &'static str {
        match self {
            InputChange::New => "new",
            InputChange::Gone => "gone",
            InputChange::Empty => "empty",
            InputChange::Smaller => "smaller",
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
    counts: [u64; 4],
    /// Records in the old report.
    before: u64,
    /// Records in the new report.
    after: u64,
    lost_inputs: u64,
    lost_records: u64,
    /// Whether a name is in both reports.
    has_match: bool,
    /// The inputs that lost most, then the first new ones.
    listed: Vec<ListedInput>,
}

/// Inputs that differ. The list has those that lost most, then the first new ones.
#[derive(Serialize, JsonSchema)]
pub(super) struct InputList {
    new: u64,
    gone: u64,
    empty: u64,
    smaller: u64,
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
    /// Number of games and positions; nothing if the input was not there.
    records_before: Option<u64>,
    records_after: Option<u64>,
}

#[derive(Clone, Debug)]
struct ListedInput {
    name: String,
    change: InputChange,
    entry: Entry,
}

/// What the reports say about an input.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    before: Option<u64>,
    after: Option<u64>,
    /// Whether its row was written.
    is_done: bool,
}

impl Entry {
    const fn change(self) -> Option<InputChange> {
        match (self.before, self.after) {
            (None, _) => Some(InputChange::New),
            (Some(_), None) => Some(InputChange::Gone),
            (Some(1..), Some(0)) => Some(InputChange::Empty),
            (Some(before), Some(after)) if after < before => Some(InputChange::Smaller),
            (Some(_), Some(_)) => None,
        }
    }

    /// The number of records that are gone.
    fn lost(self) -> u64 {
        self.before.unwrap_or_default().saturating_sub(self.after.unwrap_or_default())
    }
}

/// The inputs of both reports by the digest of their names, because names may be long.
type Entries = HashMap<u128, Entry>;

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
            let records = entries.entry(xxh3_128(row.cell)).or_default().before.get_or_insert(0);
            *records = records.saturating_add(row.records);
            Ok::<(), CompareError>(())
        })?;
        after.for_each_input(|row| {
            let entry = entries.entry(xxh3_128(row.cell)).or_default();
            comparison.has_match |= entry.before.is_some();
            let records = entry.after.get_or_insert(0);
            *records = records.saturating_add(row.records);
            Ok::<(), CompareError>(())
        })?;
        let failed = |source| CompareError::Write { path: COMPARE_INPUTS_CSV.into(), source };
        let mut writer = csv::Writer::from_writer(rows);
        writer.write_record(COMPARE_INPUTS_COLUMNS).map_err(|error| failed(error.into()))?;
        for report in [after, before] {
            report.for_each_input(|row| comparison.row(&mut entries, &row, &mut writer).map_err(|error| failed(error.into())))?;
        }
        writer.flush().map_err(failed)?;
        Ok(comparison)
    }

    /// Counts and writes the input of a row, if it differs and was not written yet.
    fn row(&mut self, entries: &mut Entries, row: &InputRow<'_>, writer: &mut csv::Writer<impl Write>) -> csv::Result<()> {
        let Some(entry) = entries.get_mut(&xxh3_128(row.cell)) else { return Ok(()) };
        if std::mem::replace(&mut entry.is_done, true) {
            return Ok(());
        }
        let entry = *entry;
        let Some(change) = entry.change() else { return Ok(()) };
        self.counts[change as usize] += 1;
        self.lost_inputs += u64::from(entry.lost() > 0);
        self.lost_records = self.lost_records.saturating_add(entry.lost());
        self.list(&String::from_utf8_lossy(row.name()), change, entry);
        let number = |records: Option<u64>| records.map(|records| records.to_string()).unwrap_or_default();
        writer.write_record([
            change.as_str().as_bytes(),
            row.cell,
            number(entry.before).as_bytes(),
            number(entry.after).as_bytes(),
        ])
    }

    fn list(&mut self, name: &str, change: InputChange, entry: Entry) {
        let at = self.listed.partition_point(|earlier| earlier.entry.lost() >= entry.lost());
        if at < MAX_LISTED {
            self.listed.truncate(MAX_LISTED - 1);
            self.listed.insert(at, ListedInput { name: name.to_owned(), change, entry });
        }
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
        for ListedInput { name, change, entry } in &self.listed {
            let records = |records: Option<u64>| records.map_or_else(|| "none".to_owned(), thousands);
            let (before, after) = (records(entry.before), records(entry.after));
            text.push_str(&format!("{:<8}{} ({before} before, {after} now)\n", change.as_str(), printable(name)));
        }
        let more = self.counts.iter().sum::<u64>() - self.listed.len() as u64;
        if more > 0 {
            text.push_str(&format!("... and {} more, in {COMPARE_INPUTS_CSV} of `compare --output`\n", thousands(more)));
        }
        text
    }

    /// The numbers and the first differences, for JSON.
    pub(super) fn record(&self) -> InputList {
        let [new, gone, empty, smaller] = self.counts;
        let record = |ListedInput { name, change, entry }: &ListedInput| InputRecord {
            change: change.as_str(),
            input: name.clone(),
            records_before: entry.before,
            records_after: entry.after,
        };
        InputList {
            new,
            gone,
            empty,
            smaller,
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
        text.push_str("| change | input | records before | records after |\n|---|---|---:|---:|\n");
        for ListedInput { name, change, entry } in &self.listed {
            let number = |records: Option<u64>| records.map(|records| records.to_string()).unwrap_or_default();
            let (before, after) = (number(entry.before), number(entry.after));
            text.push_str(&format!("| {} | {} | {before} | {after} |\n", change.as_str(), escaped(name)));
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
            let entry = Entry { before: Some(100), after: Some(100 - lost * 7 % 60), is_done: true };
            comparison.list(&lost.to_string(), InputChange::Smaller, entry);
        }
        let lost: Vec<u64> = comparison.listed.iter().map(|input| input.entry.lost()).collect();
        assert_eq!(lost, (35..60).rev().collect::<Vec<u64>>());
    }
}
