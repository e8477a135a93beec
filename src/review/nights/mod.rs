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
//! moves to its place in one step, together with its mail (`unsent.txt`) and its rows of the
//! history (`history.csv`). Then the rows are added and the mail is printed, and these files are
//! removed. The tables of the comparison with the last night stay, and so does the list of open
//! findings (`open.csv`). What fails is done in the next night. If the program is killed before the
//! report is in its place, the next night has the same number and says the same again.

mod error;
mod history;
mod mail;
mod night;
mod night_id;
mod open_findings;

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use jiff::civil::Date;

use self::{
    history::{Entry, open_lock},
    night_id::NightId,
    open_findings::{EarlierFindings, OpenFindings},
};
use super::{
    compare::{COMPARE_CSV, Comparison},
    compare_error::CompareError,
    compare_games::COMPARE_GAMES_CSV,
    compare_inputs::COMPARE_INPUTS_CSV,
    compare_tables::CompareTables,
    reader::{ReadError, ReportReader},
};
use crate::{
    format::{
        files::{FOLDED_FILE, GAME_KEYS_FILE, OF_A_NIGHT, PAGE_FILE, is_report, remove_report},
        trend::Trend,
    },
    pipeline::RunSummary,
};

pub use error::StoreError;
pub use history::{add_failed_night, add_to_history, check_history};
pub use night::{Night, NightPage, Threshold};
pub use open_findings::{OPEN_CSV, finding_key};

/// The history in a store. In a report, its rows that the history does not have yet.
pub const HISTORY_CSV: &str = "history.csv";

/// The mail in a report that nobody has got yet.
const UNSENT: &str = "unsent.txt";

/// Number of nights on the page, this one included.
const NIGHTS_OF_TREND: usize = 30;

/// Number of reports with the keys of games, so that games are compared even if the last report is
/// damaged.
const REPORTS_WITH_KEYS: usize = 2;

const LOCK: &str = "lock";
const REPORTS: &str = "reports";
const TONIGHT: &str = "tonight";

/// The reports of the last nights. Locked until it is dropped or the process ends.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// The nights with a report, the last one at the end.
    nights: Vec<NightId>,
    /// Directories that have the name of a later report and are none.
    foreign: Vec<NightId>,
    /// Number of the night that has not ended yet.
    number: u64,
    /// Whether there are neither reports nor rows of the history.
    is_first: bool,
    _lock: File,
}

impl Store {
    /// Opens a store, or creates it in an existing directory.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let unusable = |source| StoreError::Unusable { path: path.to_owned(), source };
        let create = |directory: &Path| match fs::create_dir(directory) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(unusable(error)),
            _ => Ok(()),
        };
        create(path)?;
        let reports = path.join(REPORTS);
        if !reports.is_dir() && !is_ours(path).map_err(unusable)? {
            return Err(StoreError::Foreign { path: path.to_owned() });
        }
        let lock_path = path.join(LOCK);
        let failed = |source| StoreError::Lock { path: lock_path.clone(), source };
        let lock = open_lock(&lock_path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        create(&reports)?;
        let (mut nights, mut others) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(&reports).map_err(unusable)? {
            let entry = entry.map_err(unusable)?;
            if let Some(night) = entry.file_name().to_str().and_then(|name| name.parse::<NightId>().ok()) {
                if is_report(&entry.path()) { nights.push(night) } else { others.push(night) }
            }
        }
        // What cannot be read is said at the end of the night, which goes on without it.
        let in_history = history::highest(&path.join(HISTORY_CSV));
        let is_first = nights.is_empty() && matches!(in_history, Ok(0));
        let last = nights.iter().max().copied();
        let in_reports = last.map_or(0, |last| last.number);
        let highest = in_reports.max(in_history.unwrap_or(0));
        let with_highest = match last {
            Some(last) if in_reports == highest => reports.join(last.to_string()),
            _ => path.join(HISTORY_CSV),
        };
        let first = history::next_number(&with_highest, highest)?;
        // Of these, somebody may have damaged a report. Nobody has written one of a later night.
        let (damaged, foreign): (Vec<NightId>, Vec<NightId>) = others.into_iter().partition(|other| other.number < first);
        nights.extend(damaged);
        nights.sort();
        let is_free = |number: &u64| foreign.iter().all(|other| other.number != *number);
        let number = (first..=u64::MAX).find(is_free).ok_or(StoreError::LastNumber { path: reports })?;
        let store = Store { path: path.to_owned(), nights, foreign, number, is_first, _lock: lock };
        // Of a night that was killed.
        let of_night = OF_A_NIGHT.iter().chain(&[UNSENT, HISTORY_CSV]);
        of_night.into_iter().try_for_each(|name| remove(&store.tonight().join(name)))?;
        match store.last().map(|last| ReportReader::open(&store.report(last))) {
            Some(Err(error @ ReadError::Newer { .. })) => Err(error.into()),
            _ => Ok(store),
        }
    }

    /// The night with the last report, readable or not.
    pub fn last(&self) -> Option<NightId> {
        self.nights.last().copied()
    }

    /// What has the name of a later report and is none.
    pub fn foreign(&self) -> impl Iterator<Item = PathBuf> + '_ {
        self.foreign.iter().map(|night| self.report(*night))
    }

    /// The directory for the report of this night until it has ended.
    pub fn tonight(&self) -> PathBuf {
        self.path.join(TONIGHT)
    }

    /// The report of a night.
    pub fn report(&self, night: NightId) -> PathBuf {
        self.path.join(REPORTS).join(night.to_string())
    }

    /// How the findings have changed in the nights before this one, if the history can be read.
    pub fn trend(&self, date: Date) -> Trend {
        let nights = history::last(&self.path.join(HISTORY_CSV), NIGHTS_OF_TREND - 1, self.number);
        Trend { nights: nights.unwrap_or_default(), date }
    }

    /// Compares the report in the directory `report`, which is about the run `summary`, with the
    /// last one that can be read. Writes the tables of the comparison into that directory.
    pub fn night(&self, report: &Path, date: Date, summary: &RunSummary, threshold: Threshold) -> Result<Night, StoreError> {
        let id = NightId { number: self.number, date };
        let (mut found, mut unreadable) = (None, Vec::new());
        for last in self.nights.iter().rev() {
            let old = self.report(*last);
            let earlier = EarlierFindings::read(&old, *last);
            let mut open = OpenFindings::begin(report, id, earlier.base)?;
            let mut unwritten = Ok(());
            let compared = Comparison::watched(&old, report, tables_in(report)?, |finding| {
                if unwritten.is_ok() {
                    unwritten = open.note(finding, &earlier);
                }
            });
            unwritten?;
            match compared {
                Ok(comparison) => {
                    found = Some((*last, comparison, open, earlier.is_lost));
                    break;
                }
                Err(CompareError::Read(error)) if error.path().starts_with(&old) => unreadable.push(error),
                Err(error) => return Err(error.into()),
            }
        }
        let (compared, mut open, are_dates_lost) = match found {
            Some((last, comparison, open, is_lost)) => (Some((last, comparison)), open, is_lost),
            None => {
                [COMPARE_CSV, COMPARE_INPUTS_CSV, COMPARE_GAMES_CSV].iter().try_for_each(|name| remove(&report.join(name)))?;
                (None, OpenFindings::begin(report, id, id)?, false)
            }
        };
        open.end()?;
        Ok(Night {
            id,
            records: summary.counts.records(),
            inputs: summary.inputs,
            unknown: summary.findings.without(summary.known),
            known: summary.known,
            compared,
            unreadable,
            is_first: self.is_first,
            open,
            are_dates_lost,
            threshold,
        })
    }

    /// The text about a night, for mail. `baseline` is the file of known findings.
    pub fn mail(&self, night: &Night, baseline: Option<&Path>) -> String {
        let page = if self.tonight().join(PAGE_FILE).exists() { PAGE_FILE } else { "" };
        let name = |night: NightId| self.report(night).display().to_string();
        mail::text(night, (&name(night.id), page), name, baseline)
    }

    /// Moves the report of the night to its place, with its rows of the history and its `mail`.
    pub fn keep(&mut self, night: &Night, summary: &RunSummary, mail: Option<&str>) -> Result<(), StoreError> {
        let NightId { number, date } = night.id;
        let rows = Entry { number, date, summary, known: &night.open.known_by_rule, changes: night.changes() }.rows();
        let tonight = self.tonight();
        let write = |name: &str, bytes: io::Result<Vec<u8>>| {
            let path = tonight.join(name);
            let written = bytes.and_then(|bytes| {
                let mut file = File::create_new(&path)?;
                file.write_all(&bytes)?;
                file.sync_all()
            });
            written.map_err(|source| StoreError::Write { path, source })
        };
        write(HISTORY_CSV, history::table(&rows))?;
        mail.map_or(Ok(()), |mail| write(UNSENT, Ok(mail.into())))?;
        let place = self.report(night.id);
        fs::rename(&tonight, &place).map_err(|source| StoreError::Write { path: place, source })?;
        self.nights.push(night.id);
        Ok(())
    }

    /// Adds a night that failed to the history. It has no number.
    pub fn note_failure(&self, date: Date) -> Result<(), StoreError> {
        add_failed_night(&self.path.join(HISTORY_CSV), date)
    }

    /// Adds the nights that the history does not have yet.
    pub fn write_history(&self) -> Result<(), StoreError> {
        let tables = self.nights.iter().map(|night| self.report(*night).join(HISTORY_CSV));
        let waiting: Vec<PathBuf> = tables.filter(|table| table.exists()).collect();
        history::add_tables(&self.path.join(HISTORY_CSV), &waiting)?;
        waiting.iter().try_for_each(|table| remove(table))
    }

    /// The mail that nobody has got yet, the earliest first.
    pub fn unsent(&self) -> Result<Vec<(NightId, String)>, StoreError> {
        let mut unsent = Vec::new();
        for night in &self.nights {
            let path = self.report(*night).join(UNSENT);
            match fs::read_to_string(&path) {
                Ok(mail) => unsent.push((*night, mail)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(StoreError::History { path, source }),
            }
        }
        Ok(unsent)
    }

    /// Notes that the mail of a night was printed.
    pub fn sent(&self, night: NightId) -> Result<(), StoreError> {
        remove(&self.report(night).join(UNSENT))
    }

    /// Removes all but the last `keep` reports, and what only the next nights need. A report stays
    /// if it has files that are not part of it: somebody added them, or its mail or rows wait.
    pub fn remove_old(&self, keep: NonZeroUsize) {
        for old in self.nights.iter().rev().skip(REPORTS_WITH_KEYS) {
            for name in [GAME_KEYS_FILE, FOLDED_FILE] {
                let _ = fs::remove_file(self.report(*old).join(name));
            }
        }
        for old in self.nights.iter().rev().skip(keep.get()) {
            // The next night tries again.
            let _ = remove_report(&self.report(*old));
        }
    }
}

/// The tables of a comparison in a report.
fn tables_in(report: &Path) -> Result<CompareTables<'static>, StoreError> {
    let create = |name: &str| {
        let path = report.join(name);
        let file = File::create(&path).map_err(|source| StoreError::Write { path, source })?;
        Ok::<_, StoreError>(Box::new(io::BufWriter::new(file)))
    };
    Ok(CompareTables { findings: create(COMPARE_CSV)?, inputs: create(COMPARE_INPUTS_CSV)?, games: create(COMPARE_GAMES_CSV)? })
}

/// Removes a file, if it exists.
fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::Remove { path: path.to_owned(), source: error }),
        _ => Ok(()),
    }
}

/// Whether a directory contains nothing but what is in a store whose reports were removed.
fn is_ours(path: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(path)? {
        let name = entry?.file_name();
        let is_history = || name == HISTORY_CSV && history::highest(&path.join(HISTORY_CSV)).is_ok();
        if name != LOCK && name != TONIGHT && !is_history() {
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
