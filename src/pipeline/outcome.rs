//! Results of a run: findings, inputs, failures, totals, and the trait of the sink that receives
//! them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    io,
};

use schemars::JsonSchema;
use serde::Serialize;

use super::{BadRecord, CertifiedPosition, DividedInput, Known};
use crate::{
    corpus::Skipped,
    identity::{CardBytes, Copies, GamePlace, Player},
    record::{Counts, Excerpt, Portrait},
    rules::{Certainty, Code, Finding, Severity},
    text::Format,
};

/// Number of findings of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SeverityCounts {
    /// Provably wrong.
    pub error: u64,
    /// Probably wrong.
    pub warning: u64,
    /// Style and hints.
    pub info: u64,
}

impl SeverityCounts {
    /// These counts minus `others`, which are included in them.
    pub const fn without(self, others: SeverityCounts) -> SeverityCounts {
        SeverityCounts {
            error: self.error.saturating_sub(others.error),
            warning: self.warning.saturating_sub(others.warning),
            info: self.info.saturating_sub(others.info),
        }
    }

    /// Counts one finding.
    pub fn add(&mut self, severity: Severity) {
        self.add_many(severity, 1);
    }

    /// Counts several findings.
    pub fn add_many(&mut self, severity: Severity, findings: u64) {
        match severity {
            Severity::Error => self.error += findings,
            Severity::Warning => self.warning += findings,
            Severity::Info => self.info += findings,
        }
    }

    /// Adds other counts.
    pub const fn add_all(&mut self, others: SeverityCounts) {
        self.error += others.error;
        self.warning += others.warning;
        self.info += others.info;
    }

    /// Number of findings of all severities.
    pub const fn total(self) -> u64 {
        self.error + self.warning + self.info
    }

    /// Number of findings of `severity` or higher.
    pub const fn at_least(self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.error,
            Severity::Warning => self.error + self.warning,
            Severity::Info => self.total(),
        }
    }
}

/// Number of repairs: those that a list of them has, a row each. Those of findings that are
/// reported once per input count for each place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairCounts {
    /// Proven repairs.
    pub certain: u64,
    /// Probable repairs.
    pub likely: u64,
}

impl RepairCounts {
    /// Counts repairs.
    pub const fn add(&mut self, certainty: Option<Certainty>, times: u64) {
        match certainty {
            Some(Certainty::Certain) => self.certain += times,
            Some(Certainty::Likely) => self.likely += times,
            None => {}
        }
    }
}

/// The row of `inputs.csv`.
#[derive(Clone, Debug)]
pub struct InputSummary {
    /// The input's name.
    pub name: String,
    /// The format it was read as; `None` if it could not be read.
    pub format: Option<Format>,
    /// What was read.
    pub counts: Counts,
    /// Findings shown, by severity, including rows beyond a limit.
    pub findings: SeverityCounts,
    /// Findings by rule and severity.
    pub rules: BTreeMap<(Code, Severity), u64>,
    /// Whether it was read to its end.
    pub complete: bool,
    /// Whether it was found by a search and contains no chess.
    pub is_not_chess: bool,
    /// Whether it was read as Chess960: the user said so, or most of its records are.
    pub is_chess960: bool,
}

/// A failure of the auditor itself: never a finding.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The input's name.
    pub input: String,
    /// Byte from which nothing was checked, if known.
    pub byte: Option<u64>,
    /// What was being done: `open`, `read`, `recognise`, `rule`, `oracle`, `report`.
    pub stage: &'static str,
    /// What went wrong, and what to do.
    pub message: String,
}

/// The first place at which a rule was broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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

/// The row of `summary.csv`: what a run found for one rule with one severity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleSummary {
    /// Number of findings, including rows beyond a limit.
    pub findings: u64,
    /// Number of records with at least one.
    pub records: u64,
    /// Number of inputs with at least one.
    pub inputs: u64,
    /// Number of places, including those of findings that are reported once per input.
    pub places: u64,
    /// Where the first one is.
    pub first: Place,
    /// Number of findings that were not known before.
    pub new: u64,
    /// Where the first new one is.
    pub first_new: Option<Place>,
}

/// A fault that is reported once per input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedFault {
    /// Number of places, over all inputs.
    pub places: u64,
    /// Number of inputs.
    pub inputs: u64,
}

/// What was found when all games of a run were compared with each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CopySummary {
    /// Number of groups of copies.
    pub clusters: u64,
    /// Number of copies that need not be kept.
    pub copies: u64,
    /// Number of copies that contradict another one, so that a person has to find out which is
    /// right.
    pub to_check: u64,
    /// Number of games with too few plies to be told from others.
    pub short_games: u64,
    /// Number of groups of games that were not all compared with each other, because too many share
    /// an opening and a surname, a pairing and a year, or the moves.
    pub groups_not_compared: u64,
    /// Number of games in these groups that were not compared with all others.
    pub games_not_compared: u64,
    /// Number of pairs of games that were not compared.
    pub pairs_not_compared: u64,
    /// For each pair of inputs with copies of the same games, in the order of their names: how many
    /// games both have.
    #[serde(skip)]
    pub overlap: BTreeMap<(String, String), u64>,
}

impl CopySummary {
    /// `to_check` copies contradict another one.
    pub(super) fn of(copies: &Copies, to_check: u64) -> CopySummary {
        let mut overlap = BTreeMap::new();
        for ((one, other), games) in &copies.overlap {
            let (one, other) = (copies.input(*one).to_owned(), copies.input(*other).to_owned());
            *overlap.entry(if one < other { (one, other) } else { (other, one) }).or_insert(0) += games;
        }
        CopySummary {
            clusters: copies.clusters,
            copies: copies.surplus.saturating_sub(to_check),
            to_check,
            short_games: copies.short_games,
            groups_not_compared: copies.not_compared.groups,
            games_not_compared: copies.not_compared.games,
            pairs_not_compared: copies.not_compared.pairs,
            overlap,
        }
    }
}

/// What a run found, as a whole.
#[derive(Clone, Debug, Default)]
pub struct RunSummary {
    /// What was read, over all inputs.
    pub counts: Counts,
    /// Its games by their properties, if they are counted.
    pub portrait: Portrait,
    /// Number of inputs checked, in part or in whole.
    pub inputs: u64,
    /// Number of inputs found by a search that contain no chess.
    pub not_chess: u64,
    /// Files that were skipped on purpose.
    pub skipped: Skipped,
    /// Findings shown, by severity.
    pub findings: SeverityCounts,
    /// Findings with a repair.
    pub repairs: RepairCounts,
    /// Findings among them that were already known.
    pub known: SeverityCounts,
    /// Known findings that were not found again.
    pub unmet: Known,
    /// Number of records with at least one finding.
    pub records_with_findings: u64,
    /// The rules that were broken, by the severity of their findings.
    pub rules: BTreeMap<(Code, Severity), RuleSummary>,
    /// Faults that are reported once per input, by the fingerprint of their findings. Only the
    /// first ones are counted.
    pub shared: BTreeMap<u64, SharedFault>,
    /// Selected rules that could not run because what they need was not given.
    pub not_run: Vec<Code>,
    /// Rules that did not run although what they need was given, because infos are hidden.
    pub hidden: Vec<Code>,
    /// What the engine calls itself, if there is one and whoever runs the audit says so.
    pub engine: Option<String>,
    /// What was found when all games were compared with each other, if they were.
    pub copies: Option<CopySummary>,
    /// Number of failures of the auditor itself.
    pub failures: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

impl RunSummary {
    /// The findings of each rule and severity: by rule, the highest severity first.
    pub fn by_rule(&self) -> impl Iterator<Item = (Code, Severity, &RuleSummary)> {
        let rules: BTreeSet<Code> = self.rules.keys().map(|(code, _)| *code).collect();
        let of_rule = move |code| {
            Severity::ALL.into_iter().filter_map(move |severity| Some((code, severity, self.rules.get(&(code, severity))?)))
        };
        rules.into_iter().flat_map(of_rule)
    }

    /// The findings of each rule and severity: by severity, and then by number of findings.
    pub fn by_severity(&self) -> Vec<(Code, Severity, &RuleSummary)> {
        let mut rules: Vec<_> = self.by_rule().collect();
        rules.sort_by_key(|(code, severity, found)| (Reverse(*severity), Reverse(found.findings), *code));
        rules
    }
}

/// Two games that may be copies of each other.
#[derive(Debug)]
pub struct Pair<'f> {
    /// What they are. The finding is about the first one.
    pub finding: &'f Finding,
    /// The severity with which it is shown, or would be shown.
    pub severity: Severity,
    /// Where the games are, by the numbers of their inputs in the run.
    pub places: [GamePlace; 2],
    /// Why the first one is bad: it need not be kept, because the other one is.
    pub surplus: Option<BadRecord>,
}

/// Receives the results of a run, in the order of the inputs and of their bytes. Findings about a
/// whole input come last.
pub trait Sink {
    /// Receives a finding.
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()>;

    /// Receives one of the first findings of its rule and severity in this input, just before the
    /// finding itself. Known and new findings are counted separately. `around` is the text around
    /// it, if known. A sink without examples can ignore it.
    fn example(&mut self, _input: &str, _finding: &Finding, _around: Option<&Excerpt>) -> io::Result<()> {
        Ok(())
    }

    /// Receives a finding with a repair, if [`Settings::repairs`](super::Settings::repairs) is set:
    /// each one once, also those that [`finding`](Sink::finding) does not receive because they are
    /// reported once per input. A sink without repairs can ignore it.
    fn repair(&mut self, _input: &str, _finding: &Finding) -> io::Result<()> {
        Ok(())
    }

    /// Receives a finding that is counted on the line of another one, if
    /// [`Settings::games`](super::Settings::games) is set: its fingerprint on a line of its own,
    /// and that of the line. In any order. A sink that needs none can ignore it.
    fn folded(&mut self, _fingerprint: u64, _line: u64) -> io::Result<()> {
        Ok(())
    }

    /// Receives a game, if [`Settings::games`](super::Settings::games) is set: all of them, in
    /// their order. A sink that needs none can ignore it.
    fn game(&mut self, _input: &str, _game: &CardBytes<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Receives what is proven about a position line, if
    /// [`Settings::certify`](super::Settings::certify) is set: all of them, in their order. A sink
    /// that needs none can ignore it.
    fn certified(&mut self, _input: &str, _position: &CertifiedPosition) -> io::Result<()> {
        Ok(())
    }

    /// Receives text at byte `at` of the input that is read, before it is known which records are
    /// bad. What is received says where they probably go. It is in order, but text may be missing.
    /// A sink that does not divide inputs can ignore it.
    fn probably(&mut self, _is_bad: bool, _at: u64, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Receives a bad record, if [`Settings::split`](super::Settings::split) is set: those of an
    /// input in their order, after its findings. A sink that does not divide inputs can ignore it.
    fn bad_record(&mut self, _record: &BadRecord) -> io::Result<()> {
        Ok(())
    }

    /// Receives what is said of the records of an input as a whole, after its bad ones.
    fn divided(&mut self, _input: &str, _divided: DividedInput) -> io::Result<()> {
        Ok(())
    }

    /// Receives two games that may be copies of each other, if
    /// [`Settings::split`](super::Settings::split) is set. They come after all inputs, in the order
    /// of the first games; once for each finding about them.
    fn pair(&mut self, _pair: &Pair<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Receives a player, if [`Settings::duplicates`](super::Settings::duplicates) is set: all of
    /// them after all games, in the order of their names. A sink that needs none can ignore it.
    fn player(&mut self, _player: &Player) -> io::Result<()> {
        Ok(())
    }

    /// Receives the summary of an input that was read to its end, or as far as possible.
    fn input(&mut self, summary: &InputSummary) -> io::Result<()>;

    /// Receives a failure of the auditor.
    fn failure(&mut self, failure: &Failure) -> io::Result<()>;
}

/// Receives the progress of a run. Every method may be called from any thread.
pub trait Progress: Sync {
    /// More bytes and records were checked.
    fn advanced(&self, counts: Counts);

    /// More findings were reported, or wait for the end of their input. A few of these may be
    /// dropped.
    fn found(&self, findings: u64);
}

/// Ignores the progress.
impl Progress for () {
    fn advanced(&self, _: Counts) {}

    fn found(&self, _: u64) {}
}
