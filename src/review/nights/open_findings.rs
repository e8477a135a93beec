//! Findings that were there in earlier nights: since when they are open, and which of them are
//! known although the baseline does not have them any more.
//!
//! A report of a night lists them in `open.csv`. Most findings are open since one night, often the
//! first one: only the others have a row.

use std::{
    collections::BTreeMap,
    fs::File,
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{error::StoreError, night_id::NightId};
use crate::{
    format::{columns::OPEN_COLUMNS, files::OPEN_FILE, hash_cell::key},
    pipeline::SeverityCounts,
    review::{
        compare::{ComparedFinding, FindingChange},
        compare_list::FindingList,
        reader::{FindingRow, for_each_row},
    },
    rules::{Code, Family, Severity},
};

/// The table of open findings in the report of a night.
pub const OPEN_CSV: &str = OPEN_FILE;

/// What identifies a finding in its report: its input and its fingerprint.
pub fn finding_key(input: &str, fingerprint: u64) -> u64 {
    xxh3_64_with_seed(input.as_bytes(), fingerprint)
}

/// What the report of a night says of its open findings.
#[derive(Debug)]
pub(super) struct EarlierFindings {
    /// The night of the report.
    last: NightId,
    /// The night since which those without a row are open.
    pub base: NightId,
    /// Whether the report does not say since when its findings are open.
    pub is_lost: bool,
    /// The nights that are named.
    nights: Vec<NightId>,
    /// Fingerprints, each with the place in that list of the night since which it is open, or of
    /// the last one in which it was known, and which of the two. Sorted.
    rows: Vec<(u64, u32, bool)>,
}

impl EarlierFindings {
    /// Reads those of the report of the night `last`, which is in `directory`. A report of an
    /// earlier version does not list them: all are open since that night.
    pub fn read(directory: &Path, last: NightId) -> EarlierFindings {
        let mut earlier = EarlierFindings { last, base: last, is_lost: true, nights: Vec::new(), rows: Vec::new() };
        // What cannot be read costs a date, and nothing else.
        let _ = for_each_row(&directory.join(OPEN_CSV), &mut |row: FindingRow<'_>| {
            let text = |name: &str| String::from_utf8_lossy(row.cell(name)).into_owned();
            if let (Ok(number), Ok(date)) = (text("night").parse(), text("date").parse()) {
                let night = NightId { number, date };
                match &*text("status") {
                    "rest" => (earlier.base, earlier.is_lost) = (night, false),
                    status => {
                        let at = earlier.nights.iter().rposition(|named| *named == night);
                        let at = at.unwrap_or_else(|| {
                            earlier.nights.push(night);
                            earlier.nights.len() - 1
                        });
                        earlier.rows.push((row.fingerprint, u32::try_from(at).unwrap_or(u32::MAX), status == "known"));
                    }
                }
            }
            Ok::<(), StoreError>(())
        });
        earlier.rows.sort_unstable();
        earlier
    }

    /// Since when a finding with this fingerprint is open, or known; `None` if it has no row. Of
    /// several ones, the first night counts.
    fn night(&self, fingerprint: u64) -> Option<(NightId, bool)> {
        let from = self.rows.partition_point(|(row, ..)| *row < fingerprint);
        let rows = self.rows[from..].iter().take_while(|(row, ..)| *row == fingerprint);
        rows.filter_map(|(_, night, is_known)| Some((*self.nights.get(*night as usize)?, *is_known))).min()
    }
}

/// The findings of a night that are open, by what they were in earlier nights.
#[derive(Debug)]
pub(super) struct OpenFindings {
    tonight: NightId,
    table: OpenTable,
    /// Number of findings by the night since which they are open, tonight included. Those that the
    /// baseline knows do not count.
    since: BTreeMap<NightId, SeverityCounts>,
    /// Findings that the baseline knew before their games were edited. They are known.
    followed: BTreeMap<NightId, SeverityCounts>,
    /// The first findings that are open since earlier nights.
    pub listed: FindingList,
    /// Broken expectations, new or not.
    pub broken: SeverityCounts,
    /// Number of findings that are new.
    pub new_counts: SeverityCounts,
    /// Broken expectations that are new.
    pub newly_broken: u64,
    /// The findings that are new, by [`finding_key`].
    new: Vec<u64>,
    /// Those that are known although the baseline does not have them.
    known: Vec<u64>,
    /// Number of these, by rule and severity.
    pub known_by_rule: BTreeMap<(Code, Severity), u64>,
}

/// The table of open findings, while it is written.
#[derive(Debug)]
struct OpenTable {
    path: PathBuf,
    rows: csv::Writer<File>,
}

impl OpenTable {
    fn create(path: PathBuf) -> Result<OpenTable, StoreError> {
        let created = File::create(&path).map(csv::Writer::from_writer).and_then(|mut rows| {
            rows.write_record(OPEN_COLUMNS)?;
            Ok(rows)
        });
        match created {
            Ok(rows) => Ok(OpenTable { path, rows }),
            Err(source) => Err(StoreError::Write { path, source }),
        }
    }

    fn row(&mut self, fingerprint: u64, night: NightId, status: &str) -> Result<(), StoreError> {
        let row = [key(fingerprint), night.number.to_string(), night.date.to_string(), status.to_owned()];
        self.rows.write_record(row).map_err(|error| StoreError::Write { path: self.path.clone(), source: error.into() })
    }

    fn end(&mut self) -> Result<(), StoreError> {
        let written = self.rows.flush().and_then(|()| self.rows.get_ref().sync_all());
        written.map_err(|source| StoreError::Write { path: self.path.clone(), source })
    }
}

impl OpenFindings {
    /// Those of the night `tonight`, whose report is in `directory`. Findings without a row of the
    /// table are open since the night `base`.
    pub fn begin(directory: &Path, tonight: NightId, base: NightId) -> Result<OpenFindings, StoreError> {
        let mut table = OpenTable::create(directory.join(OPEN_CSV))?;
        table.row(0, base, "rest")?;
        Ok(OpenFindings {
            tonight,
            table,
            since: BTreeMap::new(),
            followed: BTreeMap::new(),
            listed: FindingList::default(),
            broken: SeverityCounts::default(),
            new_counts: SeverityCounts::default(),
            newly_broken: 0,
            new: Vec::new(),
            known: Vec::new(),
            known_by_rule: BTreeMap::new(),
        })
    }

    /// Notes a finding of the night.
    pub fn note(&mut self, found: &ComparedFinding<'_>, earlier: &EarlierFindings) -> Result<(), StoreError> {
        let tonight = self.tonight;
        let ComparedFinding { row, change, old_fingerprint, is_worse, is_followed } = found;
        if row.cell("known") == b"true" {
            return Ok(());
        }
        // What a copy contains was there before.
        let old_fingerprint = &old_fingerprint.or((*change == Some(FindingChange::Copied)).then_some(row.fingerprint));
        let was = old_fingerprint.and_then(|old| earlier.night(old));
        let is_new = match change {
            Some(FindingChange::New | FindingChange::Version | FindingChange::Forgotten) => true,
            Some(FindingChange::Changed) => *is_worse,
            _ => false,
        };
        let identity = || finding_key(&String::from_utf8_lossy(row.cell("input")), row.fingerprint);
        let is_expectation = row.rule().starts_with(Family::Exp.letters().as_bytes());
        if is_new {
            self.new.push(identity());
            self.new_counts.add(row.severity);
            self.newly_broken += u64::from(is_expectation);
        }
        let was_followed = was.filter(|(_, is_known)| *is_known).map(|(night, _)| night);
        if *is_followed || was_followed.is_some() {
            let night = was_followed.unwrap_or(earlier.last);
            self.followed.entry(night).or_default().add(row.severity);
            self.known.push(identity());
            if let Ok(rule) = String::from_utf8_lossy(row.rule()).parse() {
                *self.known_by_rule.entry((rule, row.severity)).or_default() += 1;
            }
            return self.table.row(row.fingerprint, night, "known");
        }
        let night = match (old_fingerprint, change) {
            (None, _) | (_, Some(FindingChange::Forgotten)) => tonight,
            (Some(_), _) => was.map_or(earlier.base, |(night, _)| night),
        };
        self.since.entry(night).or_default().add(row.severity);
        if night != tonight {
            self.listed.add(row);
        }
        if is_expectation {
            self.broken.add(row.severity);
        }
        if night == earlier.base { Ok(()) } else { self.table.row(row.fingerprint, night, "open") }
    }

    /// Waits until the table is on the disk.
    pub fn end(&mut self) -> Result<(), StoreError> {
        self.new.sort_unstable();
        self.known.sort_unstable();
        self.table.end()
    }

    /// Number of findings that are open since earlier nights.
    pub fn earlier(&self) -> SeverityCounts {
        let mut sum = SeverityCounts::default();
        self.since_earlier().for_each(|(_, counts)| sum.add_all(counts));
        sum
    }

    /// The same, for each of these nights, the last one first.
    pub fn since_earlier(&self) -> impl Iterator<Item = (NightId, SeverityCounts)> + '_ {
        self.since.iter().rev().filter(|(night, _)| **night != self.tonight).map(|(night, counts)| (*night, *counts))
    }

    /// Number of findings that are known although the baseline does not have them, and the first
    /// night in whose report they were in the baseline.
    pub fn followed(&self) -> Option<(SeverityCounts, NightId)> {
        let (first, _) = self.followed.first_key_value()?;
        let mut sum = SeverityCounts::default();
        self.followed.values().for_each(|counts| sum.add_all(*counts));
        Some((sum, *first))
    }

    /// The findings that are new, and those that are known although they are not in the baseline.
    /// Both are sorted, and can be taken once.
    pub fn take_keys(&mut self) -> [Vec<u64>; 2] {
        [&mut self.new, &mut self.known].map(std::mem::take)
    }
}
