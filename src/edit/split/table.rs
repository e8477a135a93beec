//! The table of the bad records and their findings.

use std::{
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

use super::{SplitError, target::Complete};
use crate::{
    corpus::without_packing,
    format::{CheckedFiles, OutputFile, SPLIT_COLUMNS, spreadsheet_safe},
    pipeline::BadRecord,
    report::OwnFile,
    rules::rule,
    text::wording::{printable, printable_name},
};

/// What is said of text that has no findings.
const NO_RECORD: &str = "belongs to no record, or was not checked";

/// The table, while it is written. It is next to the file of the bad records.
#[derive(Debug)]
pub(super) struct SplitTable {
    path: PathBuf,
    rows: csv::Writer<BufWriter<OutputFile>>,
    replaces: bool,
    /// Number of records in the file of the bad ones.
    pub records: u64,
}

/// The table for the bad records in `bad`.
pub(super) fn path_for(bad: &Path) -> PathBuf {
    let name = bad.file_name().unwrap_or_default();
    let mut name = name.to_str().map_or_else(|| name.to_owned(), |name| without_packing(name).into());
    name.push(".csv");
    bad.with_file_name(name)
}

impl SplitTable {
    pub fn create(path: PathBuf, force: bool, read: &CheckedFiles) -> Result<SplitTable, SplitError> {
        if !force {
            OwnFile::BadRecords.check(&path)?;
        }
        let unwritable = |source| SplitError::unwritable(&path, source);
        let replaces = force || path.exists();
        let file = OutputFile::create(&path).map_err(unwritable)?.apart_from(read);
        let mut rows = csv::WriterBuilder::new().has_headers(false).from_writer(BufWriter::new(file));
        rows.write_record(SPLIT_COLUMNS).map_err(|error| unwritable(error.into()))?;
        Ok(SplitTable { path, rows, replaces, records: 0 })
    }

    /// Adds a record of `input`, which begins at byte `at` of the file of the bad ones.
    pub fn record(&mut self, input: &str, record: &BadRecord, at: u64) -> Result<(), SplitError> {
        self.records += u64::from(record.game > 0);
        let input = printable_name(input);
        let ordinal = |is_record: bool, number: u64| if is_record { number.to_string() } else { String::new() };
        let number = ordinal(record.game > 0, self.records);
        let game = ordinal(record.game > 0, record.game);
        let (at, byte) = (at.to_string(), record.start.to_string());
        let start = [&*number, &*at, &*spreadsheet_safe(&input), &*game, &*byte];
        let mut row = |rest: [&str; 6]| {
            let row = start.iter().chain(&rest);
            self.rows.write_record(row).map_err(|error| SplitError::unwritable(&self.path, error.into()))
        };
        if record.findings.is_empty() {
            return row(["", "", "", "", "", NO_RECORD]);
        }
        for finding in &record.findings {
            let name = rule(finding.rule).map_or("", |rule| rule.name);
            let (code, line, column) = (finding.rule.to_string(), finding.line.to_string(), finding.column.to_string());
            let message = printable(&finding.message);
            row([&line, &column, &code, name, finding.severity.as_str(), &spreadsheet_safe(&message)])?;
        }
        Ok(())
    }

    pub fn complete(self) -> Result<Complete, SplitError> {
        let SplitTable { path, rows, replaces, .. } = self;
        let unwritable = |source| SplitError::unwritable(&path, source);
        let file = rows.into_inner().map_err(|error| unwritable(io::Error::other(error.to_string())))?;
        let file = file.into_inner().map_err(|error| unwritable(error.into_error()))?;
        Ok(Complete { file, path, replaces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_next_to_the_bad_records() {
        for (bad, expected) in [("bad.pgn", "bad.pgn.csv"), ("out/bad.pgn.zst", "out/bad.pgn.csv"), ("bad", "bad.csv")] {
            assert_eq!(path_for(Path::new(bad)), Path::new(expected));
        }
    }
}
