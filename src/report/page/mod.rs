//! `report.html`: a self-contained page for people, which needs no network.
//!
//! Text from inputs is limited in length, its invisible characters are escaped, and the templates
//! escape it as HTML. The content security policy allows only the script with our hash.

mod board;
mod diff;
mod example;
mod trend;
mod view;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, IntoInnerError},
    path::Path,
};

use askama::Template;
use rustc_hash::FxHashMap;

pub use self::diff::DiffPage;
use self::{example::Example, view::ReportPage};
use super::{RunSettings, files::PAGE_FILE, trend::Trend};
use crate::{
    pipeline::{Failure, InputSummary, RunSummary},
    record::{Excerpt, is_reported_once},
    rules::{Code, Finding, Severity},
};

/// Maximum number of inputs in the filter: those with the most findings.
const MAX_INPUTS: usize = 100;

/// Maximum number of audit failures on the page.
const MAX_FAILURES: usize = 20;

/// The order of examples: in the baseline or not, number in the input, number of the input.
type Rank = (bool, u64, u64);

/// The content of the page, collected during the run. Its size is bounded by the number of rules.
#[derive(Debug)]
pub(super) struct Page {
    /// Maximum number of examples per rule and severity.
    rows: usize,
    /// Number of the current input.
    input: u64,
    /// Number of examples in the current input by rule, severity and whether they are in the
    /// baseline.
    seen: FxHashMap<(Code, Severity, bool), u64>,
    /// Examples per rule and severity: new ones first, then the first ones of every input.
    examples: BTreeMap<(Code, Severity), BTreeMap<Rank, Example>>,
    /// The inputs with the most findings, by number of findings and number of the input.
    inputs: BTreeMap<(Reverse<u64>, u64), InputSummary>,
    inputs_with_findings: u64,
    failures: Vec<Failure>,
    /// The last nights.
    trend: Option<Trend>,
}

impl Page {
    /// A page with at most `rows` findings per rule, or `None` if no page is wanted.
    pub fn new(rows: Option<u64>) -> Option<Page> {
        rows.map(|rows| Page {
            rows: usize::try_from(rows).unwrap_or(usize::MAX),
            input: 0,
            seen: FxHashMap::default(),
            examples: BTreeMap::new(),
            inputs: BTreeMap::new(),
            inputs_with_findings: 0,
            failures: Vec::new(),
            trend: None,
        })
    }

    /// Keeps a finding if it ranks among the first of its rule. Of a fault that several inputs
    /// share, the first finding is enough.
    pub fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) {
        let kept = self.examples.entry((finding.rule.code, finding.severity)).or_default();
        if is_reported_once(finding) && kept.values().any(|kept| kept.fingerprint == finding.fingerprint) {
            return;
        }
        let ordinal = self.seen.entry((finding.rule.code, finding.severity, finding.known)).or_insert(0);
        let key = (finding.known, *ordinal, self.input);
        *ordinal += 1;
        if kept.len() >= self.rows {
            match kept.last_entry() {
                Some(last) if *last.key() > key => drop(last.remove()),
                _ => return,
            }
        }
        kept.insert(key, Example::new(self.input, input, finding, around));
    }

    /// Records the summary of the current input.
    pub fn input(&mut self, summary: &InputSummary) {
        let findings = summary.findings.total();
        if findings > 0 {
            self.inputs_with_findings += 1;
            self.inputs.insert((Reverse(findings), self.input), summary.clone());
            if self.inputs.len() > MAX_INPUTS {
                self.inputs.pop_last();
            }
        }
        self.input += 1;
        self.seen.clear();
    }

    /// Sets how the findings have changed in the last nights.
    pub fn set_trend(&mut self, trend: Trend) {
        self.trend = Some(trend);
    }

    /// Records an audit failure.
    pub fn failure(&mut self, failure: &Failure) {
        if self.failures.len() < MAX_FAILURES {
            self.failures.push(failure.clone());
        }
    }

    /// Writes the page to the directory of the report. Returns its file.
    pub fn write(self, at: &Path, settings: &RunSettings, summary: &RunSummary) -> io::Result<File> {
        let page = ReportPage::new(self, settings, summary);
        let mut file = BufWriter::new(File::create_new(at.join(PAGE_FILE))?);
        page.write_into(&mut file)?;
        file.into_inner().map_err(IntoInnerError::into_error)
    }
}
