//! Reads the findings and inputs of a report.
//!
//! `run.json` says how many rows each table has, and their digest. A table that is missing, cut off
//! or changed is an error, because comparisons and baselines made from it would be wrong. Tables
//! that are not read do not matter.

use std::{
    collections::BTreeMap,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use csv::ByteRecord;
use serde::Deserialize;
use serde_json::Value;

use crate::format::{
    SCHEMA_VERSION, TOOL, Table,
    csv_cell::unquoted,
    csv_error,
    digest::Digesting,
    files::{FOLDED_FILE, GAME_KEYS_FILE, INPUTS_FILE, RUN_FILE, SUMMARY_FILE},
    hash_cell::parse_key,
    run::{MAX_RUN_BYTES, TableRecord},
};
use crate::{
    pipeline::SeverityCounts,
    rules::Severity,
    text::{
        Bounded, open_once, open_regular,
        wording::{quantity, thousands},
    },
};

/// A report cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The directory is not a report.
    #[error("`{}` is not a chess-audit report: {reason}; give the directory that `chess-audit check -o` has written", path.display())]
    NotAReport {
        /// The directory.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The report was written by a newer version.
    #[error("`{}` was written by a newer version of chess-audit (schema {found}, but this version reads up to {SCHEMA_VERSION}); update chess-audit", path.display())]
    Newer {
        /// The directory.
        path: PathBuf,
        /// The schema version of the report.
        found: u32,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The content of a file is invalid.
    #[error("`{}`, line {line}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The report is not as the audit wrote it.
    #[error("`{}` {damage}; the report is not as it was written, so run the audit again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
}

impl ReadError {
    /// The report, or its file at fault.
    pub(super) fn path(&self) -> &Path {
        match self {
            ReadError::NotAReport { path, .. }
            | ReadError::Newer { path, .. }
            | ReadError::Unreadable { path, .. }
            | ReadError::Malformed { path, .. }
            | ReadError::Damaged { path, .. } => path,
        }
    }
}

/// How a file of a report differs from the file that the audit wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The table does not exist.
    #[error("is missing")]
    Missing,
    /// The table is not listed in `run.json`.
    #[error("is not listed in {RUN_FILE}")]
    Unlisted,
    /// Rows were removed or added.
    #[error("has {}, but {RUN_FILE} says {}", quantity(*found, "row", "rows"), thousands(*expected))]
    Rows {
        /// The number of rows in the file.
        found: u64,
        /// The number of rows in `run.json`.
        expected: u64,
    },
    /// The number of rows is right, but not the digest.
    #[error("was changed after the audit")]
    Changed,
    /// The tables have more or fewer findings than the total.
    #[error("says {}, but the tables have {}", quantity(*total, "finding", "findings"), thousands(*found))]
    Findings {
        /// The number of findings in the tables.
        found: u64,
        /// The total in `run.json`.
        total: u64,
    },
    /// The table of inputs has more or fewer games and positions than the total.
    #[error("says {}, but {INPUTS_FILE} has {}", quantity(*total, "game or position", "games and positions"), thousands(*found))]
    Records {
        /// The number of games and positions in the table of inputs.
        found: u64,
        /// The total in `run.json`.
        total: u64,
    },
}

/// An existing report.
#[derive(Debug)]
pub struct ReportReader {
    path: PathBuf,
    /// The settings of the run, as in `run.json`.
    pub settings: Value,
    /// The number of audit failures of the run.
    pub failures: u64,
    /// The version of the program that wrote it.
    pub(super) version: String,
    /// The number of games and positions that the run read.
    pub records: u64,
    /// The number of findings of the run.
    findings: SeverityCounts,
    /// The tables by file name; `None` in reports of versions that did not write this.
    tables: Option<BTreeMap<String, TableRecord>>,
}

/// The part of `run.json` that is needed here.
#[derive(Deserialize)]
struct Run {
    tool: String,
    #[serde(default)]
    version: String,
    schema_version: u32,
    #[serde(default)]
    settings: Value,
    totals: Totals,
    tables: Option<BTreeMap<String, TableRecord>>,
}

#[derive(Deserialize)]
struct Totals {
    games: u64,
    positions: u64,
    findings: Findings,
    failures: u64,
}

#[derive(Clone, Copy, Deserialize)]
struct Findings {
    error: u64,
    warning: u64,
    info: u64,
}

const RULE: &str = "rule";
const SEVERITY: &str = "severity";
pub(super) const FINGERPRINT: &str = "fingerprint";

/// A row of a file of findings.
#[derive(Clone, Copy, Debug)]
pub struct FindingRow<'a> {
    /// The names of the columns.
    pub columns: &'a ByteRecord,
    /// The cells.
    pub cells: &'a ByteRecord,
    /// The fingerprint of the finding.
    pub fingerprint: u64,
    /// The severity of the finding.
    pub severity: Severity,
}

impl<'a> FindingRow<'a> {
    /// The cell in the column `name`, without the quote before formulas. Empty if there is no such
    /// column.
    pub fn cell(&self, name: &str) -> &'a [u8] {
        cell(self.columns, self.cells, name)
    }

    /// The code of the rule.
    pub fn rule(&self) -> &'a [u8] {
        self.cell(RULE)
    }
}

/// A row of the table of inputs.
#[derive(Clone, Copy, Debug)]
pub struct InputRow<'a> {
    /// The name as written, with the quote before formulas.
    pub cell: &'a [u8],
    /// The number of games.
    pub games: u64,
    /// The number of position lines and rows of tables.
    pub positions: u64,
    /// The digest and the length of its text, if it was read completely.
    pub text: Option<(u32, u64)>,
    /// The digest of its games, if their keys are known.
    pub games_digest: Option<u64>,
    /// The format that it was read as; empty if it is not known.
    pub format: &'a [u8],
    /// Whether it was read as Chess960, if that is known.
    pub is_chess960: Option<bool>,
}

impl<'a> InputRow<'a> {
    /// The name of the input.
    pub fn name(&self) -> &'a [u8] {
        unquoted(self.cell)
    }

    /// The number of games and positions.
    pub const fn records(&self) -> u64 {
        self.games.saturating_add(self.positions)
    }
}

/// A row of the table of keys of games.
#[derive(Clone, Copy, Debug)]
pub struct GameKeyRow<'a> {
    columns: &'a ByteRecord,
    cells: &'a ByteRecord,
    /// Equal in games with the same first position and moves.
    pub moves: u64,
    /// Equal in games with the same moves, tags and comments.
    pub digest: u64,
}

impl<'a> GameKeyRow<'a> {
    /// The cell in the column `name`, without the quote before formulas.
    pub fn cell(&self, name: &str) -> &'a [u8] {
        cell(self.columns, self.cells, name)
    }

    /// The cell in the column `name`, as it is written. Empty if there is no such column.
    pub(super) fn written(&self, name: &str) -> &'a [u8] {
        written(self.columns, self.cells, name)
    }
}

/// The cell in the column `name`, without the quote before formulas. Empty if there is no such
/// column.
fn cell<'a>(columns: &ByteRecord, cells: &'a ByteRecord, name: &str) -> &'a [u8] {
    unquoted(written(columns, cells, name))
}

/// The cell in the column `name`, as it is written. Empty if there is no such column.
fn written<'a>(columns: &ByteRecord, cells: &'a ByteRecord, name: &str) -> &'a [u8] {
    let index = columns.iter().position(|column| column == name.as_bytes());
    index.and_then(|index| cells.get(index)).unwrap_or_default()
}

impl ReportReader {
    /// Opens the report in the directory `path`.
    pub fn open(path: &Path) -> Result<ReportReader, ReadError> {
        let not_a_report = |reason: String| ReadError::NotAReport { path: path.to_owned(), reason };
        let file =
            open_regular(&path.join(RUN_FILE)).map_err(|error| not_a_report(format!("cannot read {RUN_FILE}: {error}")))?;
        let run: Run = serde_json::from_reader(io::BufReader::new(Bounded::new(file, "the file", MAX_RUN_BYTES)))
            .map_err(|error| not_a_report(format!("{RUN_FILE}: {error}")))?;
        if run.tool != TOOL {
            return Err(not_a_report(format!("it was written by `{}`", run.tool)));
        }
        if run.schema_version > SCHEMA_VERSION {
            return Err(ReadError::Newer { path: path.to_owned(), found: run.schema_version });
        }
        let Totals { games, positions, findings, failures } = run.totals;
        let total = |numbers: &[u64]| numbers.iter().fold(0, |sum: u64, number| sum.saturating_add(*number));
        // No run has so many, and their sum must not overflow.
        let [error, warning, info] = [findings.error, findings.warning, findings.info].map(|findings| findings.min(u64::MAX / 4));
        Ok(ReportReader {
            path: path.to_owned(),
            settings: run.settings,
            failures,
            version: run.version,
            records: total(&[games, positions]),
            findings: SeverityCounts { error, warning, info },
            tables: run.tables,
        })
    }

    /// Whether `run.json` has the digests of the tables. Without them, only totals can be checked.
    /// Earlier versions did not write them.
    pub const fn has_digests(&self) -> bool {
        self.tables.is_some()
    }

    /// Calls `each` for every finding, file by file and row by row.
    pub fn for_each_finding<E: From<ReadError>>(&self, mut each: impl FnMut(FindingRow<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut found = 0;
        for table in Table::ALL {
            if let Some(mut rows) = self.open_table(table.file_name())? {
                let read = each_finding(&mut rows, &mut each);
                found += self.verified(table.file_name(), rows, read)?;
            }
        }
        // With `max_rows`, findings beyond the limit are counted but not written.
        let is_limited = self.settings.get("max_rows").is_some_and(|max| !max.is_null());
        let total = self.findings.total();
        if found == total || (is_limited && found < total) {
            return Ok(());
        }
        Err(self.damaged(RUN_FILE, Damage::Findings { found, total }).into())
    }

    /// The findings beyond `max_rows`, if the tables have those that are `listed`.
    pub(super) const fn unlisted(&self, listed: SeverityCounts) -> SeverityCounts {
        self.findings.without(listed)
    }

    /// Calls `each` for every input.
    pub fn for_each_input<E: From<ReadError>>(&self, mut each: impl FnMut(InputRow<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut rows = self.open_table(INPUTS_FILE)?.ok_or_else(|| self.damaged(INPUTS_FILE, Damage::Missing))?;
        let mut found: u64 = 0;
        let read = each_input(&mut rows, &mut |row: InputRow<'_>| {
            found = found.saturating_add(row.records());
            each(row)
        });
        self.verified(INPUTS_FILE, rows, read)?;
        if found == self.records {
            return Ok(());
        }
        Err(self.damaged(RUN_FILE, Damage::Records { found, total: self.records }).into())
    }

    /// Calls `each` for every game, if the report has their keys. Returns whether it has.
    pub fn for_each_game<E: From<ReadError>>(&self, mut each: impl FnMut(GameKeyRow<'_>) -> Result<(), E>) -> Result<bool, E> {
        let mut rows = match self.open_table(GAME_KEYS_FILE) {
            Ok(Some(rows)) => rows,
            Ok(None) | Err(ReadError::Damaged { damage: Damage::Missing, .. }) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let read = each_game(&mut rows, &mut each);
        self.verified(GAME_KEYS_FILE, rows, read)?;
        Ok(true)
    }

    /// Calls `each` for every row of the table of rules: the code, and the numbers of findings and
    /// of places. Reports of earlier versions have no places.
    pub(super) fn for_each_rule<E: From<ReadError>>(
        &self,
        mut each: impl FnMut(&[u8], u64, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        // It is not needed for anything else, so its loss is no damage.
        let Ok(Some(mut rows)) = self.open_table(SUMMARY_FILE) else { return Ok(()) };
        let read = each_rule(&mut rows, &mut each);
        self.verified(SUMMARY_FILE, rows, read).map(drop)
    }

    /// Calls `each` for every finding that is counted on the line of another one, if the report has
    /// them: its fingerprint, and that of the line.
    pub(super) fn for_each_folded<E: From<ReadError>>(&self, mut each: impl FnMut(u64, u64) -> Result<(), E>) -> Result<(), E> {
        let mut rows = match self.open_table(FOLDED_FILE) {
            Ok(Some(rows)) => rows,
            // It is removed from older reports, as the keys of games are.
            Ok(None) | Err(ReadError::Damaged { damage: Damage::Missing, .. }) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let read = each_folded(&mut rows, &mut each);
        self.verified(FOLDED_FILE, rows, read).map(drop)
    }

    /// Whether the report has the findings that are counted on the lines of others.
    pub(super) fn has_folded(&self) -> bool {
        self.path.join(FOLDED_FILE).exists()
    }

    /// Whether the report has keys of games.
    pub(super) fn has_game_keys(&self) -> bool {
        self.path.join(GAME_KEYS_FILE).exists()
    }

    fn damaged(&self, file: &str, damage: Damage) -> ReadError {
        ReadError::Damaged { path: self.path.join(file), damage }
    }

    /// Opens a table; `None` if the version that wrote the report did not have it.
    fn open_table(&self, name: &str) -> Result<Option<Rows>, ReadError> {
        let is_listed = self.tables.as_ref().map(|tables| tables.contains_key(name));
        match Rows::open(&self.path.join(name)) {
            Ok(_) if is_listed == Some(false) => Err(self.damaged(name, Damage::Unlisted)),
            Ok(rows) => Ok(Some(rows)),
            Err(ReadError::Unreadable { source, .. }) if source.kind() == io::ErrorKind::NotFound => match is_listed {
                Some(true) => Err(self.damaged(name, Damage::Missing)),
                _ => Ok(None),
            },
            Err(error) => Err(error),
        }
    }

    /// The number of rows of a table, if it is as it was written. `read` is the result of reading
    /// it. Damage takes precedence over a malformed row, which may be its effect.
    fn verified<E: From<ReadError>>(&self, name: &str, mut rows: Rows, read: Result<(), Stop<E>>) -> Result<u64, E> {
        let malformed = match read {
            Ok(()) => None,
            Err(Stop::Row(error @ ReadError::Malformed { .. })) => Some(error),
            Err(Stop::Row(error)) => return Err(error.into()),
            Err(Stop::Caller(error)) => return Err(error),
        };
        if let Some(expected) = self.tables.as_ref().and_then(|tables| tables.get(name)) {
            rows.skip_rest()?;
            let (found, expected, digest) = (rows.count, expected.rows, expected.xxh3.as_str());
            if found != expected {
                return Err(self.damaged(name, Damage::Rows { found, expected }).into());
            }
            if rows.reader.get_ref().inner().digest() != digest {
                return Err(self.damaged(name, Damage::Changed).into());
            }
        }
        malformed.map_or(Ok(rows.count), |error| Err(error.into()))
    }
}

/// Calls `each` for every row of a file of findings.
pub(crate) fn for_each_row<E: From<ReadError>>(
    path: &Path,
    each: &mut impl FnMut(FindingRow<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut rows = Rows::open(path)?;
    each_finding(&mut rows, each).map_err(|stop| match stop {
        Stop::Row(error) => error.into(),
        Stop::Caller(error) => error,
    })
}

/// Why not all rows of a table were read.
enum Stop<E> {
    /// A row cannot be read.
    Row(ReadError),
    /// The caller failed.
    Caller(E),
}

impl<E> From<ReadError> for Stop<E> {
    fn from(error: ReadError) -> Stop<E> {
        Stop::Row(error)
    }
}

fn each_finding<E>(rows: &mut Rows, each: &mut impl FnMut(FindingRow<'_>) -> Result<(), E>) -> Result<(), Stop<E>> {
    let fingerprint = rows.column(FINGERPRINT)?;
    let severity = rows.columns.iter().position(|column| column == SEVERITY.as_bytes());
    while rows.next()? {
        let text = rows.cells.get(fingerprint).and_then(|cell| std::str::from_utf8(cell).ok());
        let Some(fingerprint) = text.and_then(parse_key) else {
            return Err(rows.malformed("the fingerprint is not a hexadecimal number").into());
        };
        let name = severity.and_then(|column| rows.cells.get(column)).unwrap_or_default();
        let severity = Severity::ALL.into_iter().find(|severity| severity.as_str().as_bytes() == name);
        let severity = severity.unwrap_or(Severity::Error);
        each(FindingRow { columns: &rows.columns, cells: &rows.cells, fingerprint, severity }).map_err(Stop::Caller)?;
    }
    Ok(())
}

fn each_input<E>(rows: &mut Rows, each: &mut impl FnMut(InputRow<'_>) -> Result<(), E>) -> Result<(), Stop<E>> {
    let [name, games, positions] = [rows.column("input")?, rows.column("games")?, rows.column("positions")?];
    let [digest, bytes, games_digest, format, chess960] =
        ["digest", "bytes", "games_digest", "format", "chess960"].map(|name| rows.column(name).ok());
    while rows.next()? {
        let number = |column: usize| std::str::from_utf8(rows.cells.get(column)?).ok()?.parse::<u64>().ok();
        let (Some(games), Some(positions)) = (number(games), number(positions)) else {
            return Err(rows.malformed("`games` or `positions` is not a number").into());
        };
        let cell = rows.cells.get(name).unwrap_or_default();
        // Reports of earlier versions have no digests.
        let crc32 = digest.and_then(|digest| std::str::from_utf8(rows.cells.get(digest)?).ok()?.strip_prefix('c'));
        let crc32 = crc32.and_then(|digest| u32::from_str_radix(digest, 16).ok());
        let text = crc32.zip(bytes.and_then(number));
        let games_digest = games_digest.and_then(|column| parse_key(std::str::from_utf8(rows.cells.get(column)?).ok()?));
        let format = format.and_then(|column| rows.cells.get(column)).unwrap_or_default();
        let is_chess960 = chess960.and_then(|column| match rows.cells.get(column)? {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        });
        each(InputRow { cell, games, positions, text, games_digest, format, is_chess960 }).map_err(Stop::Caller)?;
    }
    Ok(())
}

fn each_rule<E>(rows: &mut Rows, each: &mut impl FnMut(&[u8], u64, u64) -> Result<(), E>) -> Result<(), Stop<E>> {
    let [rule, findings] = [rows.column(RULE)?, rows.column("findings")?];
    let places = rows.column("places").unwrap_or(findings);
    while rows.next()? {
        let number = |column: usize| std::str::from_utf8(rows.cells.get(column)?).ok()?.parse::<u64>().ok();
        let numbers = [findings, places].map(|column| number(column).unwrap_or_default());
        each(rows.cells.get(rule).unwrap_or_default(), numbers[0], numbers[1]).map_err(Stop::Caller)?;
    }
    Ok(())
}

fn each_folded<E>(rows: &mut Rows, each: &mut impl FnMut(u64, u64) -> Result<(), E>) -> Result<(), Stop<E>> {
    let [fingerprint, line] = [rows.column(FINGERPRINT)?, rows.column("line_fingerprint")?];
    while rows.next()? {
        let key = |column: usize| rows.cells.get(column).and_then(|cell| parse_key(std::str::from_utf8(cell).ok()?));
        let (Some(fingerprint), Some(line)) = (key(fingerprint), key(line)) else {
            return Err(rows.malformed("`fingerprint` or `line_fingerprint` is not a key").into());
        };
        each(fingerprint, line).map_err(Stop::Caller)?;
    }
    Ok(())
}

fn each_game<E>(rows: &mut Rows, each: &mut impl FnMut(GameKeyRow<'_>) -> Result<(), E>) -> Result<(), Stop<E>> {
    let [moves, digest] = [rows.column("moves_key")?, rows.column("digest")?];
    while rows.next()? {
        let key = |column: usize| rows.cells.get(column).and_then(|cell| parse_key(std::str::from_utf8(cell).ok()?));
        let (Some(moves), Some(digest)) = (key(moves), key(digest)) else {
            return Err(rows.malformed("`moves_key` or `digest` is not a key").into());
        };
        each(GameKeyRow { columns: &rows.columns, cells: &rows.cells, moves, digest }).map_err(Stop::Caller)?;
    }
    Ok(())
}

/// Maximum size of a row of a CSV file. The texts of findings are far shorter.
pub(crate) const MAX_ROW_BYTES: u64 = 16 << 20;

/// The rows of a CSV file.
#[derive(Debug)]
struct Rows {
    path: PathBuf,
    reader: csv::Reader<Bounded<Digesting<File>>>,
    columns: ByteRecord,
    /// The current row.
    cells: ByteRecord,
    /// The number of rows so far, readable or not.
    count: u64,
}

impl Rows {
    fn open(path: &Path) -> Result<Rows, ReadError> {
        // A baseline may come from a process substitution.
        let file = open_once(path).map_err(|source| ReadError::Unreadable { path: path.to_owned(), source })?;
        let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(Bounded::new(
            Digesting::new(file),
            "a row",
            MAX_ROW_BYTES,
        ));
        let columns = reader.byte_headers().map_err(|error| unreadable(path, error))?.clone();
        Ok(Rows { path: path.to_owned(), reader, columns, cells: ByteRecord::new(), count: 0 })
    }

    /// The index of a column that must exist.
    fn column(&self, name: &str) -> Result<usize, ReadError> {
        self.columns.iter().position(|column| column == name.as_bytes()).ok_or_else(|| ReadError::Malformed {
            path: self.path.clone(),
            line: 1,
            reason: format!("there is no column `{name}`"),
        })
    }

    /// Reads the next row. Returns whether there is one.
    fn next(&mut self) -> Result<bool, ReadError> {
        self.reader.get_mut().renew();
        let read = self.reader.read_byte_record(&mut self.cells);
        self.count += u64::from(!matches!(read, Ok(false)));
        read.map_err(|error| unreadable(&self.path, error))
    }

    /// Reads to the end of the file, whatever the rows contain.
    fn skip_rest(&mut self) -> Result<(), ReadError> {
        loop {
            match self.next() {
                Ok(true) | Err(ReadError::Malformed { .. }) => {}
                Ok(false) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// The current row is malformed.
    fn malformed(&self, reason: &str) -> ReadError {
        let line = self.cells.position().map_or(0, csv::Position::line);
        ReadError::Malformed { path: self.path.clone(), line, reason: reason.to_owned() }
    }
}

fn unreadable(path: &Path, error: csv::Error) -> ReadError {
    let line = error.position().map_or(0, csv::Position::line);
    let reason = format!("{}; correct the row, or write the file again", csv_error::reason(&error, None));
    match error.into_kind() {
        csv::ErrorKind::Io(source) => ReadError::Unreadable { path: path.to_owned(), source },
        _ => ReadError::Malformed { path: path.to_owned(), line, reason },
    }
}
