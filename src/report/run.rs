//! `run.json`: which program wrote a report, what it was asked, and what it found in all.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Serialize;

use crate::{
    pgn::Limits,
    pipeline::{RuleSummary, RunSummary, SeverityCounts},
    record::Counts,
    rules::{Code, Profile, Severity, rule},
    text::Format,
};

/// The program, as it names itself in its reports.
pub const TOOL: &str = "chess-audit";

/// Counted up whenever a reader of reports has to change.
pub const SCHEMA_VERSION: u32 = 1;

/// What was asked for, as far as it decides what a report holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// The profile.
    pub profile: Profile,
    /// The words after `--select`.
    pub select: Vec<String>,
    /// The words after `--ignore`.
    pub ignore: Vec<String>,
    /// Severities that were given to rules instead of their own, by the word for the rules.
    pub severity: BTreeMap<String, Severity>,
    /// Rules that were left out for some inputs.
    pub except: Vec<AskedException>,
    /// The format that everything was read as.
    pub format: Option<Format>,
    /// The column of positions that was asked for.
    pub fen_column: Option<String>,
    /// The column of moves that was asked for.
    pub moves_column: Option<String>,
    /// Whether every record was read as Chess960.
    pub chess960: bool,
    /// Most rows per rule and input.
    pub max_rows: Option<u64>,
    /// How deep counts of leaf nodes are checked, in plies.
    pub perft_depth: u32,
    /// Whether every position that the moves of a game reach was asked about.
    pub exhaustive: bool,
    /// The file of the classification of openings.
    pub eco: Option<String>,
    /// The ratings and days that were taken as possible.
    #[serde(flatten)]
    pub limits: AskedLimits,
    /// Most findings of each rule in `report.html`; `None`: there is no such file.
    pub html_rows: Option<u64>,
}

/// The ratings and days that were taken as possible; days as PGN writes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AskedLimits {
    /// Ratings.
    pub elo: AskedRange<u32>,
    /// Days on which a game can have been played.
    pub dates: AskedRange<String>,
    /// The day after which dates lie in the future.
    pub as_of: Option<String>,
}

/// From where to where; an end that is `None` is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AskedRange<T> {
    /// The least.
    pub from: Option<T>,
    /// The greatest.
    pub to: Option<T>,
}

impl Default for AskedLimits {
    fn default() -> AskedLimits {
        AskedLimits::from(Limits::DEFAULT)
    }
}

impl From<Limits> for AskedLimits {
    fn from(limits: Limits) -> AskedLimits {
        let day = |day: Date| day.strftime("%Y.%m.%d").to_string();
        AskedLimits {
            elo: AskedRange { from: Some(limits.least_elo), to: Some(limits.greatest_elo) },
            dates: AskedRange { from: Some(day(limits.first_day)), to: limits.last_day.map(day) },
            as_of: limits.as_of.map(|day| day.to_string()),
        }
    }
}

/// Rules that were left out for some inputs, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AskedException {
    /// The inputs, as globs.
    pub paths: Vec<String>,
    /// The rules, as words.
    pub rules: Vec<String>,
    /// Why.
    pub reason: String,
}

/// What `run.json` says, and what was found of each rule: the whole summary for machines.
#[derive(Serialize)]
pub struct SummaryRecord<'a> {
    #[serde(flatten)]
    run: Run<'a>,
    rules: Vec<RuleRecord<'a>>,
}

#[derive(Serialize)]
struct RuleRecord<'a> {
    rule: Code,
    name: &'static str,
    #[serde(flatten)]
    found: &'a RuleSummary,
}

impl<'a> SummaryRecord<'a> {
    /// What a run that was asked for `asked` found.
    pub fn new(asked: &'a Asked, summary: &'a RunSummary) -> SummaryRecord<'a> {
        let name = |code: Code| rule(code).map_or("", |rule| rule.name);
        let rules = summary.rules.iter().map(|(code, found)| RuleRecord { rule: *code, name: name(*code), found }).collect();
        SummaryRecord { run: Run::new(asked, summary), rules }
    }
}

#[derive(Serialize)]
pub(super) struct Run<'a> {
    tool: &'static str,
    version: &'static str,
    schema_version: u32,
    settings: &'a Asked,
    /// Rules that were asked for and could not run.
    rules_not_run: &'a [Code],
    totals: Totals,
}

#[derive(Serialize)]
struct Totals {
    inputs: u64,
    #[serde(flatten)]
    counts: Counts,
    records_with_findings: u64,
    findings: SeverityCounts,
    known: SeverityCounts,
    failures: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(asked: &'a Asked, summary: &'a RunSummary) -> Run<'a> {
        Run {
            tool: TOOL,
            version: env!("CARGO_PKG_VERSION"),
            schema_version: SCHEMA_VERSION,
            settings: asked,
            rules_not_run: &summary.not_run,
            totals: Totals {
                inputs: summary.inputs,
                counts: summary.counts,
                records_with_findings: summary.records_with_findings,
                findings: summary.findings,
                known: summary.known,
                failures: summary.failures,
            },
        }
    }
}
