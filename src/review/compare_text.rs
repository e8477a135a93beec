//! A comparison of two reports as text for mail, and as JSON.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io::{self, Write},
};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    compare::{COMPARE_CSV, Comparison, FindingChange},
    compare_games::{GameComparison, ListedGame},
    compare_inputs::InputList,
    compare_list::ListedFinding,
};
use crate::format::{
    sentences::{TablesAt, describe_findings},
    write_json,
};
use crate::{
    pipeline::SeverityCounts,
    text::wording::{printable, quantity},
};

impl Comparison {
    /// The comparison as text: lines end with LF, nothing is escaped but what a terminal would
    /// obey, and places can be pasted. `lists_known` says whether known findings are listed, too.
    pub fn text(&self, lists_known: bool) -> String {
        format!("{}\n{}", self.sentence(), self.details(lists_known, TablesAt::Option))
    }

    /// The text without its first line: findings, what was lost, and then the rest. The tables are
    /// in `at`.
    pub(super) fn details(&self, lists_known: bool, at: TablesAt<'_>) -> String {
        let list = |(title, change): (&str, FindingChange)| list(title, self.listed(change), self.of_change(change).total(), at);
        let first = [
            ("New findings", FindingChange::New),
            ("Findings that are no longer in the baseline, or have expired there", FindingChange::Forgotten),
            ("Findings with another severity", FindingChange::Changed),
        ];
        let mut text: String = first.map(list).concat();
        text.push_str(&self.inputs.text(at));
        text.push_str(&self.inputs.games.as_ref().map(|games| games.text(at)).unwrap_or_default());
        text.push_str(&list(("Gone findings", FindingChange::Gone)));
        if lists_known {
            text.push_str(&list(("Known findings", FindingChange::Known)));
        }
        for note in self.notes() {
            text.push_str(&format!("\nNote: {}\n", printable(&note)));
        }
        text.push('\n');
        for (name, (records, findings)) in [("Before", self.before), ("Now", self.after)] {
            let records = quantity(records, "game or position", "games and positions");
            text.push_str(&format!("{name:<8}{}; {records}\n", counts(findings)));
        }
        text
    }

    /// Writes the comparison as one JSON object on one line.
    pub fn json(&self, mut to: impl Write) -> io::Result<()> {
        write_json(&mut to, &ComparisonRecord::from(self))?;
        writeln!(to)
    }
}

/// A list of findings, the worst first, then by file; empty if there are none. The tables are in
/// `at`.
pub(super) fn list(title: &str, listed: &[ListedFinding], total: u64, at: TablesAt<'_>) -> String {
    if listed.is_empty() {
        return String::new();
    }
    let mut in_order: Vec<&ListedFinding> = listed.iter().collect();
    in_order.sort_by_key(|finding| (Reverse(finding.severity), &finding.input, finding.line));
    let mut text = format!("\n{title}:\n\n");
    for finding in in_order {
        let ListedFinding { severity, rule, label, message, .. } = finding;
        let label = if label.is_empty() { String::new() } else { format!(" ({label})") };
        let line = format!("{}: {} {rule} {message}{label}{}", finding.place(), severity.as_str(), finding.and_more());
        text.push_str(&printable(&line));
        text.push('\n');
    }
    text.push_str(&at.more(total - listed.iter().map(|finding| finding.findings).sum::<u64>(), COMPARE_CSV));
    text
}

/// `3 errors and 1 warning`, or `no findings`.
fn counts(findings: SeverityCounts) -> String {
    match findings.total() {
        0 => "no findings".to_owned(),
        _ => describe_findings(findings),
    }
}

/// A comparison of two reports. The lists have the first findings, the worst first.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "comparison")]
pub(crate) struct ComparisonRecord<'a> {
    /// The numbers of differences, for people.
    sentence: String,
    /// Reasons why the comparison may be misleading, for people.
    warnings: &'a [String],
    /// The earlier report.
    before: ReportTotals,
    /// The later report.
    after: ReportTotals,
    /// New findings.
    new: SeverityCounts,
    /// Findings that are gone.
    gone: SeverityCounts,
    /// Findings with another severity, by the new one.
    changed: SeverityCounts,
    /// Those of them that are worse than before and not known.
    worse: SeverityCounts,
    /// Findings that are only in the later report, but in the baseline of its audit.
    known: SeverityCounts,
    /// Findings of records that were edited elsewhere.
    moved: SeverityCounts,
    /// Findings in both reports that are no longer known.
    forgotten: SeverityCounts,
    /// Findings of inputs that are copies, as in the originals.
    copied: SeverityCounts,
    /// Findings that are new in inputs that have not changed, by another version of the program.
    version: SeverityCounts,
    /// Those of the moved findings that were known, and are not in the baseline any more.
    followed: SeverityCounts,
    /// Findings that are the same in both reports.
    unchanged: SeverityCounts,
    /// Inputs that are new or gone, or lost records.
    inputs: InputList,
    /// Number of games with each change; nothing if a report does not have the keys of its games.
    games: Option<BTreeMap<&'static str, u64>>,
    /// The first games of each change.
    first_games: Vec<&'a ListedGame>,
    /// The first new findings.
    new_findings: Vec<ListedRecord<'a>>,
    /// The first findings with another severity.
    changed_findings: Vec<ListedRecord<'a>>,
    /// The first findings that are gone.
    gone_findings: Vec<ListedRecord<'a>>,
    /// The first known findings.
    known_findings: Vec<ListedRecord<'a>>,
    /// The first findings that are no longer known.
    forgotten_findings: Vec<ListedRecord<'a>>,
}

/// The totals of a report.
#[derive(Serialize, JsonSchema)]
struct ReportTotals {
    /// Number of games and positions.
    records: u64,
    /// Number of findings.
    findings: SeverityCounts,
}

/// A finding in a comparison: the first one of its rule and severity in its input.
#[derive(Serialize, JsonSchema)]
struct ListedRecord<'a> {
    /// Number of such findings.
    findings: u64,
    severity: &'a str,
    rule: &'a str,
    input: &'a str,
    /// From 1; 0 if it is about the input as a whole.
    line: u64,
    /// In bytes, from 1.
    column: u64,
    game_label: &'a str,
    message: &'a str,
}

impl<'a> From<&'a ListedFinding> for ListedRecord<'a> {
    fn from(listed: &'a ListedFinding) -> ListedRecord<'a> {
        let ListedFinding { findings, severity, rule, input, line, column, label, message } = listed;
        ListedRecord {
            findings: *findings,
            severity: severity.as_str(),
            rule,
            input,
            line: *line,
            column: *column,
            game_label: label,
            message,
        }
    }
}

impl<'a> From<&'a Comparison> for ComparisonRecord<'a> {
    fn from(comparison: &'a Comparison) -> ComparisonRecord<'a> {
        let Comparison { worse, followed, unchanged, .. } = *comparison;
        let of = |change| comparison.of_change(change);
        let games = comparison.inputs.games.as_ref();
        let totals = |(records, findings)| ReportTotals { records, findings };
        let first = |change| comparison.listed(change).iter().map(ListedRecord::from).collect();
        ComparisonRecord {
            sentence: comparison.sentence(),
            warnings: &comparison.warnings,
            before: totals(comparison.before),
            after: totals(comparison.after),
            new: of(FindingChange::New),
            gone: of(FindingChange::Gone),
            changed: of(FindingChange::Changed),
            worse,
            known: of(FindingChange::Known),
            moved: of(FindingChange::Moved),
            forgotten: of(FindingChange::Forgotten),
            copied: of(FindingChange::Copied),
            version: of(FindingChange::Version),
            followed,
            unchanged,
            inputs: comparison.inputs.record(),
            games: games.map(GameComparison::counts),
            first_games: games.map(GameComparison::first).unwrap_or_default(),
            new_findings: first(FindingChange::New),
            changed_findings: first(FindingChange::Changed),
            gone_findings: first(FindingChange::Gone),
            known_findings: first(FindingChange::Known),
            forgotten_findings: first(FindingChange::Forgotten),
        }
    }
}
