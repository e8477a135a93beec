//! Findings printed to a stream, for pipes, editors and CI systems.

mod finding_record;
mod github;
mod gitlab;
mod junit;
mod sarif;

use std::{
    fs::File,
    io::{self, Write},
};

use self::{github::Annotations, gitlab::CodeQuality, junit::TestSuites, sarif::Log};
use crate::{
    format::{COLUMNS, csv_file::Rows, write_json},
    pipeline::{Failure, InputSummary, RunSummary, Sink},
    rules::Finding,
    text::wording::{printable, printable_name},
};

pub use finding_record::FindingRecord;

/// The format of printed findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamFormat {
    /// One table with the columns of the report.
    Csv,
    /// One JSON object per line. Its keys are the columns of the report.
    Jsonl,
    /// One line per finding, as compilers print them: place, severity, code and message.
    Text,
    /// SARIF 2.1.0, the interchange format of static analysis tools.
    Sarif,
    /// Workflow commands, which GitHub shows as annotations.
    Github,
    /// A code quality report of GitLab.
    Gitlab,
    /// JUnit XML, which most CI systems show as tests.
    Junit,
}

impl StreamFormat {
    /// All formats.
    pub const ALL: [StreamFormat; 7] = [
        StreamFormat::Csv,
        StreamFormat::Jsonl,
        StreamFormat::Text,
        StreamFormat::Sarif,
        StreamFormat::Github,
        StreamFormat::Gitlab,
        StreamFormat::Junit,
    ];

    /// The value on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            StreamFormat::Csv => "csv",
            StreamFormat::Jsonl => "jsonl",
            StreamFormat::Text => "text",
            StreamFormat::Sarif => "sarif",
            StreamFormat::Github => "github",
            StreamFormat::Gitlab => "gitlab",
            StreamFormat::Junit => "junit",
        }
    }
}

/// Writes new findings to a stream. Findings in the baseline are skipped.
#[derive(Debug)]
pub struct Stream<W: Write> {
    writer: Writer<W>,
}

#[derive(Debug)]
enum Writer<W: Write> {
    Csv(Box<Rows<W>>),
    Jsonl(W),
    Text(W),
    Sarif(Log<W>),
    Github(Annotations<W>),
    Gitlab(CodeQuality<W>),
    Junit(TestSuites<W>),
}

impl<W: Write> Stream<W> {
    /// Writes the start of the stream.
    pub fn begin(to: W, format: StreamFormat) -> io::Result<Stream<W>> {
        let writer = match format {
            StreamFormat::Csv => Writer::Csv(Box::new(Rows::begin(to, &COLUMNS))),
            StreamFormat::Jsonl => Writer::Jsonl(to),
            StreamFormat::Text => Writer::Text(to),
            StreamFormat::Sarif => Writer::Sarif(Log::begin(to)?),
            StreamFormat::Github => Writer::Github(Annotations::begin(to)),
            StreamFormat::Gitlab => Writer::Gitlab(CodeQuality::begin(to)?),
            StreamFormat::Junit => Writer::Junit(TestSuites::begin(to)?),
        };
        Ok(Stream { writer })
    }

    /// Lists the annotations that GitHub does not show in `to`, the file for the summary of the
    /// step. Other formats do not need it.
    #[must_use]
    pub fn with_step_summary(mut self, to: File) -> Stream<W> {
        if let Writer::Github(annotations) = &mut self.writer {
            annotations.set_step_summary(to);
        }
        self
    }

    /// Writes the end of the stream.
    pub fn finish(self, summary: &RunSummary) -> io::Result<()> {
        match self.writer {
            Writer::Csv(rows) => rows.end()?.flush(),
            Writer::Jsonl(mut to) | Writer::Text(mut to) => to.flush(),
            Writer::Sarif(log) => log.finish(summary),
            Writer::Github(annotations) => annotations.finish(),
            Writer::Gitlab(report) => report.finish(),
            Writer::Junit(suites) => suites.finish(),
        }
    }
}

impl<W: Write> Sink for Stream<W> {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        if finding.known {
            return Ok(());
        }
        match &mut self.writer {
            Writer::Csv(rows) => rows.row(|row| row.finding(input, finding)),
            Writer::Jsonl(to) => {
                write_json(&mut *to, &FindingRecord::new(input, finding))?;
                to.write_all(b"\n")
            }
            Writer::Text(to) => {
                let Finding { rule, severity, line, column, message, .. } = finding;
                let (input, message) = (printable_name(input), printable(message));
                writeln!(to, "{input}:{line}:{column}: {severity} {} {message}", rule.code)
            }
            Writer::Sarif(log) => log.finding(input, finding),
            Writer::Github(annotations) => annotations.finding(input, finding),
            Writer::Gitlab(report) => report.finding(input, finding),
            Writer::Junit(suites) => suites.finding(input, finding),
        }
    }

    fn input(&mut self, input: &InputSummary) -> io::Result<()> {
        match &mut self.writer {
            Writer::Junit(suites) => suites.input(&input.name),
            _ => Ok(()),
        }
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        match &mut self.writer {
            Writer::Csv(_) | Writer::Jsonl(_) | Writer::Text(_) => Ok(()),
            Writer::Sarif(log) => {
                log.failure(failure);
                Ok(())
            }
            Writer::Github(annotations) => annotations.failure(failure),
            Writer::Gitlab(report) => report.failure(failure),
            Writer::Junit(suites) => suites.failure(failure),
        }
    }
}
