//! Reports read back: the rows of their tables, one after the other.

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
    /// No report stands there.
    #[error("`{}` is no report of chess-audit: {reason}; give the directory that `chess-audit check -o` has written", path.display())]
    NoReport {
        /// The directory.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// It was written by a newer program.
    #[error("`{}` was written by a newer version of chess-audit (schema {found}, this one reads up to {SCHEMA_VERSION}); use that version", path.display())]
    Newer {
        /// The directory.
        path: PathBuf,
        /// Its schema.
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
    /// A file does not hold what it should.
    #[error("`{}`, line {line}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong there.
        reason: String,
    },
}

/// A report that was written before.
#[derive(Debug)]
pub struct ReportReader {
    path: PathBuf,
    /// What the run was asked, as it stands in `run.json`.
    pub settings: Value,
    /// How often the auditor itself failed in that run.
    pub failures: u64,
    /// Games and position lines that it read.
    pub records: u64,
}

/// What `run.json` says.
#[derive(Deserialize)]
struct Signed {
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

/// The columns of a row by which findings are told apart.
const RULE: &str = "rule";
const SEVERITY: &str = "severity";
pub(super) const FINGERPRINT: &str = "fingerprint";

/// A row of a table of findings.
#[derive(Clone, Copy, Debug)]
pub struct FindingRow<'a> {
    /// The names of the columns.
    pub columns: &'a ByteRecord,
    /// The cells.
    pub cells: &'a ByteRecord,
    /// The finding's identity.
    pub fingerprint: u64,
    /// How bad it is.
    pub severity: Severity,
}

impl<'a> FindingRow<'a> {
    /// The cell in the column called `name`, as a spreadsheet would show it; empty where there is no such column.
    pub fn cell(&self, name: &str) -> &'a [u8] {
        let index = self.columns.iter().position(|column| column == name.as_bytes());
        let cell = index.and_then(|index| self.cells.get(index)).unwrap_or_default();
        // What was made harmless has a quote before it.
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
    /// When no report stands there, or one of a newer version.
    pub fn open(path: &Path) -> Result<ReportReader, ReadError> {
        let no_report = |reason: String| ReadError::NoReport { path: path.to_owned(), reason };
        let file = File::open(path.join(RUN_FILE)).map_err(|error| no_report(format!("{RUN_FILE} cannot be read ({error})")))?;
        let signed: Signed =
            serde_json::from_reader(io::BufReader::new(file)).map_err(|error| no_report(format!("{RUN_FILE}: {error}")))?;
        if signed.tool != TOOL {
            return Err(no_report(format!("{RUN_FILE} is signed by `{}`", signed.tool)));
        }
        if signed.schema_version > SCHEMA_VERSION {
            return Err(ReadError::Newer { path: path.to_owned(), found: signed.schema_version });
        }
        let Totals { games, positions, failures } = signed.totals;
        Ok(ReportReader { path: path.to_owned(), settings: signed.settings, failures, records: games + positions })
    }

    /// Shows every finding to `each`, table by table, in the order of their rows.
    ///
    /// # Errors
    /// When a table cannot be read, or `each` fails.
    pub fn each_finding<E: From<ReadError>>(&self, mut each: impl FnMut(FindingRow<'_>) -> Result<(), E>) -> Result<(), E> {
        for table in Table::ALL {
            let path = self.path.join(table.file_name());
            // A report of an older version may have fewer tables.
            if path.exists() {
                each_row(&path, &mut each)?;
            }
        }
        Ok(())
    }
}

/// Shows every row of the table of findings at `path` to `each`.
pub(super) fn each_row<E: From<ReadError>>(path: &Path, each: &mut impl FnMut(FindingRow<'_>) -> Result<(), E>) -> Result<(), E> {
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
        return Err(malformed(1, "no column is called fingerprint").into());
    };
    let severity = column(SEVERITY);
    let mut cells = ByteRecord::new();
    while reader.read_byte_record(&mut cells).map_err(unreadable)? {
        let line = cells.position().map_or(0, csv::Position::line);
        let fingerprint = cells.get(fingerprint).and_then(|cell| std::str::from_utf8(cell).ok());
        let fingerprint = fingerprint.and_then(|cell| u64::from_str_radix(cell.trim(), 16).ok());
        let Some(fingerprint) = fingerprint else {
            return Err(malformed(line, "a fingerprint has 16 hexadecimal digits").into());
        };
        let word = severity.and_then(|column| cells.get(column)).unwrap_or_default();
        let severity = Severity::ALL.into_iter().find(|severity| severity.as_str().as_bytes() == word);
        each(FindingRow { columns: &columns, cells: &cells, fingerprint, severity: severity.unwrap_or(Severity::Error) })?;
    }
    Ok(())
}
