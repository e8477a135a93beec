//! `run.json`: the program, the settings and the totals of a run.

use std::{collections::BTreeMap, path::Path};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    corpus::Skipped,
    format::hash_cell::key,
    identity::RatingList,
    pgn::Limits,
    pipeline::{CopySummary, Options, RunSummary, SeverityCounts},
    record::Counts,
    rules::{Code, Profile, Severity},
    text::Format,
};

/// The name of the program in its reports.
pub const TOOL: &str = "chess-audit";

/// The version of the report format. It increases when programs that read reports have to change.
pub const SCHEMA_VERSION: u32 = 1;

/// FIDE's rating list, as a report says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RatingListRecord {
    /// The file.
    pub file: String,
    /// Number of players.
    pub players: u32,
    /// A digest (XXH3, 64 bits) of their ids, years of birth and names.
    pub digest: String,
}

impl RatingListRecord {
    /// The list that was read from `path`.
    pub fn new(path: &Path, list: &RatingList) -> RatingListRecord {
        RatingListRecord { file: path.display().to_string(), players: list.players(), digest: key(list.digest()) }
    }
}

/// The settings of a run, as far as they affect the content of its report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunSettings {
    /// The settings file, if it sets anything that is in effect.
    pub settings_file: Option<RunSettingsFile>,
    /// The profile.
    pub profile: Profile,
    /// The values of `--select`.
    pub select: Vec<String>,
    /// The values of `--ignore`.
    pub ignore: Vec<String>,
    /// The paths on the command line, if their order can decide between copies: they are not in the
    /// order of their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Severities that differ from the defaults, by rule or family.
    pub severity: BTreeMap<String, Severity>,
    /// Rules that did not run on some inputs.
    pub except: Vec<RunException>,
    /// What is expected, and the house rules: values as in a settings file, by key.
    pub demands: BTreeMap<String, String>,
    /// Globs of files and directories that were skipped.
    pub exclude: Vec<String>,
    /// The format of all inputs, if it was set.
    pub format: Option<Format>,
    /// The column of positions, if it was set.
    pub fen_column: Option<String>,
    /// The column of moves, if it was set.
    pub moves_column: Option<String>,
    /// The variant of records without a Variant tag, if it was set.
    pub variant: Option<String>,
    /// Options as they were given.
    #[serde(flatten)]
    pub options: Options,
    /// Whether the keys of all games were written, by which reports are compared.
    pub game_keys: bool,
    /// The file with spellings of names of players.
    pub spelling: Option<String>,
    /// FIDE's rating list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players: Option<RatingListRecord>,
    /// The file with the classification of openings.
    pub eco: Option<String>,
    /// The directories with Syzygy tables.
    pub syzygy: Vec<String>,
    /// The command of the engine.
    pub engine: Option<String>,
    /// Number of nodes that the engine searched for each question.
    pub engine_nodes: Option<u64>,
    /// Options of the engine.
    pub engine_options: BTreeMap<String, String>,
    /// The accepted ratings and dates.
    #[serde(flatten)]
    pub limits: RunLimits,
    /// The lowest severity of new findings with which the audit fails; `None` if no finding lets it
    /// fail.
    pub fail_on: Option<Severity>,
    /// The name of the corpus, for people.
    pub name: Option<String>,
    /// Maximum number of findings per rule that `report.html` shows without JavaScript; `None` if
    /// the page was not written.
    pub html_rows: Option<u64>,
    /// Maximum size of `report.html` in bytes, as far as findings decide it; `None` for 10 MB.
    pub html_size: Option<u64>,
}

/// The settings file of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunSettingsFile {
    /// The path as it was given, or relative to the working directory.
    pub path: String,
    /// The settings in effect that it contains, in its order.
    pub settings: Vec<String>,
}

/// The accepted ratings and dates. Dates are written as in PGN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunLimits {
    /// Accepted ratings.
    pub elo: RunRange<u32>,
    /// Accepted dates of games.
    pub dates: RunRange<String>,
    /// Later dates are in the future.
    pub as_of: Option<String>,
}

/// A range. `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunRange<T> {
    /// The lowest value.
    pub from: Option<T>,
    /// The highest value.
    pub to: Option<T>,
}

impl Default for RunLimits {
    fn default() -> RunLimits {
        RunLimits::from(Limits::DEFAULT)
    }
}

impl From<Limits> for RunLimits {
    fn from(limits: Limits) -> RunLimits {
        let day = |day: Date| day.strftime("%Y.%m.%d").to_string();
        RunLimits {
            elo: RunRange { from: Some(limits.min_elo), to: Some(limits.max_elo) },
            dates: RunRange { from: Some(day(limits.first_day)), to: limits.last_day.map(day) },
            as_of: limits.as_of.map(|day| day.to_string()),
        }
    }
}

/// Rules that did not run on some inputs, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunException {
    /// Globs of inputs.
    pub paths: Vec<String>,
    /// Codes, names or families of rules.
    pub rules: Vec<String>,
    /// The reason.
    pub reason: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Run<'a> {
    tool: &'static str,
    version: &'static str,
    schema_version: u32,
    settings: &'a RunSettings,
    /// Selected rules that could not run.
    rules_not_run: &'a [Code],
    /// What the engine calls itself, if it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'a str>,
    totals: Totals,
    /// What was found when all games were compared with each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    copies: Option<&'a CopySummary>,
    /// The tables of the report, by the name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<&'a BTreeMap<&'static str, TableRecord>>,
}

/// A table of a report. Whoever reads the file can see that it is complete and unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct TableRecord {
    /// The number of rows, without the header.
    pub rows: u64,
    /// The XXH3 digest (64 bits) of all bytes, in hexadecimal.
    pub xxh3: String,
}

#[derive(Serialize, JsonSchema)]
struct Totals {
    inputs: u64,
    /// Inputs found by a search that contain no chess.
    inputs_not_chess: u64,
    /// Files that were skipped on purpose.
    skipped: Skipped,
    #[serde(flatten)]
    counts: Counts,
    records_with_findings: u64,
    findings: SeverityCounts,
    /// Findings that are in the baseline.
    known_findings: SeverityCounts,
    failures: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        settings: &'a RunSettings,
        summary: &'a RunSummary,
        tables: Option<&'a BTreeMap<&'static str, TableRecord>>,
    ) -> Run<'a> {
        Run {
            tool: TOOL,
            version: env!("CARGO_PKG_VERSION"),
            schema_version: SCHEMA_VERSION,
            settings,
            rules_not_run: &summary.not_run,
            engine: summary.engine.as_deref(),
            totals: Totals {
                inputs: summary.inputs,
                inputs_not_chess: summary.not_chess,
                skipped: summary.skipped,
                counts: summary.counts,
                records_with_findings: summary.records_with_findings,
                findings: summary.findings,
                known_findings: summary.known,
                failures: summary.failures,
            },
            copies: summary.copies.as_ref(),
            tables,
        }
    }
}

/// Maximum size of a `run.json`. It has the settings of the run, but nothing of the inputs.
pub(crate) const MAX_RUN_BYTES: u64 = 16 << 20;
