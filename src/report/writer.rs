//! The report as the sink of a run.

use std::{
    fmt::{Display, Write as _},
    fs::File,
    io::{self, Write as _},
    path::Path,
};

use super::{
    Asked, COLUMNS, FAILURE_COLUMNS, INPUT_COLUMNS, ReportError, SUMMARY_COLUMNS, Table,
    cell::harmless,
    directory::{RUN_FILE, Unfinished},
    page::{self, Page},
    run::Run,
};
use crate::{
    pipeline::{Excerpt, Failure, InputSummary, RuleSummary, RunSummary, Sink},
    rules::{Finding, RULES},
};

const INPUTS_FILE: &str = "inputs.csv";
const FAILURES_FILE: &str = "failures.csv";
const SUMMARY_FILE: &str = "summary.csv";

/// A report in the making. It becomes one when [`Report::finish`] is called; dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct Report {
    unfinished: Unfinished,
    asked: Asked,
    tables: Vec<CsvFile>,
    inputs: CsvFile,
    failures: CsvFile,
    page: Option<Page>,
    /// The input that failed last: its verdict is still to be written.
    failed: Option<String>,
}

impl Report {
    /// Begins a report that is to stand at `destination`, after a run that was asked for `asked`.
    ///
    /// # Errors
    /// When something stands there that is no report of ours, or nothing can be written beside it. Nothing has changed then.
    pub fn create(destination: &Path, asked: Asked) -> Result<Report, ReportError> {
        let unfinished = Unfinished::create(destination)?;
        let at = unfinished.path();
        let tables =
            Table::ALL.iter().map(|table| CsvFile::create(at, table.file_name(), &COLUMNS)).collect::<Result<Vec<_>, _>>()?;
        let inputs = CsvFile::create(at, INPUTS_FILE, &INPUT_COLUMNS)?;
        let failures = CsvFile::create(at, FAILURES_FILE, &FAILURE_COLUMNS)?;
        let page = asked.html_rows.map(Page::new);
        Ok(Report { asked, tables, inputs, failures, page, failed: None, unfinished })
    }

    /// The directory that holds the report until it is finished, beside the place where it will stand.
    pub fn unfinished(&self) -> &Path {
        self.unfinished.path()
    }

    /// Writes what only the whole run tells, and moves the report to its place.
    ///
    /// # Errors
    /// When a file cannot be written to its end, the report cannot be moved, or the run was interrupted. No report is left then,
    /// and a previous one stays.
    pub fn finish(self, summary: &RunSummary) -> Result<(), ReportError> {
        if summary.interrupted {
            return Err(ReportError::Interrupted);
        }
        let Report { unfinished, asked, tables, inputs, failures, page, failed: _ } = self;
        for file in tables.into_iter().chain([inputs, failures]) {
            file.close()?;
        }
        write_summary(unfinished.path(), summary)?;
        if let Some(page) = page {
            page.write(unfinished.path(), &asked, summary).map_err(|source| ReportError::Write { file: page::FILE, source })?;
        }
        write_run(unfinished.path(), &Run::new(&asked, summary))
            .map_err(|source| ReportError::Write { file: RUN_FILE, source })?;
        unfinished.finish()
    }
}

impl Sink for Report {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let rule = finding.rule;
        let table = Table::of(rule.code.family())
            .and_then(|table| self.tables.get_mut(table as usize))
            .ok_or_else(|| io::Error::other(format!("no table takes findings of {}", rule.code)))?;
        table.row(|row| {
            row.show(rule.code)?;
            row.text(rule.name)?;
            row.text(finding.severity.word())?;
            row.text(input)?;
            row.show(finding.line)?;
            row.show(finding.column)?;
            row.show(finding.place.start)?;
            row.show(finding.place.end)?;
            row.show_some((finding.game > 0).then_some(finding.game))?;
            row.show_some(finding.ply)?;
            row.text(&finding.variation)?;
            row.text(&finding.move_text)?;
            row.text(&finding.found)?;
            row.text(&finding.expected)?;
            row.show_some(finding.cause)?;
            row.text(finding.repair.map(|repair| repair.word()).unwrap_or_default())?;
            row.text(&finding.fen)?;
            row.text(&finding.game_label)?;
            row.text(&finding.message)?;
            row.show(format_args!("{:016x}", finding.fingerprint))
        })
    }

    fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        if let Some(page) = &mut self.page {
            page.example(input, finding, around);
        }
        Ok(())
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        if let Some(page) = &mut self.page {
            page.input(summary);
        }
        let failed = self.failed.take().is_some_and(|name| name == summary.name) || !summary.complete;
        let verdict = match (failed, summary.findings.total()) {
            (true, _) => "failed",
            (false, 0) => "clean",
            (false, _) => "findings",
        };
        self.inputs.row(|row| {
            row.text(&summary.name)?;
            row.text(summary.format.map(|format| format.word()).unwrap_or_default())?;
            row.show(summary.counts.bytes)?;
            row.show(summary.counts.games)?;
            row.show(summary.counts.positions)?;
            row.show(summary.counts.plies)?;
            row.show(summary.counts.plies_not_examined)?;
            row.show(summary.findings.error)?;
            row.show(summary.findings.warning)?;
            row.show(summary.findings.info)?;
            row.text(verdict)
        })
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failed = Some(failure.input.clone());
        if let Some(page) = &mut self.page {
            page.failure(failure);
        }
        self.failures.row(|row| {
            row.text(&failure.input)?;
            row.text(failure.stage)?;
            row.show_some(failure.byte)?;
            row.text(&failure.message)
        })
    }
}

/// A row for each rule, broken or not.
fn write_summary(at: &Path, summary: &RunSummary) -> Result<(), ReportError> {
    let mut file = CsvFile::create(at, SUMMARY_FILE, &SUMMARY_COLUMNS)?;
    for rule in RULES {
        let broken = summary.rules.get(&rule.code);
        let count = |of: fn(&RuleSummary) -> u64| broken.map(of).unwrap_or_default();
        file.row(|row| {
            row.show(rule.code)?;
            row.text(rule.name)?;
            row.text(broken.map_or(rule.severity, |broken| broken.severity).word())?;
            row.show(count(|broken| broken.findings))?;
            row.show(count(|broken| broken.records))?;
            row.show(count(|broken| broken.inputs))?;
            row.text(&per_million(count(|broken| broken.findings), summary.counts.records()))?;
            row.text(broken.map(|broken| broken.first.input.as_str()).unwrap_or_default())?;
            row.show_some(broken.map(|broken| broken.first.line))?;
            row.show_some(broken.map(|broken| broken.first.column))?;
            row.show_some(broken.map(|broken| broken.first.game).filter(|game| *game > 0))
        })
        .map_err(|source| ReportError::Write { file: SUMMARY_FILE, source })?;
    }
    file.close()
}

/// Findings in a million records, to one decimal, rounded half up; without floating point, so that it is the same everywhere.
pub(super) fn per_million(findings: u64, records: u64) -> String {
    if records == 0 {
        return "0.0".to_owned();
    }
    let records = u128::from(records);
    let tenths = (u128::from(findings) * 20_000_000 + records) / (2 * records);
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn write_run(at: &Path, run: &Run<'_>) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(run)?;
    text.push(b'\n');
    let mut file = File::create_new(at.join(RUN_FILE))?;
    file.write_all(&text)?;
    file.sync_all()
}

/// A CSV file with its header.
#[derive(Debug)]
struct CsvFile {
    name: &'static str,
    writer: csv::Writer<File>,
    buffer: String,
}

impl CsvFile {
    fn create(at: &Path, name: &'static str, columns: &[&str]) -> Result<CsvFile, ReportError> {
        let failed = |source| ReportError::Write { file: name, source };
        let file = File::create_new(at.join(name)).map_err(failed)?;
        let mut writer = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(file);
        writer.write_record(columns).map_err(|error| failed(error.into()))?;
        Ok(CsvFile { name, writer, buffer: String::new() })
    }

    /// Writes the row that `fill` fills.
    fn row(&mut self, fill: impl FnOnce(&mut Row<'_>) -> csv::Result<()>) -> io::Result<()> {
        fill(&mut Row { writer: &mut self.writer, buffer: &mut self.buffer })?;
        self.writer.write_record(None::<&[u8]>)?;
        Ok(())
    }

    /// Makes sure that everything has arrived.
    fn close(self) -> Result<(), ReportError> {
        let file = self.writer.into_inner().map_err(|error| error.into_error());
        file.and_then(|file| file.sync_all()).map_err(|source| ReportError::Write { file: self.name, source })
    }
}

/// A row that is being filled, cell by cell.
struct Row<'a> {
    writer: &'a mut csv::Writer<File>,
    buffer: &'a mut String,
}

impl Row<'_> {
    /// A cell of text that may come from an input.
    fn text(&mut self, text: &str) -> csv::Result<()> {
        self.writer.write_field(harmless(text).as_bytes())
    }

    /// A cell of our own: a number or a code.
    fn show(&mut self, value: impl Display) -> csv::Result<()> {
        self.buffer.clear();
        // Writing into a string cannot fail.
        let _ = write!(self.buffer, "{value}");
        self.writer.write_field(self.buffer.as_bytes())
    }

    /// A cell of our own, empty where there is no value.
    fn show_some(&mut self, value: Option<impl Display>) -> csv::Result<()> {
        match value {
            Some(value) => self.show(value),
            None => self.writer.write_field(""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::per_million;

    #[test]
    fn rates_are_rounded_half_up() {
        assert_eq!(per_million(0, 0), "0.0");
        assert_eq!(per_million(1, 1), "1000000.0");
        assert_eq!(per_million(1, 3), "333333.3");
        assert_eq!(per_million(2, 3), "666666.7");
        assert_eq!(per_million(1, 20_000_000), "0.1");
        assert_eq!(per_million(1, 20_000_001), "0.0");
        assert_eq!(per_million(u64::MAX, 1), "18446744073709551615000000.0");
    }
}
