//! The reports of the last nights, in a store that only one night uses at a time.
//!
//! ```text
//! STORE/lock                       locked while a night is running
//! STORE/history.csv                all nights
//! STORE/reports/00017-2026-11-28/  the report of a night: its number and its date
//! STORE/tonight/                   the report of a night that has not ended, or has failed
//! ```
//!
//! Numbers say which report is the last one, because a clock may be set back. The report of a night
//! moves to its place in one step, after all else was done. If the program is killed before, the
//! next night has the same number and says the same again.

mod error;
mod history;
mod mail;

use std::{
    fmt,
    fs::{self, File, OpenOptions, TryLockError},
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    str::FromStr,
};

use jiff::civil::Date;

pub use error::StoreError;

pub use history::add_to_history;

use self::history::Entry;
use super::{
    compare::Comparison,
    compare_error::CompareError,
    files::{GAME_KEYS_FILE, PAGE_FILE, remove_report},
    reader::{ReadError, ReportReader},
    trend::Trend,
};
use crate::{pipeline::RunSummary, rules::Severity};

/// The history in a store.
pub const HISTORY_CSV: &str = "history.csv";

/// Number of nights on the page, this one included.
const NIGHTS_OF_TREND: usize = 30;

const LOCK: &str = "lock";
const REPORTS: &str = "reports";
const TONIGHT: &str = "tonight";

/// The number and the date of a night: the name of its report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NightId {
    /// The number, from 1.
    pub number: u64,
    /// The date.
    pub date: Date,
}

impl fmt::Display for NightId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}-{}", self.number, self.date)
    }
}

impl FromStr for NightId {
    type Err = ();

    fn from_str(name: &str) -> Result<NightId, ()> {
        let (number, date) = name.split_once('-').ok_or(())?;
        let night = NightId { number: number.parse().map_err(|_| ())?, date: date.parse().map_err(|_| ())? };
        // Another spelling is another directory.
        if night.to_string() == name { Ok(night) } else { Err(()) }
    }
}

/// The reports of the last nights. Locked until it is dropped or the process ends.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// The nights with a report, the last one at the end.
    nights: Vec<NightId>,
    _lock: File,
}

/// A night that was audited: what is new since the last one.
#[derive(Debug)]
pub struct Night<'a> {
    id: NightId,
    summary: &'a RunSummary,
    /// The last good report, if there is one.
    compared: Option<(NightId, Comparison)>,
    /// Reports that cannot be compared, and why.
    unreadable: Vec<ReadError>,
}

impl Store {
    /// Opens a store, or creates it in an existing directory.
    ///
    /// # Errors
    /// If another process uses it, the directory contains other files, or its last report was
    /// written by a newer version.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let unusable = |source| StoreError::Unusable { path: path.to_owned(), source };
        match fs::create_dir(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(unusable(error)),
            _ => {}
        }
        let reports = path.join(REPORTS);
        if !reports.is_dir() && !is_empty(path).map_err(unusable)? {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let lock_path = path.join(LOCK);
        let failed = |source| StoreError::Lock { path: lock_path.clone(), source };
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        match fs::create_dir(&reports) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(unusable(error)),
            _ => {}
        }
        history::check(&path.join(HISTORY_CSV))?;
        let mut nights = Vec::new();
        for entry in fs::read_dir(&reports).map_err(unusable)? {
            let name = entry.map_err(unusable)?.file_name();
            nights.extend(name.to_str().and_then(|name| name.parse::<NightId>().ok()));
        }
        nights.sort();
        let store = Store { path: path.to_owned(), nights, _lock: lock };
        match store.last().map(|last| ReportReader::open(&store.report(last))) {
            Some(Err(error @ ReadError::Newer { .. })) => Err(error.into()),
            _ => Ok(store),
        }
    }

    /// The night with the last report, readable or not.
    pub fn last(&self) -> Option<NightId> {
        self.nights.last().copied()
    }

    /// The directory for the report of this night until it has ended.
    pub fn tonight(&self) -> PathBuf {
        self.path.join(TONIGHT)
    }

    /// The report of a night.
    pub fn report(&self, night: NightId) -> PathBuf {
        self.path.join(REPORTS).join(night.to_string())
    }

    /// How the findings have changed in the nights before this one.
    ///
    /// # Errors
    /// If the history cannot be read.
    pub fn trend(&self, date: Date) -> Result<Trend, StoreError> {
        let nights = history::last(&self.path.join(HISTORY_CSV), NIGHTS_OF_TREND - 1, self.next_number())?;
        Ok(Trend { nights, date })
    }

    /// The number of this night.
    fn next_number(&self) -> u64 {
        self.last().map_or(1, |last| last.number.saturating_add(1))
    }

    /// Compares the report in [`Store::tonight`], which is about the run `summary`, with the last
    /// one that can be read.
    ///
    /// # Errors
    /// If the report of this night cannot be read, or a temporary file cannot be written.
    pub fn night<'a>(&self, date: Date, summary: &'a RunSummary) -> Result<Night<'a>, StoreError> {
        let id = NightId { number: self.next_number(), date };
        let mut night = Night { id, summary, compared: None, unreadable: Vec::new() };
        let tonight = self.tonight();
        for last in self.nights.iter().rev() {
            let old = self.report(*last);
            match Comparison::of(&old, &tonight, io::sink(), io::sink(), io::sink()) {
                Ok(comparison) => {
                    night.compared = Some((*last, comparison));
                    break;
                }
                Err(CompareError::Read(error)) if error.path().starts_with(&old) => night.unreadable.push(error),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(night)
    }

    /// The text about a night, for mail.
    pub fn mail(&self, night: &Night<'_>) -> String {
        let page = if self.tonight().join(PAGE_FILE).exists() { PAGE_FILE } else { "" };
        mail::text(night, &self.report(night.id).join(page).display().to_string())
    }

    /// Adds the night to the history, moves its report to its place, and removes all but the last
    /// `keep` reports. A report to which somebody added files is not removed.
    ///
    /// # Errors
    /// If the history cannot be written or the report cannot be moved. The last report is then as
    /// it was.
    pub fn keep(self, night: &Night<'_>, keep: NonZeroUsize) -> Result<(), StoreError> {
        let NightId { number, date } = night.id;
        let changes = night.compared.as_ref().map(|(_, comparison)| (comparison.new.total(), comparison.inputs.lost_records()));
        history::add(&self.path.join(HISTORY_CSV), &Entry { number, date, summary: night.summary, changes })?;
        let place = self.report(night.id);
        fs::rename(self.tonight(), &place).map_err(|source| StoreError::Write { path: place, source })?;
        // Only the next night is compared game by game.
        if let Some(last) = self.last() {
            let _ = fs::remove_file(self.report(last).join(GAME_KEYS_FILE));
        }
        let more = (self.nights.len() + 1).saturating_sub(keep.get());
        for old in self.nights.iter().take(more) {
            // The next night tries again.
            let _ = remove_report(&self.report(*old));
        }
        Ok(())
    }
}

impl Night<'_> {
    /// Whether there is no earlier report that can be read.
    pub const fn is_first(&self) -> bool {
        self.compared.is_none()
    }

    /// Whether there are new findings of this severity or higher, or records were lost and
    /// `may_shrink` does not allow it. In the first night, all findings are new that are not known.
    pub fn has_news(&self, severity: Option<Severity>, may_shrink: bool) -> bool {
        let at_least = |severity| match &self.compared {
            Some((_, comparison)) => comparison.new_at_least(severity),
            None => self.summary.findings.without(self.summary.known).at_least(severity),
        };
        let lost = self.compared.as_ref().map_or(0, |(_, comparison)| comparison.inputs.lost_records());
        severity.is_some_and(|severity| at_least(severity) > 0) || !may_shrink && lost > 0
    }

    /// Reports that could not be compared, and why.
    pub fn unreadable(&self) -> &[ReadError] {
        &self.unreadable
    }
}

/// Whether a directory contains nothing but what a night leaves that was killed early.
fn is_empty(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        if entry?.file_name() != LOCK {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_reports_sort_by_number() -> Result<(), ()> {
        let nights: Vec<NightId> = ["00002-2026-11-27", "00001-2026-11-28", "100000-2020-01-31"]
            .iter()
            .map(|name| name.parse())
            .collect::<Result<_, _>>()?;
        assert!(nights[1] < nights[0] && nights[0] < nights[2]);
        assert_eq!(nights[0].to_string(), "00002-2026-11-27");
        for other in ["2-2026-11-27", "00002-2026-13-27", "00002", "", "-2026-11-27", "00002-2026-11-27-1", "+0002-2026-11-27"] {
            assert_eq!(other.parse::<NightId>(), Err(()), "{other}");
        }
        Ok(())
    }
}
