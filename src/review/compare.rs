//! Comparison of two reports: findings that are new, gone, or have another severity, and inputs
//! that are new, gone, or have fewer records.
//!
//! A finding in the baseline of the new report is not new, even if the old report does not have it.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::Path,
};

use serde_json::{Map, Value};

use super::{
    compare_error::CompareError,
    compare_inputs::InputComparison,
    compare_matches::{Match, Matches},
    reader::{FindingRow, ReportReader},
};
use crate::format::{COLUMNS, COMPARE_COLUMNS, TOOL};
use crate::{
    pipeline::SeverityCounts,
    rules::Severity,
    text::wording::{is_printable, quantity, thousands},
};

/// The difference between the reports for one finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The finding is only in the new report.
    New,
    /// The finding is only in the old report.
    Gone,
    /// The finding is in both reports, with different severities.
    Changed,
    /// The finding is only in the new report, and in the baseline of that audit.
    Known,
    /// The finding is in both reports, but another part of its record was edited.
    Moved,
    /// The finding is in both reports, and only the baseline of the old audit has it: its entry has
    /// expired or was removed.
    Forgotten,
}

impl Change {
    /// The value in the column `change`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Gone => "gone",
            Change::Changed => "changed",
            Change::Known => "known",
            Change::Moved => "moved",
            Change::Forgotten => "forgotten",
        }
    }
}

/// A line of each comparison as Markdown.
pub(crate) const TOTALS_HEADER: &str = "| | errors | warnings | infos |";

/// The file with one row per difference.
pub const COMPARE_CSV: &str = "compare.csv";
/// The file with the comparison as Markdown.
pub const COMPARE_MD: &str = "compare.md";

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// New findings.
    pub new: SeverityCounts,
    /// Findings that are gone.
    pub gone: SeverityCounts,
    /// Findings with another severity, by their new severity.
    pub changed: SeverityCounts,
    /// Those of the changed findings whose severity is higher than before. Known ones do not count.
    pub worse: SeverityCounts,
    /// Findings that are only in the new report, but known.
    pub known: SeverityCounts,
    /// Findings of records that were edited elsewhere.
    pub moved: SeverityCounts,
    /// Findings in both reports that are no longer known.
    pub forgotten: SeverityCounts,
    /// Findings that are the same in both reports.
    pub unchanged: SeverityCounts,
    /// How many more findings than the old report the new one has that are in no table, because
    /// of `max_rows`.
    pub unlisted: SeverityCounts,
    /// Inputs that are new, gone, empty or smaller.
    pub inputs: InputComparison,
    /// The records and findings of the old report.
    pub(super) before: (u64, SeverityCounts),
    /// Those of the new report.
    pub(super) after: (u64, SeverityCounts),
    /// The number of findings of each change, per rule code.
    rules: BTreeMap<String, [u64; CHANGES]>,
    /// The first findings of each change, sorted by severity.
    listed: [Vec<ListedFinding>; CHANGES],
    /// Reasons why the comparison may be misleading.
    pub(super) warnings: Vec<String>,
}

/// A finding that is listed.
#[derive(Clone, Debug)]
pub(super) struct ListedFinding {
    pub severity: Severity,
    pub rule: String,
    pub input: String,
    /// The line, from 1; 0 if the finding is about the input as a whole.
    pub line: u64,
    pub column: u64,
    pub label: String,
    pub message: String,
}

impl ListedFinding {
    /// The place: `a.pgn:3:9`.
    pub fn place(&self) -> String {
        let ListedFinding { input, line, column, .. } = self;
        if *line == 0 { input.clone() } else { format!("{input}:{line}:{column}") }
    }
}

/// Number of kinds of [`Change`].
const CHANGES: usize = 6;

/// Maximum number of findings in each list.
const MAX_LISTED: usize = 25;

impl Comparison {
    /// Number of findings of this severity or higher that are new, worse than before, or no longer
    /// known, or may be new because they are in no table.
    pub const fn new_at_least(&self, severity: Severity) -> u64 {
        let listed = self.new.at_least(severity) + self.worse.at_least(severity) + self.forgotten.at_least(severity);
        listed + self.unlisted.at_least(severity)
    }

    /// The first findings of a change, sorted by severity.
    pub(super) fn listed(&self, change: Change) -> &[ListedFinding] {
        &self.listed[change as usize]
    }

    /// Compares two report directories. Writes a row for each difference between findings to
    /// `rows`, between inputs to `input_rows`, and between games to `game_rows`.
    pub fn of(
        old: &Path,
        new: &Path,
        rows: impl Write,
        input_rows: impl Write,
        game_rows: impl Write,
    ) -> Result<Comparison, CompareError> {
        let (before, after) = (ReportReader::open(old)?, ReportReader::open(new)?);
        let inputs = InputComparison::of(&before, &after, input_rows, game_rows)?;
        let warnings = warnings(&before, &after, &inputs);
        let none = SeverityCounts::default();
        let totals = [before.records, after.records].map(|records| (records, none));
        let [of_before, of_after] = totals;
        let mut comparison = Comparison { inputs, warnings, before: of_before, after: of_after, ..Comparison::default() };
        let matches = Matches::of(&before, &after, &comparison.inputs)?;
        let mut writer = csv::Writer::from_writer(rows);
        let failed = |error: csv::Error| CompareError::Write { path: COMPARE_CSV.into(), source: error.into() };
        writer.write_record(COMPARE_COLUMNS.iter().chain(&COLUMNS)).map_err(failed)?;
        let mut ordinal = 0;
        // A row without a match was added just now, which the reader reports at the end.
        after.for_each_finding(|row| {
            let matched = matches.new.get(ordinal).copied().unwrap_or(Match::NONE);
            ordinal += 1;
            comparison.after.1.add(row.severity);
            let is_known = row.cell("known") == b"true";
            let (change, severity_before) = match matched {
                Match::KNOWN if !is_known => (Change::Forgotten, None),
                Match::SAME | Match::KNOWN => {
                    comparison.unchanged.add(row.severity);
                    return Ok(());
                }
                Match::MOVED => (Change::Moved, None),
                Match::NONE if is_known => (Change::Known, None),
                Match::NONE => (Change::New, None),
                other => (Change::Changed, other.severity_before()),
            };
            comparison.note(change, &row);
            if !is_known && severity_before.is_some_and(|before| before < row.severity) {
                comparison.worse.add(row.severity);
            }
            write_row(&mut writer, change, severity_before, &row).map_err(failed)
        })?;
        ordinal = 0;
        before.for_each_finding(|row| {
            let matched = matches.old.get(ordinal).copied().unwrap_or(Match::NONE);
            ordinal += 1;
            comparison.before.1.add(row.severity);
            if matched != Match::NONE {
                return Ok(());
            }
            comparison.note(Change::Gone, &row);
            write_row(&mut writer, Change::Gone, None, &row).map_err(failed)
        })?;
        writer.flush().map_err(|source| CompareError::Write { path: COMPARE_CSV.into(), source })?;
        comparison.note_unlisted(&before, &after);
        Ok(comparison)
    }

    /// Notes the findings beyond `max_rows`, which cannot be compared.
    fn note_unlisted(&mut self, before: &ReportReader, after: &ReportReader) {
        let [old, new] = [before.unlisted(self.before.1), after.unlisted(self.after.1)];
        let max_rows = |report: &ReportReader| report.settings.get("max_rows").cloned();
        // With another maximum, what seems to be gone may be beyond it.
        let gone = if max_rows(before) == max_rows(after) { SeverityCounts::default() } else { self.gone };
        self.unlisted = new.without(old).without(gone);
        if self.unlisted.total() > 0 {
            self.warnings.push(format!(
                "{} of the new report {} in no table, because of max-rows, and could not be compared. Those of the old report \
                 were {}.",
                quantity(new.total(), "finding", "findings"),
                if new.total() == 1 { "is" } else { "are" },
                thousands(old.total())
            ));
        }
    }

    fn note(&mut self, change: Change, row: &FindingRow<'_>) {
        let counts = match change {
            Change::New => &mut self.new,
            Change::Gone => &mut self.gone,
            Change::Changed => &mut self.changed,
            Change::Known => &mut self.known,
            Change::Moved => &mut self.moved,
            Change::Forgotten => &mut self.forgotten,
        };
        counts.add(row.severity);
        let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
        self.rules.entry(text(row.rule())).or_default()[change as usize] += 1;
        let listed = &mut self.listed[change as usize];
        let at = listed.partition_point(|earlier| earlier.severity >= row.severity);
        if at >= MAX_LISTED {
            return;
        }
        listed.truncate(MAX_LISTED - 1);
        let number = |name: &str| text(row.cell(name)).parse().unwrap_or_default();
        listed.insert(
            at,
            ListedFinding {
                severity: row.severity,
                rule: text(row.rule()),
                input: text(row.cell("input")),
                line: number("line"),
                column: number("column"),
                label: text(row.cell("game_label")),
                message: text(row.cell("message")),
            },
        );
    }

    /// The comparison as Markdown. `lists_known` says whether known findings are listed, too.
    pub fn markdown(&self, lists_known: bool) -> String {
        let mut text = format!("# {}\n\n", self.sentence());
        for warning in &self.warnings {
            text.push_str(&format!("> {}\n\n", escaped(warning)));
        }
        text.push_str(&format!("{TOTALS_HEADER}\n|---|---:|---:|---:|\n"));
        let rows = [
            ("new", self.new),
            ("gone", self.gone),
            ("changed", self.changed),
            ("known", self.known),
            ("moved", self.moved),
            ("forgotten", self.forgotten),
            ("unchanged", self.unchanged),
        ];
        for (name, counts) in rows {
            text.push_str(&format!("| {name} | {} | {} | {} |\n", counts.error, counts.warning, counts.info));
        }
        if !self.rules.is_empty() {
            text.push_str("\n| rule | new | gone | changed | known | moved | forgotten |\n|---|---:|---:|---:|---:|---:|---:|\n");
            for (code, counts) in &self.rules {
                let name = code.parse().ok().and_then(crate::rules::rule).map_or("", |rule| rule.name);
                let counts = counts.map(|count| count.to_string()).join(" | ");
                text.push_str(&format!("| {} {name} | {counts} |\n", escaped(code)));
            }
        }
        text.push_str(&self.inputs.markdown(escaped));
        text.push_str(&self.inputs.games.as_ref().map(|games| games.markdown(escaped)).unwrap_or_default());
        text.push_str(&section("New findings", self.listed(Change::New), self.new.total()));
        if lists_known {
            text.push_str(&section("Known findings", self.listed(Change::Known), self.known.total()));
        }
        text
    }

    /// The numbers of differences between findings, and lost records, without a full stop.
    pub fn sentence(&self) -> String {
        let mut findings = self.findings_sentence();
        if self.unlisted.total() > 0 {
            findings.push_str(&format!("; {} beyond max-rows", quantity(self.unlisted.total(), "more finding", "more findings")));
        }
        match self.inputs.loss() {
            Some(loss) => format!("{findings}; {loss}"),
            None => findings,
        }
    }

    fn findings_sentence(&self) -> String {
        let of = |counts: SeverityCounts, change: &str| match counts.error {
            0 => format!("{} {change}", thousands(counts.total())),
            errors => format!("{} {change} ({})", thousands(counts.total()), quantity(errors, "error", "errors")),
        };
        if [self.new, self.gone, self.changed, self.known, self.moved, self.forgotten].iter().all(|counts| counts.total() == 0) {
            let inputs = if self.inputs.sentence().is_some() { " in findings" } else { "" };
            return format!("No differences{inputs}");
        }
        let mut parts = vec![of(self.new, "new"), of(self.gone, "gone")];
        let others = [
            (self.changed, "with changed severity"),
            (self.known, "known from the baseline"),
            (self.moved, "moved"),
            (self.forgotten, "no longer known"),
        ];
        let others = others.into_iter().filter(|(counts, _)| counts.total() > 0);
        parts.extend(others.map(|(counts, what)| format!("{} {what}", thousands(counts.total()))));
        parts.join(", ")
    }
}

/// A section of Markdown with the first findings; empty if there are none.
fn section(title: &str, listed: &[ListedFinding], total: u64) -> String {
    if listed.is_empty() {
        return String::new();
    }
    let mut text = format!("\n## {title}\n\n");
    let shown = listed.len() as u64;
    if total > shown {
        text.push_str(&format!(
            "The first {shown} of {total}, sorted by severity. All are in {COMPARE_CSV}, written with `--output`.\n\n"
        ));
    }
    for finding in listed {
        let label = if finding.label.is_empty() { String::new() } else { format!(" ({})", escaped(&finding.label)) };
        text.push_str(&format!(
            "* **{}** {} at {}{label}: {}\n",
            finding.severity.as_str(),
            escaped(&finding.rule),
            escaped(&finding.place()),
            escaped(&finding.message)
        ));
    }
    text
}

/// Reasons why the comparison may be misleading.
fn warnings(before: &ReportReader, after: &ReportReader, inputs: &InputComparison) -> Vec<String> {
    let mut warnings = Vec::new();
    for (report, which, changes) in
        [(before, "old", "Findings listed as new"), (after, "new", "Findings listed as gone and lost records")]
    {
        if report.failures > 0 {
            warnings.push(format!(
                "The {which} audit was incomplete (see its failures.csv). {changes} may be in parts that it could \
                 not read."
            ));
        }
        if !report.has_digests() {
            warnings.push(format!(
                "The {which} report was written by an earlier version, without digests. Only its totals were checked: if its \
                 tables were changed, the comparison is wrong."
            ));
        }
    }
    if inputs.has_only_other_names() {
        warnings.push(
            "No input has the same name in both reports. To see which inputs lost records, audit with the same paths from the \
             same directory."
                .to_owned(),
        );
    }
    if before.version != after.version {
        warnings.push(format!(
            "The reports were written by different versions of {TOOL} ({} and {}). Some differences may be due to that alone.",
            before.version, after.version
        ));
    }
    let settings = different_settings(&before.settings, &after.settings);
    if !settings.is_empty() {
        warnings.push(format!(
            "The audits had different settings ({}, see run.json). Some differences may be due to that alone.",
            settings.join(", ")
        ));
    }
    warnings
}

/// The settings that differ, except those that change every day or do not affect findings. What one
/// version does not write counts as not given.
fn different_settings(before: &Value, after: &Value) -> Vec<String> {
    let empty = Map::new();
    let [before, after] = [before, after].map(|settings| settings.as_object().unwrap_or(&empty));
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let no_difference = |key: &str| {
        matches!(key, "as_of" | "fail_on" | "game_keys" | "html_rows" | "html_size" | "name" | "parquet" | "settings_file")
    };
    let given = |settings: &Map<String, Value>, key: &str| settings.get(key).filter(|value| !is_default(key, value)).cloned();
    let differ = |key: &&String| !no_difference(key) && given(before, key) != given(after, key);
    keys.into_iter().filter(differ).map(|key| key.replace('_', "-")).collect()
}

/// Whether a setting has this value where nothing is given.
fn is_default(key: &str, value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(values) => values.is_empty(),
        Value::Object(values) => values.is_empty(),
        // Earlier versions had an option for it.
        value => key == "perft_depth" && *value == 3,
    }
}

/// Escapes text for Markdown.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', character]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // A name in a message must not mention a user.
            '@' => out.push_str("@\u{200B}"),
            character if !is_printable(character) => out.push(' '),
            character => out.push(character),
        }
    }
    out
}

fn write_row(
    writer: &mut csv::Writer<impl Write>,
    change: Change,
    severity_before: Option<Severity>,
    row: &FindingRow<'_>,
) -> csv::Result<()> {
    writer.write_field(change.as_str())?;
    writer.write_field(severity_before.map_or("", Severity::as_str))?;
    for name in COLUMNS {
        // Cells are copied unchanged, including quotes before formulas.
        let index = row.columns.iter().position(|column| column == name.as_bytes());
        writer.write_field(index.and_then(|index| row.cells.get(index)).unwrap_or_default())?;
    }
    writer.write_record(None::<&[u8]>)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_one_version_does_not_write_is_not_given() {
        let before = json!({"profile": "strict", "perft_depth": 3, "eco": null, "deep": false, "syzygy": [], "severity": {}});
        assert_eq!(different_settings(&before, &json!({"profile": "strict"})), Vec::<String>::new());
        let after = json!({"profile": "strict", "deep": true, "fail_on": "info"});
        assert_eq!(different_settings(&before, &after), ["deep"]);
        assert_eq!(different_settings(&json!({"perft_depth": 5}), &after), ["deep", "perft-depth", "profile"]);
    }
}
