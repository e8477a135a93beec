//! Baselines: CSV files of known findings, each with a reason and an expiry date.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::civil::Date;

use super::reader::{FindingRow, ReadError, ReportReader, for_each_row};
use crate::format::{OutputFile, columns::BASELINE_COLUMNS, csv_cell::spreadsheet_safe, hash_cell::key};
use crate::text::wording::thousands;

/// Maximum number of rows that are read as a baseline: all entries are in memory.
const MAX_ENTRIES: u64 = 1_000_000;

/// An error with a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The cell `until` is not a date.
    #[error("`{}`: `{found}` is not a date (fingerprint {}, column `until`); expected a date such as 2026-12-31, or nothing", path.display(), key(*fingerprint))]
    Until {
        /// The baseline.
        path: PathBuf,
        /// The fingerprint of the entry.
        fingerprint: u64,
        /// The content of the cell.
        found: String,
    },
    /// There are too many entries.
    #[error(
        "`{}` has more than {} findings, the maximum of a baseline; ignore the most frequent rules with --ignore or \
         an exception in chess-audit.toml instead",
        path.display(),
        thousands(*max)
    )]
    TooMany {
        /// The baseline or report.
        path: PathBuf,
        /// The maximum.
        max: u64,
    },
    /// The file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The baseline.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// The columns that only people read.
const ABOUT: [&str; 5] = ["rule", "name", "input", "game_label", "message"];

/// A known finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaselineEntry {
    /// Rule code, rule name, input, label of the record, and message. Only people read them.
    about: [String; 5],
    /// Why the finding is accepted; can be empty.
    pub reason: String,
    /// The last day the entry is valid; `None` for no expiry.
    pub until: Option<Date>,
}

impl BaselineEntry {
    /// The code of the rule.
    pub fn rule(&self) -> &str {
        &self.about[0]
    }

    /// Whether the entry has expired on the day `today`.
    pub fn has_expired(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }

    /// The rule, the location and the message in one line.
    pub fn describe(&self) -> String {
        let [rule, _, input, label, message] = &self.about;
        let place = if label.is_empty() { input } else { label };
        format!("{rule} {place}: {message}")
    }
}

/// Known findings by fingerprint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<u64, BaselineEntry>,
}

impl Baseline {
    /// Reads a baseline, another CSV file with a column `fingerprint`, or the findings of a report
    /// directory. In the last two cases the entries have no reason and no expiry date.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        Baseline::read_at_most(path, MAX_ENTRIES)
    }

    fn read_at_most(path: &Path, max: u64) -> Result<Baseline, BaselineError> {
        let mut baseline = Baseline::default();
        let mut rows = 0;
        let mut insert = |row: FindingRow<'_>| {
            rows += 1;
            if rows > max {
                return Err(BaselineError::TooMany { path: path.to_owned(), max });
            }
            baseline.insert_row(path, &row)
        };
        if path.is_dir() {
            ReportReader::open(path)?.for_each_finding(insert)?;
        } else {
            for_each_row(path, &mut insert)?;
        }
        Ok(baseline)
    }

    fn insert_row(&mut self, path: &Path, row: &FindingRow<'_>) -> Result<(), BaselineError> {
        let text = |name: &str| String::from_utf8_lossy(row.cell(name)).into_owned();
        let until = text("until");
        let until = match until.trim() {
            "" => None,
            date => Some(date.parse::<Date>().map_err(|_| BaselineError::Until {
                path: path.to_owned(),
                fingerprint: row.fingerprint,
                found: date.to_owned(),
            })?),
        };
        let about = ABOUT.map(text);
        self.entries.entry(row.fingerprint).or_insert(BaselineEntry { about, reason: text("reason"), until });
        Ok(())
    }

    /// Writes the baseline, sorted by fingerprint so that versions can be compared line by line.
    /// See [`OutputFile::create`] for links and devices.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let failed = |source| BaselineError::Write { path: path.to_owned(), source };
        let mut file = OutputFile::create(path).map_err(failed)?;
        self.write_to(&mut file).map_err(failed)?;
        file.finish().map_err(failed)
    }

    fn write_to(&self, to: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(BASELINE_COLUMNS)?;
        for (fingerprint, entry) in &self.entries {
            writer.write_field(key(*fingerprint))?;
            for cell in entry.about.iter().chain([&entry.reason]) {
                writer.write_field(spreadsheet_safe(cell).as_bytes())?;
            }
            writer.write_field(entry.until.map(|until| until.to_string()).unwrap_or_default())?;
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The fingerprints and entries, sorted by fingerprint.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &BaselineEntry)> {
        self.entries.iter().map(|(fingerprint, entry)| (*fingerprint, entry))
    }

    /// The entry with this fingerprint.
    pub fn get(&self, fingerprint: u64) -> Option<&BaselineEntry> {
        self.entries.get(&fingerprint)
    }

    /// Adds the entries of `other`. Existing entries are kept unless they have expired on the day
    /// `today`. Returns the number of new entries and the number of renewed ones.
    pub fn add(&mut self, other: Baseline, today: Date) -> (usize, usize) {
        let (before, mut renewed) = (self.len(), 0);
        for (fingerprint, entry) in other.entries {
            match self.entries.entry(fingerprint) {
                Entry::Vacant(place) => drop(place.insert(entry)),
                Entry::Occupied(mut known) if known.get().has_expired(today) => {
                    known.insert(entry);
                    renewed += 1;
                }
                Entry::Occupied(_) => {}
            }
        }
        (self.len() - before, renewed)
    }

    /// Adds an entry for `row`, where a finding with this fingerprint is now, if that has one.
    /// Returns whether it has.
    pub(super) fn copy_to(&mut self, fingerprint: u64, row: &FindingRow<'_>) -> bool {
        let Some(entry) = self.entries.get(&fingerprint).cloned() else { return false };
        let text = |name: &str| String::from_utf8_lossy(row.cell(name)).into_owned();
        let about = ABOUT.map(text);
        self.entries.entry(row.fingerprint).or_insert(BaselineEntry { about, ..entry });
        true
    }

    /// Sets `reason` and `until` in all entries that have neither.
    pub fn set_reason(&mut self, reason: &str, until: Option<Date>) {
        for entry in self.entries.values_mut().filter(|entry| entry.reason.is_empty() && entry.until.is_none()) {
            reason.clone_into(&mut entry.reason);
            entry.until = until;
        }
    }

    /// Removes the entries for which `keep` returns false. Returns the number of removed entries.
    pub fn retain(&mut self, mut keep: impl FnMut(u64, &BaselineEntry) -> bool) -> usize {
        let before = self.len();
        self.entries.retain(|fingerprint, entry| keep(*fingerprint, entry));
        before - self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_baseline_has_a_maximum() -> Result<(), Box<dyn std::error::Error>> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(b"fingerprint\n1\n2\n1\n")?;
        assert_eq!(Baseline::read_at_most(file.path(), 3)?.len(), 2);
        let error = Baseline::read_at_most(file.path(), 2).expect_err("too many");
        let expected = format!("`{}` has more than 2 findings, the maximum of a baseline; ", file.path().display());
        assert!(error.to_string().starts_with(&expected), "{error}");
        Ok(())
    }
}
