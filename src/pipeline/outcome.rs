//! What a run tells: findings, inputs, failures, totals, and the trait of whoever wants to be told.

use std::{collections::BTreeMap, io};

use serde::Serialize;

use super::Known;
use crate::{
    record::{Counts, Excerpt},
    rules::{Code, Finding, Severity},
    text::Format,
};

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SeverityCounts {
    /// Provably wrong.
    pub error: u64,
    /// Probably wrong.
    pub warning: u64,
    /// Style and hints.
    pub info: u64,
}

impl SeverityCounts {
    /// These without `others`, which are among them.
    pub const fn without(self, others: SeverityCounts) -> SeverityCounts {
        SeverityCounts {
            error: self.error.saturating_sub(others.error),
            warning: self.warning.saturating_sub(others.warning),
            info: self.info.saturating_sub(others.info),
        }
    }

    /// Counts one finding.
    pub fn add(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.error += 1,
            Severity::Warning => self.warning += 1,
            Severity::Info => self.info += 1,
        }
    }

    /// The worst severity that there is.
    pub fn worst(self) -> Option<Severity> {
        Severity::ALL.into_iter().filter(|severity| self.at_least(*severity) > 0).max()
    }

    /// The findings of all severities together.
    pub const fn total(self) -> u64 {
        self.error + self.warning + self.info
    }

    /// The findings of `severity` or worse.
    pub const fn at_least(self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.error + self.warning,
            Severity::Info => self.total(),
        }
    }
}

/// The row of `inputs.csv`.
#[derive(Clone, Debug)]
pub struct InputSummary {
    /// The input's name.
    pub name: String,
    /// What it was read as; `None` where it could not be read.
    pub format: Option<Format>,
    /// What was read.
    pub counts: Counts,
    /// Findings shown, by severity; rows left out by a limit are counted too.
    pub findings: SeverityCounts,
    /// The same by rule.
    pub rules: BTreeMap<Code, u64>,
    /// Whether it was read to its end.
    pub complete: bool,
}

/// The auditor's own failure: never a finding.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The input's name.
    pub input: String,
    /// Byte from which on nothing was audited, where that is known.
    pub byte: Option<u64>,
    /// What was being done: `open`, `read`, `recognise`, `rule`.
    pub stage: &'static str,
    /// What went wrong, and what to do.
    pub message: String,
}

/// The first place at which a rule was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The input's name.
    pub input: String,
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
    /// Ordinal of the record, from 1.
    pub game: u64,
}

/// The row of `summary.csv`: what a run found of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSummary {
    /// Findings, those left out by a limit included.
    pub findings: u64,
    /// The same by severity.
    pub by_severity: SeverityCounts,
    /// The worst severity among them.
    pub severity: Severity,
    /// Records with at least one.
    pub records: u64,
    /// Inputs with at least one.
    pub inputs: u64,
    /// Where the first one is.
    pub first: Place,
    /// Those of the findings that were not known before, by severity.
    pub new: SeverityCounts,
    /// Where the first one of these is.
    pub first_new: Option<Place>,
}

/// What a run found, as a whole.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    /// What was read, over all inputs.
    pub counts: Counts,
    /// Inputs audited, in part or in whole.
    pub inputs: u64,
    /// Findings shown, by severity.
    pub findings: SeverityCounts,
    /// Those of them that were known already.
    pub known: SeverityCounts,
    /// Known findings that were not met.
    pub unmet: Known,
    /// Records with at least one finding.
    pub records_with_findings: u64,
    /// The rules that were broken.
    pub rules: BTreeMap<Code, RuleSummary>,
    /// Rules that are selected and could not run, because what they need was not given.
    pub not_run: Vec<Code>,
    /// How often the auditor itself failed.
    pub failures: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Whoever wants to be told what a run finds. Everything comes in the order of the inputs, and within an input in the order of
/// its bytes; findings about the whole of an input come last.
pub trait Sink {
    /// One finding.
    ///
    /// # Errors
    /// When it cannot be written down; the run stops.
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()>;

    /// One of the first findings of its rule and severity in this input, of those that are known or of the others, shown or left
    /// out by a limit; `around` is what stands around it, where that is known. It is told just before the finding itself. A sink that wants no examples need not do anything.
    ///
    /// # Errors
    /// When it cannot be noted; the run stops.
    fn example(&mut self, _input: &str, _finding: &Finding, _around: Option<&Excerpt>) -> io::Result<()> {
        Ok(())
    }

    /// An input has been read to its end, or as far as that was possible.
    ///
    /// # Errors
    /// When it cannot be written down; the run stops.
    fn input(&mut self, summary: &InputSummary) -> io::Result<()>;

    /// The auditor failed.
    ///
    /// # Errors
    /// When it cannot be written down; the run stops.
    fn failure(&mut self, failure: &Failure) -> io::Result<()>;
}

/// Is told how far a run has come; every method may be called from any thread.
pub trait Progress: Sync {
    /// So many bytes more were audited, holding these records.
    fn advanced(&self, counts: Counts);

    /// So many findings more were reported.
    fn found(&self, findings: u64);
}

/// Nobody watches.
impl Progress for () {
    fn advanced(&self, _: Counts) {}

    fn found(&self, _: u64) {}
}
