//! Reads the findings of a report.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use csv::ByteRecord;
use serde::Deserialize;
use serde_json::Value;

use super::{SCHEMA_VERSION, TOOL, Table, directory::RUN_FILE};
use crate::rules::Severity;

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
}

/// An existing report.
#[derive(Debug)]
pub struct ReportReader {
    path: PathBuf,
    /// The settings of the run, as in `run.json`.
    pub settings: Value,
    /// The number of audit failures of the run.
    pub failures: u64,
    /// The number of games and positions that the run read.
    pub records: u64,
}

/// The part of `run.json` that is needed here.
#[derive(Deserialize)]
struct Run {
    tool: String,
    schema_version: u32,
    #[serde(default)]
    settings: Value,
    totals: Totals,
}

#[derive(Deserialize)]
struct Totals {
    games: u64,
    positions: u64,
    failures: u64,
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
        let index = self.columns.iter().position(|column| column == name.as_bytes());
        let cell = index.and_then(|index| self.cells.get(index)).unwrap_or_default();
        match cell {
            [b'\'', b'=' | b'+' | b'-' | b'@' | b'\'' | b'\t' | b'\r' | b'\n' | b' ', ..] => &cell[1..],
            cell => cell,
        }
    }

    /// The code of the rule.
    pub fn rule(&self) -> &'a [u8] {
        self.cell(RULE)
    }
}

impl ReportReader {
    /// Opens the report in the directory `path`.
    ///
    /// # Errors
    /// If the directory is not a report, or the report of a newer version.
    pub fn open(path: &Path) -> Result<ReportReader, ReadError> {
        let not_a_report = |reason: String| ReadError::NotAReport { path: path.to_owned(), reason };
        let file = File::open(path.join(RUN_FILE)).map_err(|error| not_a_report(format!("cannot read {RUN_FILE}: {error}")))?;
        let run: Run =
            serde_json::from_reader(io::BufReader::new(file)).map_err(|error| not_a_report(format!("{RUN_FILE}: {error}")))?;
        if run.tool != TOOL {
            return Err(not_a_report(format!("it was written by `{}`", run.tool)));
        }
        if run.schema_version > SCHEMA_VERSION {
            return Err(ReadError::Newer { path: path.to_owned(), found: run.schema_version });
        }
        let Totals { games, positions, failures } = run.totals;
        Ok(ReportReader { path: path.to_owned(), settings: run.settings, failures, records: games + positions })
    }

    /// Calls `each` for every finding, file by file and row by row.
    ///
    /// # Errors
    /// If a file cannot be read, or `each` fails.
    pub fn for_each_finding<E: From<ReadError>>(&self, mut each: impl FnMut(FindingRow<'_>) -> Result<(), E>) -> Result<(), E> {
        for table in Table::ALL {
            let path = self.path.join(table.file_name());
            // A report of an older version may have fewer files.
            if path.exists() {
                for_each_row(&path, &mut each)?;
            }
        }
        Ok(())
    }
}

/// Calls `each` for every row of a file of findings.
pub(super) fn for_each_row<E: From<ReadError>>(
    path: &Path,
    each: &mut impl FnMut(FindingRow<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let unreadable = |error: csv::Error| -> ReadError {
        let line = error.position().map_or(0, csv::Position::line);
        match error.into_kind() {
            csv::ErrorKind::Io(source) => ReadError::Unreadable { path: path.to_owned(), source },
            kind => ReadError::Malformed { path: path.to_owned(), line, reason: format!("{kind:?}") },
        }
    };
    let mut reader = csv::Reader::from_path(path).map_err(unreadable)?;
    let columns = reader.byte_headers().map_err(unreadable)?.clone();
    let column = |name: &str| columns.iter().position(|column| column == name.as_bytes());
    let malformed = |line: u64, reason: &str| ReadError::Malformed { path: path.to_owned(), line, reason: reason.to_owned() };
    let Some(fingerprint) = column(FINGERPRINT) else {
        return Err(malformed(1, "there is no column `fingerprint`").into());
    };
    let severity = column(SEVERITY);
    let mut cells = ByteRecord::new();
    while reader.read_byte_record(&mut cells).map_err(unreadable)? {
        let line = cells.position().map_or(0, csv::Position::line);
        let fingerprint = cells.get(fingerprint).and_then(|cell| std::str::from_utf8(cell).ok());
        let fingerprint = fingerprint.and_then(|cell| u64::from_str_radix(cell.trim(), 16).ok());
        let Some(fingerprint) = fingerprint else {
            return Err(malformed(line, "the fingerprint is not a hexadecimal number").into());
        };
        let name = severity.and_then(|column| cells.get(column)).unwrap_or_default();
        let severity = Severity::ALL.into_iter().find(|severity| severity.as_str().as_bytes() == name);
        each(FindingRow { columns: &columns, cells: &cells, fingerprint, severity: severity.unwrap_or(Severity::Error) })?;
    }
    Ok(())
}
