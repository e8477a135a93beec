//! An input that is being reported: what is known of it, what was read of it, and what waits for
//! its end.

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::{
    deferred::Deferred,
    reported::{Records, Reported},
};
use crate::{
    corpus::{Input, Watch, has_chess_name},
    pipeline::{InputSummary, Settings, bad_records::Division, suppression::left_out},
    record::{Counts, Evidence, Portrait},
    rules::{
        Code, CodeSet, Finding, Severity,
        aggregate::{Aggregate, Offset},
    },
    text::Format,
};

/// What is known of an input before its records are read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::pipeline) struct InputDescription {
    /// Its name in reports.
    pub name: String,
    /// The format in which it is read, if it can be read.
    pub format: Option<Format>,
    /// Whether it was found by a search.
    pub scanned: bool,
    /// Whether it is reported as not chess if it contains none: it was found by a search, or its
    /// format was not set.
    pub may_lack_chess: bool,
    /// Whether its text was converted from UTF-16.
    pub is_converted: bool,
    /// Rules that are excepted for it, once they were asked for.
    #[serde(skip)]
    left_out: OnceCell<Box<CodeSet>>,
}

impl InputDescription {
    /// Whether it was found by a search, and its name does not say that it contains chess.
    pub fn has_any_name(&self) -> bool {
        self.scanned && !has_chess_name(&self.name)
    }

    /// The severity with which its findings of a rule are shown that have this one by themselves;
    /// `None` if they are not shown.
    pub fn severity_shown(&self, settings: &Settings, rule: Code, severity: Severity) -> Option<Severity> {
        let left_out = self.left_out.get_or_init(|| left_out(&settings.exceptions, settings.known_name(&self.name)).into());
        settings.selection.severity_shown(rule, severity).filter(|_| !left_out.contains(rule))
    }

    /// Whether the user wants to see the finding. Sets its severity.
    pub fn admits(&self, settings: &Settings, finding: &mut Finding) -> bool {
        let severity = self.severity_shown(settings, finding.rule.code, finding.severity);
        finding.severity = severity.unwrap_or(finding.severity);
        severity.is_some()
    }
}

/// The file of an input, which may change while it is read.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct WatchedFile {
    /// Its size when it was opened, or that of the archive that contains it, if known.
    pub size: Option<u64>,
    /// Shows whether it changed since it was opened.
    pub watch: Option<Watch>,
    /// Whether a change was noted. Nothing is reported after it.
    pub has_changed: bool,
}

impl WatchedFile {
    /// How it changed, if that was not noted before.
    pub fn new_change(&mut self) -> Option<String> {
        let change = self.watch.as_ref().filter(|_| !self.has_changed)?.change()?;
        self.has_changed = true;
        Some(change.to_string())
    }
}

/// What was read of an input so far.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct ReadSoFar {
    pub counts: Counts,
    pub lines: u64,
    pub portrait: Portrait,
    pub evidence: Evidence,
    /// Whether it is read as Chess960, once that is known.
    pub is_chess960: bool,
    /// What was collected for rules about the whole input; empty before the first chunk.
    pub aggregates: Vec<Box<dyn Aggregate>>,
}

impl ReadSoFar {
    /// What precedes the next part.
    pub const fn offset(&self) -> Offset {
        Offset { lines: self.lines, records: self.counts.records() }
    }
}

/// An input that is being reported.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct OpenInput {
    pub about: InputDescription,
    pub file: WatchedFile,
    pub read: ReadSoFar,
    pub deferred: Deferred,
    pub reported: Reported,
    /// What shows which of its records are bad, if that is asked for.
    pub division: Option<Box<Division>>,
}

impl OpenInput {
    /// An input, read in `format` if it can be read.
    pub fn of(input: &Input, format: Option<Format>) -> Box<OpenInput> {
        let (name, scanned) = (input.name.clone(), input.scanned);
        let may_lack_chess = scanned || input.format.is_none();
        OpenInput::described(InputDescription { name, format, scanned, may_lack_chess, ..InputDescription::default() }).into()
    }

    /// The input with this name, or a text in memory.
    pub fn named(name: &str, format: Option<Format>) -> OpenInput {
        OpenInput::described(InputDescription { name: name.to_owned(), format, ..InputDescription::default() })
    }

    /// An input that was opened elsewhere.
    pub fn described(about: InputDescription) -> OpenInput {
        OpenInput { about, ..OpenInput::default() }
    }

    /// Whether it was read completely, but contains no chess.
    pub fn lacks_chess(&self) -> bool {
        let InputDescription { may_lack_chess, .. } = self.about;
        !self.reported.has_failed && may_lack_chess && self.read.evidence.is_foreign(self.about.has_any_name())
    }

    /// Its summary, and the records with findings.
    pub fn into_summary(self) -> (InputSummary, Records) {
        let OpenInput {
            about: InputDescription { name, format, .. }, read: ReadSoFar { counts, is_chess960, .. }, reported, ..
        } = self;
        let Reported { findings, has_failed, is_not_chess, .. } = reported;
        let (rules, records) = reported.into_totals();
        let rules = rules.collect();
        (InputSummary { name, format, counts, findings, rules, complete: !has_failed, is_not_chess, is_chess960 }, records)
    }
}
