//! `run.json`: which program wrote a report, what it was asked, and what it found in all.

use serde::Serialize;

use crate::{
    corpus::Format,
    pipeline::{Counts, RunSummary, SeverityCounts},
    rules::Profile,
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
    /// Most findings of each rule in `report.html`; `None`: there is no such file.
    pub html_rows: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Run<'a> {
    tool: &'static str,
    version: &'static str,
    schema_version: u32,
    settings: &'a Asked,
    totals: Totals,
}

#[derive(Serialize)]
struct Totals {
    inputs: u64,
    #[serde(flatten)]
    counts: Counts,
    records_with_findings: u64,
    findings: SeverityCounts,
    failures: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(asked: &'a Asked, summary: &RunSummary) -> Run<'a> {
        Run {
            tool: TOOL,
            version: env!("CARGO_PKG_VERSION"),
            schema_version: SCHEMA_VERSION,
            settings: asked,
            totals: Totals {
                inputs: summary.inputs,
                counts: summary.counts,
                records_with_findings: summary.records_with_findings,
                findings: summary.findings,
                failures: summary.failures,
            },
        }
    }
}
