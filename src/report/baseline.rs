//! Findings that are known already: a table of fingerprints, each with the reason why it is let pass, and until when.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::{self, Write},
    path::{Path, PathBuf},
};

use jiff::civil::Date;

use super::{
    cell::harmless,
    reader::{FindingRow, ReadError, ReportReader, each_row},
    repairs::beside,
};

/// The columns of a baseline.
pub const BASELINE_COLUMNS: [&str; 8] = ["fingerprint", "rule", "name", "input", "game_label", "message", "reason", "until"];

/// A baseline cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A date is none.
    #[error("`{}`: `{found}` is no date for the finding {fingerprint:016x}; write the last day on which it is let pass as 2026-12-31, or nothing", path.display())]
    Until {
        /// The baseline.
        path: PathBuf,
        /// The finding.
        fingerprint: u64,
        /// What stands there.
        found: String,
    },
    /// It cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The baseline.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A finding that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaselineEntry {
    /// The code of the rule, its name, the input, the record's label and the message: for people.
    about: [String; 5],
    /// Why it is let pass; may be empty.
    pub reason: String,
    /// The last day on which it is let pass; `None`: for ever.
    pub until: Option<Date>,
}

impl BaselineEntry {
    /// The code of the rule that was broken.
    pub fn rule(&self) -> &str {
        &self.about[0]
    }

    /// Whether it is let pass no longer on the day `today`.
    pub fn has_expired(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }

    /// What was found, in a line for people.
    pub fn told(&self) -> String {
        let [rule, _, input, label, message] = &self.about;
        let place = if label.is_empty() { input } else { label };
        format!("{rule} {place}: {message}")
    }
}

/// Findings that are known, by their fingerprints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<u64, BaselineEntry>,
}

impl Baseline {
    /// Reads a baseline, any other table with a column `fingerprint`, or a whole report: the findings of that are known then,
    /// for ever and without a reason.
    ///
    /// # Errors
    /// When nothing can be read there, or a date is none.
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        let mut baseline = Baseline::default();
        if path.is_dir() {
            ReportReader::open(path)?.each_finding(|row| baseline.take(path, &row))?;
        } else {
            each_row(path, &mut |row| baseline.take(path, &row))?;
        }
        Ok(baseline)
    }

    fn take(&mut self, path: &Path, row: &FindingRow<'_>) -> Result<(), BaselineError> {
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
        let about = ["rule", "name", "input", "game_label", "message"].map(text);
        self.entries.entry(row.fingerprint).or_insert(BaselineEntry { about, reason: text("reason"), until });
        Ok(())
    }

    /// Writes the baseline, in the order of the fingerprints, so that versions of it can be compared line by line.
    ///
    /// # Errors
    /// When it cannot be written. What stood there before is still there then.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let failed = |source| BaselineError::Write { path: path.to_owned(), source };
        let file = beside(path).map_err(failed)?;
        self.write_to(&file).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    fn write_to(&self, to: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(to);
        writer.write_record(BASELINE_COLUMNS)?;
        for (fingerprint, entry) in &self.entries {
            writer.write_field(format!("{fingerprint:016x}"))?;
            for cell in entry.about.iter().chain([&entry.reason]) {
                writer.write_field(harmless(cell).as_bytes())?;
            }
            writer.write_field(entry.until.map(|until| until.to_string()).unwrap_or_default())?;
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }

    /// How many findings it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries with their fingerprints, in the order of these.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &BaselineEntry)> {
        self.entries.iter().map(|(fingerprint, entry)| (*fingerprint, entry))
    }

    /// The entry for `fingerprint`.
    pub fn get(&self, fingerprint: u64) -> Option<&BaselineEntry> {
        self.entries.get(&fingerprint)
    }

    /// Adds what `other` knows; what is known already keeps its reason and its date, unless it has expired on the day `today`.
    /// Returns how many entries are new, and how many had expired.
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

    /// Gives `reason` and `until` to every entry that has neither.
    pub fn give(&mut self, reason: &str, until: Option<Date>) {
        for entry in self.entries.values_mut().filter(|entry| entry.reason.is_empty() && entry.until.is_none()) {
            reason.clone_into(&mut entry.reason);
            entry.until = until;
        }
    }

    /// Keeps the entries that `keep` keeps. Returns how many went.
    pub fn retain(&mut self, mut keep: impl FnMut(u64, &BaselineEntry) -> bool) -> usize {
        let before = self.len();
        self.entries.retain(|fingerprint, entry| keep(*fingerprint, entry));
        before - self.len()
    }
}
