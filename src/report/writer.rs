//! The report as the sink of a run.

use std::{
    fs::File,
    io::{self, Write as _},
    path::Path,
};

use super::{
    Asked, COLUMNS, FAILURE_COLUMNS, INPUT_COLUMNS, ReportError, SUMMARY_COLUMNS, Table,
    csv_file::CsvFile,
    directory::{RUN_FILE, Unfinished},
    page::{self, Page},
    run::Run,
};
use crate::{
    pipeline::{Failure, InputSummary, RuleSummary, RunSummary, Sink},
    record::Excerpt,
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
        let code = finding.rule.code;
        let table = Table::of(code.family())
            .and_then(|table| self.tables.get_mut(table as usize))
            .ok_or_else(|| io::Error::other(format!("no table takes findings of {code}")))?;
        table.row(|row| row.finding(input, finding))
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
            row.text(summary.format.map(|format| format.as_str()).unwrap_or_default())?;
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
        // That nothing was found cannot be said of a rule that was not run.
        let run = !summary.not_run.contains(&rule.code);
        let ran = |count: u64| run.then_some(count);
        file.row(|row| {
            row.show(rule.code)?;
            row.text(rule.name)?;
            row.text(broken.map_or(rule.severity, |broken| broken.severity).as_str())?;
            row.show_some(ran(count(|broken| broken.findings)))?;
            row.show_some(ran(count(|broken| broken.records)))?;
            row.show_some(ran(count(|broken| broken.inputs)))?;
            let per_million = per_million(count(|broken| broken.findings), summary.counts.records());
            row.text(if run { &per_million } else { "" })?;
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
