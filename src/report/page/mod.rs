//! `report.html`: a report that people read. One file that needs no other and no network.
//!
//! Whatever comes from an input is cut to a bounded length, shown with characters that a browser would obey escaped, and escaped
//! once more as HTML by the templates. No script but our own is run: its hash is in the page's security policy.

mod board;
mod example;
mod view;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use askama::Template;
use rustc_hash::FxHashMap;

use self::{example::Example, view::ReportPage};
use super::Asked;
use crate::{
    pipeline::{Failure, InputSummary, RunSummary},
    record::Excerpt,
    rules::{Code, Finding, Severity},
};

/// The name of the page in the report.
pub(super) const FILE: &str = "report.html";

/// So many inputs can be chosen, those with the most findings.
const MAX_INPUTS: usize = 100;

/// So many failures are told.
const MAX_FAILURES: usize = 20;

/// How soon an example is shown: whether it is known, how severe it is, its ordinal in its input, and the ordinal of that.
type Rank = (bool, Reverse<Severity>, u64, u64);

/// What the page shows of a run, collected while it lasts: memory is bounded by the number of rules, whatever is audited.
#[derive(Debug)]
pub(super) struct Page {
    /// At most so many examples of each rule.
    rows: usize,
    /// Ordinal of the input that is being audited.
    input: u64,
    /// How many examples of a rule and severity that input has had, those that are known apart.
    seen: FxHashMap<(Code, Severity, bool), u64>,
    /// Examples of each rule: new ones before those that are known, errors before warnings, the first ones of every input before
    /// the second ones.
    examples: BTreeMap<Code, BTreeMap<Rank, Example>>,
    /// The inputs with the most findings, by their number and by the ordinal of the input.
    inputs: BTreeMap<(Reverse<u64>, u64), InputSummary>,
    inputs_with_findings: u64,
    failures: Vec<Failure>,
}

impl Page {
    /// A page with at most so many findings of each rule.
    pub fn new(rows: u64) -> Page {
        Page {
            rows: usize::try_from(rows).unwrap_or(usize::MAX),
            input: 0,
            seen: FxHashMap::default(),
            examples: BTreeMap::new(),
            inputs: BTreeMap::new(),
            inputs_with_findings: 0,
            failures: Vec::new(),
        }
    }

    /// Takes one of the first findings of its rule in its input, or leaves it.
    pub fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) {
        let ordinal = self.seen.entry((finding.rule.code, finding.severity, finding.known)).or_insert(0);
        let key = (finding.known, Reverse(finding.severity), *ordinal, self.input);
        *ordinal += 1;
        let kept = self.examples.entry(finding.rule.code).or_default();
        if kept.len() >= self.rows {
            match kept.last_entry() {
                Some(last) if *last.key() > key => drop(last.remove()),
                _ => return,
            }
        }
        kept.insert(key, Example::new(self.input, input, finding, around));
    }

    /// An input has been audited.
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

    /// The audit failed.
    pub fn failure(&mut self, failure: &Failure) {
        if self.failures.len() < MAX_FAILURES {
            self.failures.push(failure.clone());
        }
    }

    /// Writes the page into the directory of the report.
    pub fn write(self, at: &Path, asked: &Asked, summary: &RunSummary) -> io::Result<()> {
        let page = ReportPage::new(self, asked, summary);
        let mut file = BufWriter::new(File::create_new(at.join(FILE))?);
        page.write_into(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()
    }
}
