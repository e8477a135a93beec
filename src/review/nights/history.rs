//! The history: for each night, a line per rule and severity, and a line of totals.
//!
//! Rows are only added: a history that cannot be read completely is left as it is.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use csv::ByteRecord;
use jiff::civil::Date;

use super::StoreError;
use crate::{
    format::{OutputFile, columns::HISTORY_COLUMNS, trend::NightTotals},
    pipeline::{RuleSummary, RunSummary, SeverityCounts},
    review::reader::MAX_ROW_BYTES,
    rules::{Code, Severity},
    text::{Bounded, open_regular},
};

/// What a history says of a night.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub number: u64,
    pub date: Date,
    pub summary: &'a RunSummary,
    /// Findings that are known although the baseline does not have them.
    pub known: &'a BTreeMap<(Code, Severity), u64>,
    /// New findings and lost records, if there was an earlier report.
    pub changes: Option<(u64, u64)>,
}

/// Number of columns of histories of earlier versions, which did not have a status.
const COLUMNS_WITHOUT_STATUS: usize = HISTORY_COLUMNS.len() - 1;

/// The status of a night whose audit did not fail.
const OK: &str = "ok";

/// Adds a run as the next night to the history in `path`, without a comparison. Waits while others
/// do so.
pub fn add_to_history(path: &Path, date: Date, summary: &RunSummary) -> Result<(), StoreError> {
    locked(path, || {
        let number = next_number(path, highest(path)?)?;
        add(path, Entry { number, date, summary, known: &BTreeMap::new(), changes: None }.rows())
    })
}

/// Adds a night that failed to the history in `path`. It has no number.
pub fn add_failed_night(path: &Path, date: Date) -> Result<(), StoreError> {
    let mut row = vec![String::new(); HISTORY_COLUMNS.len()];
    (row[1], row[COLUMNS_WITHOUT_STATUS]) = (date.to_string(), "failed".to_owned());
    locked(path, || add(path, vec![row.into()]))
}

/// Fails if a night cannot be added to the history in `path`.
pub fn check_history(path: &Path) -> Result<(), StoreError> {
    locked(path, || read(path, |_| Ok(())))
}

/// The number after the highest one of the nights in `path`.
pub(super) fn next_number(path: &Path, highest: u64) -> Result<u64, StoreError> {
    highest.checked_add(1).ok_or_else(|| StoreError::LastNumber { path: path.to_owned() })
}

/// The highest number of a night, also of a damaged row; 0 if there is none.
pub(super) fn highest(path: &Path) -> Result<u64, StoreError> {
    let mut highest = 0;
    let Some(History { mut rows, .. }) = open(path)? else { return Ok(highest) };
    let mut row = ByteRecord::new();
    while next(&mut rows, &mut row).map_err(|source| StoreError::History { path: path.to_owned(), source })? {
        highest = highest.max(number(&row).unwrap_or(0));
    }
    Ok(highest)
}

/// The last `count` nights before the one with this number, the earliest first.
pub(super) fn last(path: &Path, count: usize, before: u64) -> Result<Vec<NightTotals>, StoreError> {
    let mut nights: VecDeque<(u64, NightTotals)> = VecDeque::new();
    read(path, |row| {
        let cell = |name: &str| {
            let column = HISTORY_COLUMNS.iter().position(|column| *column == name)?;
            std::str::from_utf8(row.get(column)?).ok()
        };
        let count_of = |name: &str| cell(name).and_then(|cell| cell.parse::<u64>().ok());
        // A row that somebody has edited is no night.
        let Some((night, date)) = number(row).zip(cell("date").and_then(|date| date.parse().ok())) else {
            return Ok(());
        };
        if night >= before {
            return Ok(());
        }
        if nights.back().is_none_or(|(last, _)| *last != night) {
            nights.push_back((night, NightTotals { date, findings: SeverityCounts::default(), records: 0 }));
            if nights.len() > count {
                nights.pop_front();
            }
        }
        let Some((_, totals)) = nights.back_mut() else { return Ok(()) };
        let severity = Severity::ALL.into_iter().find(|severity| cell("severity") == Some(severity.as_str()));
        match (severity, count_of("findings"), count_of("known")) {
            (Some(severity), Some(findings), Some(known)) => {
                totals.findings.add_many(severity, findings.saturating_sub(known));
            }
            _ => totals.records = count_of("games").unwrap_or(0).saturating_add(count_of("positions").unwrap_or(0)),
        }
        Ok(())
    })?;
    Ok(nights.into_iter().map(|(_, totals)| totals).collect())
}

/// The number of the night of a row.
fn number(row: &ByteRecord) -> Option<u64> {
    std::str::from_utf8(row.get(0)?).ok()?.parse().ok()
}

/// Adds the rows of the tables `waiting`, each of a night, the earliest first.
pub(super) fn add_tables(path: &Path, waiting: &[PathBuf]) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for table in waiting {
        read(table, |row| {
            let mut row = row.clone();
            if row.len() == COLUMNS_WITHOUT_STATUS {
                row.push_field(OK.as_bytes());
            }
            rows.push(row);
            Ok(())
        })?;
    }
    locked(path, || add(path, rows))
}

/// Adds rows, sorted by night, before those of later nights. Rows that are there are not added
/// again: the program may have been killed after it had added them.
fn add(path: &Path, mut rows: Vec<ByteRecord>) -> Result<(), StoreError> {
    let columns = open(path)?.map_or(HISTORY_COLUMNS.len(), |history| history.columns);
    rows.iter_mut().for_each(|row| row.truncate(columns));
    let numbers: BTreeSet<u64> = rows.iter().filter_map(number).collect();
    read(path, |row| {
        if number(row).is_some_and(|number| numbers.contains(&number)) {
            rows.retain(|new| new != row);
        }
        Ok(())
    })?;
    let failed = |source| StoreError::Write { path: path.to_owned(), source };
    let mut file = OutputFile::create(path).map_err(failed)?;
    let mut writer = csv::Writer::from_writer(&mut file);
    writer.write_record(&HISTORY_COLUMNS[..columns]).map_err(|error| failed(error.into()))?;
    let mut rows = rows.iter().peekable();
    let mut write = |row: &ByteRecord| writer.write_byte_record(row).map_err(|error| failed(error.into()));
    read(path, |row| {
        let later = number(row);
        while let Some(new) = rows.next_if(|new| later.is_some_and(|later| number(new).is_some_and(|new| new < later))) {
            write(new)?;
        }
        write(row)
    })?;
    rows.try_for_each(&mut write)?;
    writer.flush().map_err(failed)?;
    drop(writer);
    file.finish().map_err(failed)
}

/// Writes a table with these rows.
pub(super) fn table(rows: &[ByteRecord]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HISTORY_COLUMNS)?;
    rows.iter().try_for_each(|row| writer.write_byte_record(row))?;
    writer.into_inner().map_err(|error| error.into_error())
}

impl Entry<'_> {
    /// The rows of the night, that of the totals at the end.
    pub fn rows(&self) -> Vec<ByteRecord> {
        let Entry { number, date, summary, known, changes } = self;
        let cell = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let night = [number.to_string(), date.to_string()];
        let of_rule = |(code, severity, found): (Code, Severity, &RuleSummary)| {
            let about = [code.to_string(), severity.as_str().to_owned()];
            let more_known = known.get(&(code, severity)).copied().unwrap_or_default();
            let known = found.findings.saturating_sub(found.new) + more_known;
            let counts = [found.findings, known, found.records];
            let row = night.iter().cloned().chain(about).chain(counts.map(|count| count.to_string()));
            row.chain(std::iter::repeat_n(String::new(), 6)).chain([OK.to_owned()]).collect::<Vec<_>>().into()
        };
        let all_known = summary.known.total() + known.values().sum::<u64>();
        let counts = [summary.findings.total(), all_known, summary.records_with_findings];
        let read = [summary.inputs, summary.counts.games, summary.counts.positions, summary.counts.bytes];
        let changes = [changes.map(|(new, _)| new), changes.map(|(_, lost)| lost)];
        let numbers = counts.into_iter().chain(read).map(Some).chain(changes).map(cell);
        let totals = night.iter().cloned().chain([String::new(), String::new()]).chain(numbers).chain([OK.to_owned()]);
        summary.by_rule().map(of_rule).chain([totals.collect::<Vec<_>>().into()]).collect()
    }
}

/// Does `change` while no other process changes the history.
fn locked(path: &Path, change: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
    // A link to a history is the same history.
    let mut name = fs::canonicalize(path).map_or_else(|_| path.as_os_str().to_owned(), OsString::from);
    name.push(".lock");
    let lock_path = PathBuf::from(name);
    let failed = |source| StoreError::Lock { path: lock_path.clone(), source };
    let lock = loop {
        let lock = open_lock(&lock_path).map_err(|source| StoreError::Write { path: path.to_owned(), source })?;
        lock.lock().map_err(failed)?;
        if is_at(&lock, &lock_path) {
            break lock;
        }
    };
    let changed = change();
    if cfg!(unix) {
        // While it is locked, so that whoever waits for it sees that it is another file.
        let _ = fs::remove_file(&lock_path);
    }
    drop(lock);
    changed
}

/// Whether the file is still the one at `path`: another process may have removed it.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let ids = [file.metadata(), path.metadata()].map(|found| found.map(|found| (found.dev(), found.ino())).ok());
        ids[0].is_some() && ids[0] == ids[1]
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// Calls `each` for the rows of a history.
fn read(path: &Path, mut each: impl FnMut(&ByteRecord) -> Result<(), StoreError>) -> Result<(), StoreError> {
    let Some(History { mut rows, columns }) = open(path)? else { return Ok(()) };
    let mut row = ByteRecord::new();
    while next(&mut rows, &mut row).map_err(|source| StoreError::History { path: path.to_owned(), source })? {
        if row.len() != columns {
            let line = row.position().map_or(0, csv::Position::line);
            return Err(StoreError::HistoryRow { path: path.to_owned(), line, found: row.len(), expected: columns });
        }
        each(&row)?;
    }
    Ok(())
}

/// A history that is read.
struct History {
    rows: csv::Reader<Bounded<File>>,
    /// Number of columns.
    columns: usize,
}

/// Opens a history; `None` if there is no file yet, or an empty one.
fn open(path: &Path) -> Result<Option<History>, StoreError> {
    let failed = |source| StoreError::History { path: path.to_owned(), source };
    let file = match open_regular(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(Bounded::new(file, "a row", MAX_ROW_BYTES));
    let header = rows.byte_headers().map_err(|error| failed(error.into()))?;
    if header.is_empty() {
        return Ok(None);
    }
    let columns = header.len();
    let has_names =
        columns >= COLUMNS_WITHOUT_STATUS && header.iter().eq(HISTORY_COLUMNS.iter().map(|name| name.as_bytes()).take(columns));
    if !has_names {
        return Err(StoreError::ForeignHistory { path: path.to_owned() });
    }
    Ok(Some(History { rows, columns }))
}

fn next(rows: &mut csv::Reader<Bounded<File>>, row: &mut ByteRecord) -> io::Result<bool> {
    rows.get_mut().renew();
    Ok(rows.read_byte_record(row)?)
}

/// Opens a file that is only locked.
pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path)
}
