//! What the page will show, collected during the run. Its size is bounded.

use std::{cmp::Reverse, collections::BTreeMap, io};

use rustc_hash::FxHashMap;

use super::{data::Data, example::Example};
use crate::format::{RunSettings, csv_file::proposal_evidence};
use crate::{
    identity::{PlayerSpelling, SameBecause},
    pipeline::{Failure, InputSummary},
    record::{Excerpt, is_reported_once},
    rules::{Code, Finding, Severity},
    text::wording::printable,
};

/// Maximum number of inputs in charts: those with the most findings.
const MAX_INPUTS: usize = 30;

/// The size of the page in bytes, unless [`RunSettings::html_size`] is set.
const DEFAULT_SIZE: u64 = 10_000_000;

/// Maximum number of audit failures on the page.
const MAX_FAILURES: usize = 20;

/// Maximum number of proposals for names on the page.
const MAX_NAMES: usize = 500;

/// Maximum length of a name there, in bytes.
const MAX_NAME: usize = 200;

/// The order of examples: in the baseline or not, number in the input, number of the input.
pub type Rank = (bool, u64, u64);

/// What is proposed for a spelling of a name, for people.
#[derive(Debug)]
pub(super) struct ProposedName {
    pub main: String,
    pub years: String,
    pub ratings: String,
    pub evidence: String,
}

/// The content of the page, collected during the run. Its size is bounded.
#[derive(Debug)]
pub struct Page {
    /// Maximum number of bytes.
    pub(super) size: u64,
    /// Maximum number of examples per rule and severity.
    pub(super) rows: usize,
    /// All findings, for the script.
    pub(super) data: Data,
    /// The rule and the first byte of the last example, and the text around it.
    pub(super) around: Option<(Code, usize, Excerpt)>,
    /// The input of the last example, and its number.
    pub(super) input: (String, u64),
    /// The name of the first input.
    pub(super) first_input: String,
    /// What the names of all inputs begin with, up to a slash; `None` before the first one.
    pub(super) prefix: Option<String>,
    /// Number of examples in the current input by rule, severity and whether they are in the
    /// baseline.
    pub(super) seen: FxHashMap<(Code, Severity, bool), u64>,
    /// Examples per rule and severity: new ones first, then the first ones of every input.
    pub(super) examples: BTreeMap<(Code, Severity), BTreeMap<Rank, Example>>,
    /// The inputs with the most findings, by number of findings and number of the input.
    pub(super) inputs: BTreeMap<(Reverse<u64>, u64), InputSummary>,
    pub(super) inputs_seen: u64,
    pub(super) inputs_with_findings: u64,
    /// Inputs that were read completely and have no findings.
    pub(super) inputs_clean: u64,
    /// The input of the last failure.
    pub(super) failed: Option<String>,
    pub(super) failures: Vec<Failure>,
    /// The spellings of names with the most games for which another one is proposed, and their
    /// number.
    pub(super) names: BTreeMap<(Reverse<u64>, String), ProposedName>,
    pub(super) names_seen: u64,
    /// What was done with the corpus before: names of steps, and a sentence about each.
    pub(super) steps: Vec<(String, String)>,
}

impl Page {
    /// The page of a run with these settings, or `None` if no page is wanted.
    pub fn new(settings: &RunSettings) -> Option<Page> {
        let size = settings.html_size.unwrap_or(DEFAULT_SIZE);
        settings.html_rows.map(|rows| Page {
            size,
            rows: usize::try_from(rows).unwrap_or(usize::MAX),
            data: Data::new(size),
            around: None,
            input: (String::new(), 0),
            first_input: String::new(),
            prefix: None,
            seen: FxHashMap::default(),
            examples: BTreeMap::new(),
            inputs: BTreeMap::new(),
            inputs_seen: 0,
            inputs_with_findings: 0,
            inputs_clean: 0,
            failed: None,
            failures: Vec::new(),
            names: BTreeMap::new(),
            names_seen: 0,
            steps: Vec::new(),
        })
    }

    /// Keeps a finding if it ranks among the first of its rule. Of a fault that several inputs
    /// share, the first finding is enough.
    pub fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) {
        self.around = around.map(|around| (finding.rule.code, finding.place.start, around.clone()));
        if self.input.0 != input {
            self.input = (input.to_owned(), self.input.1 + 1);
            self.seen.clear();
        }
        let kept = self.examples.entry((finding.rule.code, finding.severity)).or_default();
        if is_reported_once(finding) && kept.values().any(|kept| kept.fingerprint == finding.fingerprint) {
            return;
        }
        let ordinal = self.seen.entry((finding.rule.code, finding.severity, finding.known)).or_insert(0);
        let key = (finding.known, *ordinal, self.input.1);
        *ordinal += 1;
        if kept.len() >= self.rows {
            match kept.last_entry() {
                Some(last) if *last.key() > key => drop(last.remove()),
                _ => return,
            }
        }
        kept.insert(key, Example::new(input, finding, around));
    }

    /// Adds a finding, after its example if it is one.
    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        // An example is no finding if there are too many rows.
        let is_of_example = |of: &(Code, usize, Excerpt)| (of.0, of.1) == (finding.rule.code, finding.place.start);
        let around = self.around.take().filter(|of| is_of_example(of) && self.input.0 == input);
        self.data.add(input, finding, around.as_ref().map(|(.., around)| around))
    }

    /// Keeps a proposal for a name if it is one of those with the most games.
    pub fn name_proposal(&mut self, spelling: &PlayerSpelling, main: &str, because: Option<SameBecause>) {
        self.names_seen += 1;
        let is_plain = |text: &str| text.len() <= MAX_NAME && printable(text) == text;
        if !is_plain(&spelling.text) || !is_plain(main) {
            return;
        }
        let range = |(first, last): (u16, u16)| if first == last { first.to_string() } else { format!("{first}–{last}") };
        let proposed = ProposedName {
            main: main.to_owned(),
            years: spelling.years.map(range).unwrap_or_default(),
            ratings: spelling.ratings.map(range).unwrap_or_default(),
            evidence: proposal_evidence(because),
        };
        self.names.insert((Reverse(spelling.games), spelling.text.clone()), proposed);
        if self.names.len() > MAX_NAMES {
            self.names.pop_last();
        }
    }

    /// Records the summary of the current input.
    pub fn input(&mut self, summary: &InputSummary) {
        match &mut self.prefix {
            Some(prefix) => shorten_to_common(prefix, &summary.name),
            None => {
                self.first_input.clone_from(&summary.name);
                self.prefix = Some(directory(&summary.name).to_owned());
            }
        }
        let findings = summary.findings.total();
        let has_failed = self.failed.take().is_some_and(|name| name == summary.name) || !summary.complete;
        self.inputs_clean += u64::from(findings == 0 && !has_failed && !summary.is_not_chess);
        if findings > 0 {
            self.inputs_with_findings += 1;
            self.inputs.insert((Reverse(findings), self.inputs_seen), summary.clone());
            if self.inputs.len() > MAX_INPUTS {
                self.inputs.pop_last();
            }
        }
        self.inputs_seen += 1;
    }

    /// Sets what was done with the corpus before.
    pub fn set_steps(&mut self, steps: Vec<(String, String)>) {
        self.steps = steps;
    }

    /// Records an audit failure.
    pub fn failure(&mut self, failure: &Failure) {
        self.failed = Some(failure.input.clone());
        if self.failures.len() < MAX_FAILURES {
            self.failures.push(failure.clone());
        }
    }
}

/// The name up to its last slash.
fn directory(name: &str) -> &str {
    &name[..name.rfind('/').map_or(0, |slash| slash + 1)]
}

/// Shortens `prefix` to the directories that `name` begins with too.
fn shorten_to_common(prefix: &mut String, name: &str) {
    while !name.starts_with(prefix.as_str()) {
        prefix.pop();
        prefix.truncate(directory(prefix).len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_directories_end_with_a_slash() {
        let common = |names: &[&str]| {
            let mut prefix = directory(names[0]).to_owned();
            names.iter().for_each(|name| shorten_to_common(&mut prefix, name));
            prefix
        };
        assert_eq!(common(&["a/b/c.pgn"]), "a/b/");
        assert_eq!(common(&["a/b/c.pgn", "a/bc/d.pgn"]), "a/");
        assert_eq!(common(&["a/b/c.pgn", "a/b/d/e.pgn", "a/b/f.pgn"]), "a/b/");
        assert_eq!(common(&["/a/b.pgn", "c.pgn"]), "");
        assert_eq!(common(&["c.pgn"]), "");
    }
}
