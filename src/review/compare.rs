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
use xxhash_rust::xxh3::xxh3_64;

use super::{
    compare_error::CompareError,
    compare_folded::Unfolded,
    compare_inputs::InputComparison,
    compare_list::{FindingList, ListedFinding},
    compare_matches::{Match, Matches},
    compare_tables::CompareTables,
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
pub enum FindingChange {
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
    /// The finding is only in the new report, in an input that is a copy, as in the original.
    Copied,
    /// The finding is only in the new report, in an input that has not changed: another version of
    /// the program wrote that report.
    Version,
}

/// Number of kinds of [`FindingChange`].
const CHANGES: usize = 8;

impl FindingChange {
    /// All changes, in the order of their discriminants.
    pub const ALL: [FindingChange; CHANGES] = [
        FindingChange::New,
        FindingChange::Gone,
        FindingChange::Changed,
        FindingChange::Known,
        FindingChange::Moved,
        FindingChange::Forgotten,
        FindingChange::Copied,
        FindingChange::Version,
    ];

    /// The value in the column `change`.
    pub const fn as_str(self) -> &'static str {
        match self {
            FindingChange::New => "new",
            FindingChange::Gone => "gone",
            FindingChange::Changed => "changed",
            FindingChange::Known => "known",
            FindingChange::Moved => "moved",
            FindingChange::Forgotten => "forgotten",
            FindingChange::Copied => "copied",
            FindingChange::Version => "version",
        }
    }
}

/// A line of each comparison as Markdown.
pub(crate) const TOTALS_HEADER: &str = "| | errors | warnings | infos |";

/// The file with one row per difference.
pub const COMPARE_CSV: &str = crate::format::files::COMPARE_FILE;
/// The file with the comparison as Markdown.
pub const COMPARE_MD: &str = "compare.md";

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Findings with each change, by their new severity.
    counts: [SeverityCounts; CHANGES],
    /// Those of the changed findings whose severity is higher than before. Known ones do not count.
    pub worse: SeverityCounts,
    /// Those of the moved findings that were known and are not in the baseline any more, because
    /// their games were edited.
    pub followed: SeverityCounts,
    /// Findings that are the same in both reports.
    pub unchanged: SeverityCounts,
    /// How many more findings than the old report the new one has that are in no table, because
    /// of `max_rows`.
    pub unlisted: SeverityCounts,
    /// Inputs that are new, gone, empty or smaller.
    pub inputs: InputComparison,
    /// The records and findings of the old report.
    pub(super) before: (u64, SeverityCounts),
    /// The records and findings of the new report.
    pub(super) after: (u64, SeverityCounts),
    /// The number of findings of each change, per rule code.
    rules: BTreeMap<String, [u64; CHANGES]>,
    /// The versions of the program that wrote the reports, if they differ.
    pub(super) versions: Option<[String; 2]>,
    /// The first findings of each change, sorted by severity.
    listed: [FindingList; CHANGES],
    /// Reasons why the comparison may be misleading.
    pub(super) warnings: Vec<String>,
}

/// A finding of the new report, compared with the old one.
pub(super) struct ComparedFinding<'r> {
    pub row: FindingRow<'r>,
    /// The difference; `None` if there is none.
    pub change: Option<FindingChange>,
    /// The fingerprint that it has in the old report, if it is there.
    pub old_fingerprint: Option<u64>,
    /// Whether it is worse than before, and not known.
    pub is_worse: bool,
    /// Whether it was known before, and is not in the baseline any more, because its game was
    /// edited.
    pub is_followed: bool,
}

impl Comparison {
    /// Number of findings of this severity or higher that are new, worse than before, or no longer
    /// known, or may be new because they are in no table.
    pub fn new_at_least(&self, severity: Severity) -> u64 {
        let changes = [FindingChange::New, FindingChange::Version, FindingChange::Forgotten].map(|change| self.of_change(change));
        changes.iter().chain([&self.worse, &self.unlisted]).map(|counts| counts.at_least(severity)).sum()
    }

    /// Number of findings with this change, by their new severity.
    pub const fn of_change(&self, change: FindingChange) -> SeverityCounts {
        self.counts[change as usize]
    }

    /// The first findings of a change, sorted by severity: one for each rule and severity of an
    /// input.
    pub(super) fn listed(&self, change: FindingChange) -> &[ListedFinding] {
        self.listed[change as usize].findings()
    }

    /// Compares two report directories.
    pub fn of(old: &Path, new: &Path, tables: CompareTables<'_>) -> Result<Comparison, CompareError> {
        Comparison::watched(old, new, tables, |_| {})
    }

    /// The same. Calls `each` for each finding of the new report.
    pub(super) fn watched(
        old: &Path,
        new: &Path,
        mut tables: CompareTables<'_>,
        mut each: impl FnMut(&ComparedFinding<'_>),
    ) -> Result<Comparison, CompareError> {
        let (before, after) = (ReportReader::open(old)?, ReportReader::open(new)?);
        let inputs = InputComparison::of(&before, &after, &mut tables)?;
        let versions = (before.version != after.version).then(|| [&before, &after].map(|report| report.version.clone()));
        let warnings = warnings(&before, &after, &inputs);
        let none = SeverityCounts::default();
        let totals = [before.records, after.records].map(|records| (records, none));
        let [of_before, of_after] = totals;
        let mut comparison =
            Comparison { inputs, versions, warnings, before: of_before, after: of_after, ..Comparison::default() };
        let matches = Matches::of(&before, &after, &comparison.inputs)?;
        let mut unfolded = Unfolded::of(&before, &after, &matches)?;
        let mut writer = csv::Writer::from_writer(tables.findings);
        let failed = |error: csv::Error| CompareError::Write { path: COMPARE_CSV.into(), source: error.into() };
        writer.write_record(COMPARE_COLUMNS.iter().chain(&COLUMNS)).map_err(failed)?;
        let mut next = 0;
        // A row without a match was added just now, which the reader reports at the end.
        after.for_each_finding(|row| {
            let ordinal = next;
            next += 1;
            comparison.after.1.add(row.severity);
            let mut matched = matches.of_new(ordinal, row.fingerprint);
            if matched == Match::NONE && unfolded.takes(&row) {
                matched = Match::FOLDED;
            }
            let is_known = row.cell("known") == b"true";
            let change = match matched {
                Match::KNOWN if !is_known => Some(FindingChange::Forgotten),
                Match::SAME | Match::KNOWN | Match::FOLDED => None,
                Match::MOVED | Match::KNOWN_MOVED => Some(FindingChange::Moved),
                Match::NONE if is_known => Some(FindingChange::Known),
                Match::NONE => Some(comparison.kind_of_new(&row)),
                _ => Some(FindingChange::Changed),
            };
            let severity_before = matched.severity_before();
            let old_fingerprint = (matched != Match::NONE).then(|| matches.old_fingerprint(ordinal).unwrap_or(row.fingerprint));
            let found = ComparedFinding {
                row,
                change,
                old_fingerprint,
                is_worse: !is_known && severity_before.is_some_and(|before| before < row.severity),
                is_followed: !is_known && change != Some(FindingChange::Forgotten) && matches.was_known(ordinal, matched),
            };
            each(&found);
            comparison.note_compared(&found);
            change.map_or(Ok(()), |change| write_row(&mut writer, change, severity_before, &row).map_err(failed))
        })?;
        next = 0;
        before.for_each_finding(|row| {
            let matched = matches.of_old(next, row.fingerprint);
            next += 1;
            comparison.before.1.add(row.severity);
            if matched != Match::NONE || unfolded.was_line(&row) {
                return Ok(());
            }
            comparison.note(FindingChange::Gone, &row);
            write_row(&mut writer, FindingChange::Gone, None, &row).map_err(failed)
        })?;
        writer.flush().map_err(|source| CompareError::Write { path: COMPARE_CSV.into(), source })?;
        comparison.note_unlisted(&before, &after);
        Ok(comparison)
    }

    /// Why a finding is only in the new report.
    fn kind_of_new(&mut self, row: &FindingRow<'_>) -> FindingChange {
        let input = xxh3_64(row.cell("input"));
        let partner = row.cell("partner_input");
        let partner = (!partner.is_empty()).then(|| xxh3_64(partner));
        if self.inputs.note_in_copy(input, partner) {
            FindingChange::Copied
        } else if self.versions.is_some() && self.inputs.have_same_text(input, partner) {
            FindingChange::Version
        } else {
            FindingChange::New
        }
    }

    /// What is new because another version of the program wrote the new report; `None` if the same
    /// one wrote both.
    pub(super) fn about_versions(&self) -> Option<String> {
        let [before, after] = self.versions.as_ref()?;
        let versions = format!("The reports were written by different versions of {TOOL} ({before} and {after}).");
        let new = self.of_change(FindingChange::Version).total();
        if new == 0 {
            return Some(format!("{versions} Some differences may be due to that alone."));
        }
        let rules = self.rules.iter().map(|(rule, counts)| (rule, counts[FindingChange::Version as usize]));
        let rules: Vec<String> =
            rules.filter(|(_, new)| *new > 0).map(|(rule, new)| format!("{rule} {}", thousands(new))).collect();
        let (findings, verb) = (quantity(new, "finding", "findings"), if new == 1 { "is" } else { "are" });
        Some(format!("{versions} {findings} {verb} new in inputs that have not changed: {}.", rules.join(", ")))
    }

    /// Counts a finding of the new report.
    fn note_compared(&mut self, found: &ComparedFinding<'_>) {
        let ComparedFinding { row, change, is_worse, is_followed, .. } = found;
        match change {
            Some(change) => self.note(*change, row),
            None => self.unchanged.add(row.severity),
        }
        if *is_worse {
            self.worse.add(row.severity);
        }
        if *is_followed {
            self.followed.add(row.severity);
        }
    }

    /// Notes the findings beyond `max_rows`, which cannot be compared.
    fn note_unlisted(&mut self, before: &ReportReader, after: &ReportReader) {
        let [old, new] = [before.unlisted(self.before.1), after.unlisted(self.after.1)];
        let max_rows = |report: &ReportReader| report.settings.get("max_rows").cloned();
        // With another maximum, what seems to be gone may be beyond it.
        let gone =
            if max_rows(before) == max_rows(after) { SeverityCounts::default() } else { self.of_change(FindingChange::Gone) };
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

    fn note(&mut self, change: FindingChange, row: &FindingRow<'_>) {
        self.counts[change as usize].add(row.severity);
        let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
        self.rules.entry(text(row.rule())).or_default()[change as usize] += 1;
        self.listed[change as usize].add(row);
    }

    /// What else there is to know about the comparison.
    pub(super) fn notes(&self) -> impl Iterator<Item = String> + '_ {
        self.warnings.iter().chain(&self.inputs.kinds).cloned().chain(self.about_versions())
    }

    /// The comparison as Markdown. `lists_known` says whether known findings are listed, too.
    pub fn markdown(&self, lists_known: bool) -> String {
        let mut text = format!("# {}\n\n", self.sentence());
        for note in self.notes() {
            text.push_str(&format!("> {}\n\n", escaped(&note)));
        }
        text.push_str(&format!("{TOTALS_HEADER}\n|---|---:|---:|---:|\n"));
        let changes = FindingChange::ALL.map(|change| (change.as_str(), self.of_change(change)));
        for (name, counts) in changes.into_iter().chain([("unchanged", self.unchanged)]) {
            text.push_str(&format!("| {name} | {} | {} | {} |\n", counts.error, counts.warning, counts.info));
        }
        if !self.rules.is_empty() {
            let (names, lines) = (FindingChange::ALL.map(FindingChange::as_str).join(" | "), "---:|".repeat(CHANGES));
            text.push_str(&format!("\n| rule | {names} |\n|---|{lines}\n"));
            for (code, counts) in &self.rules {
                let name = code.parse().ok().and_then(crate::rules::rule).map_or("", |rule| rule.name);
                let counts = counts.map(|count| count.to_string()).join(" | ");
                text.push_str(&format!("| {} {name} | {counts} |\n", escaped(code)));
            }
        }
        text.push_str(&self.inputs.markdown(escaped));
        text.push_str(&self.inputs.games.as_ref().map(|games| games.markdown(escaped)).unwrap_or_default());
        text.push_str(&section("New findings", self.listed(FindingChange::New), self.of_change(FindingChange::New).total()));
        if lists_known {
            text.push_str(&section(
                "Known findings",
                self.listed(FindingChange::Known),
                self.of_change(FindingChange::Known).total(),
            ));
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
        if self.counts.iter().all(|counts| counts.total() == 0) {
            let inputs = if self.inputs.sentence().is_some() { " in findings" } else { "" };
            return format!("No differences{inputs}");
        }
        let [new, gone] = [FindingChange::New, FindingChange::Gone].map(|change| self.of_change(change));
        let mut parts = vec![of(new, "new"), of(gone, "gone")];
        let others = [
            (FindingChange::Changed, "with changed severity"),
            (FindingChange::Known, "known from the baseline"),
            (FindingChange::Moved, "moved"),
            (FindingChange::Forgotten, "no longer known"),
            (FindingChange::Copied, "in copied inputs"),
            (FindingChange::Version, "new by another version"),
        ];
        let others = others.map(|(change, what)| (self.of_change(change), what));
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
    let shown: u64 = listed.iter().map(|finding| finding.findings).sum();
    if total > shown {
        text.push_str(&format!("{shown} of {total}, sorted by severity. All are in {COMPARE_CSV}, written with `--output`.\n\n"));
    }
    for finding in listed {
        let label = if finding.label.is_empty() { String::new() } else { format!(" ({})", escaped(&finding.label)) };
        text.push_str(&format!(
            "* **{}** {} at {}{label}: {}{}\n",
            finding.severity.as_str(),
            escaped(&finding.rule),
            escaped(&finding.place()),
            escaped(&finding.message),
            finding.and_more()
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
    change: FindingChange,
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
