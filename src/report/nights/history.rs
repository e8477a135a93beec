//! The history: for each night, a line per rule and severity, and a line of totals.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Write},
    path::Path,
};

use csv::ByteRecord;
use jiff::civil::Date;

use super::StoreError;
use crate::{
    pipeline::{RunSummary, SeverityCounts},
    report::{OutputFile, columns::HISTORY_COLUMNS, reader::MAX_ROW_BYTES, trend::NightTotals},
    rules::Severity,
    text::{Bounded, open_regular},
};

/// What a history says of a night.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub number: u64,
    pub date: Date,
    pub summary: &'a RunSummary,
    /// New findings and lost records, if there was an earlier report.
    pub changes: Option<(u64, u64)>,
}

/// Adds a run as the next night to the history in `path`, without a comparison.
///
/// # Errors
/// If the file is not a history, or cannot be read or written.
pub fn add_to_history(path: &Path, date: Date, summary: &RunSummary) -> Result<(), StoreError> {
    let failed = |source| StoreError::History { path: path.to_owned(), source };
    let mut last = 0;
    if let Some(mut rows) = open(path)? {
        let mut row = ByteRecord::new();
        while next(&mut rows, &mut row).map_err(failed)? {
            last = last.max(number(&row).unwrap_or(0));
        }
    }
    add(path, &Entry { number: last.saturating_add(1), date, summary, changes: None })
}

/// The last `count` nights before the one with this number, the earliest first.
///
/// # Errors
/// If the file is not a history or cannot be read.
pub(super) fn last(path: &Path, count: usize, before: u64) -> Result<Vec<NightTotals>, StoreError> {
    let Some(mut rows) = open(path)? else { return Ok(Vec::new()) };
    let mut nights: VecDeque<(u64, NightTotals)> = VecDeque::new();
    let mut row = ByteRecord::new();
    while next(&mut rows, &mut row).map_err(|source| StoreError::History { path: path.to_owned(), source })? {
        let cell = |name: &str| {
            let column = HISTORY_COLUMNS.iter().position(|column| *column == name)?;
            std::str::from_utf8(row.get(column)?).ok()
        };
        let count_of = |name: &str| cell(name).and_then(|cell| cell.parse::<u64>().ok());
        // A row that somebody has edited is no night.
        let Some((night, date)) = number(&row).zip(cell("date").and_then(|date| date.parse().ok())) else { continue };
        if night >= before {
            continue;
        }
        if nights.back().is_none_or(|(last, _)| *last != night) {
            nights.push_back((night, NightTotals { date, findings: SeverityCounts::default(), records: 0 }));
            if nights.len() > count {
                nights.pop_front();
            }
        }
        let Some((_, totals)) = nights.back_mut() else { continue };
        let severity = Severity::ALL.into_iter().find(|severity| cell("severity") == Some(severity.as_str()));
        match (severity, count_of("findings"), count_of("known")) {
            (Some(severity), Some(findings), Some(known)) => {
                totals.findings.add_many(severity, findings.saturating_sub(known));
            }
            _ => totals.records = count_of("games").unwrap_or(0).saturating_add(count_of("positions").unwrap_or(0)),
        }
    }
    Ok(nights.into_iter().map(|(_, totals)| totals).collect())
}

/// The number of the night of a row.
fn number(row: &ByteRecord) -> Option<u64> {
    std::str::from_utf8(row.get(0)?).ok()?.parse().ok()
}

/// Fails if the file exists and is not a history.
pub(super) fn check(path: &Path) -> Result<(), StoreError> {
    open(path).map(drop)
}

/// Adds a night to the history. A later night, or another attempt at the same one, is replaced.
pub(super) fn add(path: &Path, entry: &Entry<'_>) -> Result<(), StoreError> {
    let failed = |source| StoreError::Write { path: path.to_owned(), source };
    let mut file = OutputFile::create(path).map_err(failed)?;
    let mut writer = csv::Writer::from_writer(&mut file);
    writer.write_record(HISTORY_COLUMNS).map_err(|error| failed(error.into()))?;
    if let Some(mut earlier) = open(path)? {
        let mut row = ByteRecord::new();
        while next(&mut earlier, &mut row).map_err(|source| StoreError::History { path: path.to_owned(), source })? {
            if number(&row).is_none_or(|number| number < entry.number) {
                writer.write_byte_record(&row).map_err(|error| failed(error.into()))?;
            }
        }
    }
    entry.write(&mut writer).map_err(|error| failed(error.into()))?;
    writer.flush().map_err(failed)?;
    drop(writer);
    file.finish().map_err(failed)
}

impl Entry<'_> {
    fn write(&self, to: &mut csv::Writer<impl Write>) -> csv::Result<()> {
        let Entry { number, date, summary, changes } = self;
        let cell = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let night = [number.to_string(), date.to_string()];
        for (code, severity, found) in summary.by_rule() {
            let about = [code.to_string(), severity.as_str().to_owned()];
            let counts = [found.findings, found.findings.saturating_sub(found.new), found.records];
            let row = night.iter().cloned().chain(about).chain(counts.map(|count| count.to_string()));
            to.write_record(row.chain(std::iter::repeat_n(String::new(), 6)))?;
        }
        let counts = [summary.findings.total(), summary.known.total(), summary.records_with_findings];
        let read = [summary.inputs, summary.counts.games, summary.counts.positions, summary.counts.bytes];
        let changes = [changes.map(|(new, _)| new), changes.map(|(_, lost)| lost)];
        let numbers = counts.into_iter().chain(read).map(Some).chain(changes).map(cell);
        to.write_record(night.iter().cloned().chain([String::new(), String::new()]).chain(numbers))
    }
}

/// The rows of a history; `None` if there is no file yet, or an empty one.
fn open(path: &Path) -> Result<Option<csv::Reader<Bounded<File>>>, StoreError> {
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
    if header.iter().ne(HISTORY_COLUMNS.iter().map(|name| name.as_bytes())) {
        return Err(StoreError::ForeignHistory { path: path.to_owned() });
    }
    Ok(Some(rows))
}

fn next(rows: &mut csv::Reader<Bounded<File>>, row: &mut ByteRecord) -> io::Result<bool> {
    rows.get_mut().renew();
    Ok(rows.read_byte_record(row)?)
}
