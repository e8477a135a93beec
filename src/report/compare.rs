//! Two reports held against each other: what is new, what is gone, what has changed its severity.
//!
//! Findings are joined on their fingerprints, which do not depend on where a record stands, in which file, or in which form
//! that is kept. A fingerprint that occurs several times (a game that is there twice) is joined as often as it occurs in both.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};
use tempfile::SpooledTempFile;

use super::{
    COLUMNS,
    reader::{FindingRow, ReadError, ReportReader},
};
use crate::{pipeline::SeverityCounts, rules::Severity};

/// Two reports cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// One of them cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no room for what has to be remembered meanwhile.
    #[error("cannot write to the temporary directory: {0}")]
    Temporary(io::Error),
    /// The comparison cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// What became of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Only the new report has it.
    New,
    /// Only the old report has it.
    Gone,
    /// Both have it, in another severity.
    Changed,
}

impl Change {
    /// The word in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Gone => "gone",
            Change::Changed => "changed",
        }
    }
}

/// The columns of `compare.csv`; the others are those of the report that the row comes from.
pub const COMPARE_COLUMNS: [&str; 2] = ["change", "severity_before"];

/// The files of a comparison.
pub const COMPARE_CSV: &str = "compare.csv";
/// The same for people.
pub const COMPARE_MD: &str = "compare.md";

/// What a comparison has found.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Findings that are new, by severity.
    pub new: SeverityCounts,
    /// Findings that are gone.
    pub gone: SeverityCounts,
    /// Findings that have changed, by their new severity.
    pub changed: SeverityCounts,
    /// Those of them that are worse than they were.
    pub worse: SeverityCounts,
    /// Findings that are as they were.
    pub unchanged: SeverityCounts,
    /// For each rule, by code: new, gone and changed.
    rules: BTreeMap<String, [u64; 3]>,
    /// The first new findings, the worst first.
    first: Vec<FirstFinding>,
    /// What a reader has to know before trusting it.
    remarks: Vec<String>,
}

#[derive(Clone, Debug)]
struct FirstFinding {
    severity: Severity,
    rule: String,
    place: String,
    label: String,
    message: String,
}

/// So many new findings are told in `compare.md`.
const MAX_TOLD: usize = 25;

impl Comparison {
    /// Findings that were not there before, or are worse than they were, from `severity` upwards.
    pub const fn new_at_least(&self, severity: Severity) -> u64 {
        self.new.at_least(severity) + self.worse.at_least(severity)
    }

    /// Compares the report in the directory `old` with the one in `new`, and writes a row for each difference to `rows`.
    ///
    /// # Errors
    /// When a report cannot be read, or something cannot be written.
    pub fn of(old: &Path, new: &Path, rows: impl Write) -> Result<Comparison, CompareError> {
        let (before, after) = (ReportReader::open(old)?, ReportReader::open(new)?);
        let mut comparison = Comparison { remarks: remarks(&before, &after), ..Comparison::default() };
        let fates = Fates::of(&before, &after)?;
        let mut writer = csv::Writer::from_writer(rows);
        let failed = |error: csv::Error| CompareError::Write { path: COMPARE_CSV.into(), source: error.into() };
        writer.write_record(COMPARE_COLUMNS.iter().chain(&COLUMNS)).map_err(failed)?;
        let mut ordinal = 0;
        after.each_finding(|row| {
            let fate = fates.new[ordinal];
            ordinal += 1;
            let (change, severity_before) = match fate {
                Fate::SAME => {
                    comparison.unchanged.add(row.severity);
                    return Ok(());
                }
                Fate::ALONE => (Change::New, None),
                Fate(before) => (Change::Changed, severity_of(before)),
            };
            comparison.note(change, &row);
            if severity_before.is_some_and(|before| before < row.severity) {
                comparison.worse.add(row.severity);
            }
            write_row(&mut writer, change, severity_before, &row).map_err(failed)
        })?;
        ordinal = 0;
        before.each_finding(|row| {
            let fate = fates.old[ordinal];
            ordinal += 1;
            if fate != Fate::ALONE {
                return Ok(());
            }
            comparison.note(Change::Gone, &row);
            write_row(&mut writer, Change::Gone, None, &row).map_err(failed)
        })?;
        writer.flush().map_err(|source| CompareError::Write { path: COMPARE_CSV.into(), source })?;
        Ok(comparison)
    }

    fn note(&mut self, change: Change, row: &FindingRow<'_>) {
        let counts = match change {
            Change::New => &mut self.new,
            Change::Gone => &mut self.gone,
            Change::Changed => &mut self.changed,
        };
        counts.add(row.severity);
        let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
        self.rules.entry(text(row.rule())).or_default()[change as usize] += 1;
        let told = self.first.len() < MAX_TOLD;
        if change != Change::New || (!told && self.first.last().is_some_and(|last| last.severity >= row.severity)) {
            return;
        }
        if !told {
            self.first.pop();
        }
        let at = self.first.partition_point(|earlier| earlier.severity >= row.severity);
        let (input, line, column) = (text(row.cell("input")), text(row.cell("line")), text(row.cell("column")));
        self.first.insert(
            at,
            FirstFinding {
                severity: row.severity,
                rule: text(row.rule()),
                place: if line.is_empty() || line == "0" { input } else { format!("{input}:{line}:{column}") },
                label: text(row.cell("game_label")),
                message: text(row.cell("message")),
            },
        );
    }

    /// The comparison as Markdown, for a mail or a pull request.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.sentence());
        for remark in &self.remarks {
            text.push_str(&format!("> {}\n\n", escaped(remark)));
        }
        text.push_str("| | errors | warnings | infos |\n|---|---:|---:|---:|\n");
        let rows = [("new", self.new), ("gone", self.gone), ("changed", self.changed), ("unchanged", self.unchanged)];
        for (word, counts) in rows {
            text.push_str(&format!("| {word} | {} | {} | {} |\n", counts.error, counts.warning, counts.info));
        }
        if !self.rules.is_empty() {
            text.push_str("\n| rule | new | gone | changed |\n|---|---:|---:|---:|\n");
            for (code, [new, gone, changed]) in &self.rules {
                let name = code.parse().ok().and_then(crate::rules::rule).map_or("", |rule| rule.name);
                text.push_str(&format!("| {} {name} | {new} | {gone} | {changed} |\n", escaped(code)));
            }
        }
        if !self.first.is_empty() {
            let all = self.new.total();
            let heading = match all.saturating_sub(self.first.len() as u64) {
                0 => "New".to_owned(),
                _ => format!("New: the first {} of {all}, the worst first; {COMPARE_CSV} has them all", self.first.len()),
            };
            text.push_str(&format!("\n## {heading}\n\n"));
            for finding in &self.first {
                let label = if finding.label.is_empty() { String::new() } else { format!(" ({})", escaped(&finding.label)) };
                text.push_str(&format!(
                    "* **{}** {} at {}{label}: {}\n",
                    finding.severity.as_str(),
                    escaped(&finding.rule),
                    escaped(&finding.place),
                    escaped(&finding.message)
                ));
            }
        }
        text
    }

    /// The outcome in a sentence, without a full stop.
    pub fn sentence(&self) -> String {
        let of = |counts: SeverityCounts, what: &str| match (counts.total(), counts.error) {
            (total, 0) => format!("{total} {what}"),
            (total, errors) => format!("{total} {what} ({errors} {})", if errors == 1 { "error" } else { "errors" }),
        };
        match (self.new.total(), self.gone.total(), self.changed.total()) {
            (0, 0, 0) => "Nothing new, nothing gone".to_owned(),
            (_, _, 0) => format!("{}, {}", of(self.new, "new"), of(self.gone, "gone")),
            _ => format!("{}, {}, {} in another severity", of(self.new, "new"), of(self.gone, "gone"), self.changed.total()),
        }
    }
}

/// What makes a comparison say less than it seems to.
fn remarks(before: &ReportReader, after: &ReportReader) -> Vec<String> {
    let mut remarks = Vec::new();
    for (report, which) in [(before, "old"), (after, "new")] {
        if report.failures > 0 {
            remarks.push(format!(
                "The {which} audit was not complete (see its failures.csv): what is {} here may only not have been read there",
                if which == "old" { "new" } else { "gone" }
            ));
        }
    }
    let others = different(&before.settings, &after.settings);
    if !others.is_empty() {
        remarks.push(format!(
            "The two audits were asked different things ({}, see run.json): that alone makes findings come and go",
            others.join(", ")
        ));
    }
    remarks
}

/// The settings that differ, but for those that are another one every night or decide about no finding.
fn different(before: &Value, after: &Value) -> Vec<String> {
    let none = Map::new();
    let [before, after] = [before, after].map(|settings| settings.as_object().unwrap_or(&none));
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differ = |key: &&String| !matches!(key.as_str(), "as_of" | "html_rows") && before.get(*key) != after.get(*key);
    keys.into_iter().filter(differ).map(|key| key.replace('_', "-")).collect()
}

/// Text inside Markdown, so that it is shown as it is.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', character]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // A name in a message must not call anybody.
            '@' => out.push_str("@\u{200B}"),
            character if character.is_control() => out.push(' '),
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
        // As it stands in the report, quotes before formulas included.
        let index = row.columns.iter().position(|column| column == name.as_bytes());
        writer.write_field(index.and_then(|index| row.cells.get(index)).unwrap_or_default())?;
    }
    writer.write_record(None::<&[u8]>)
}

/// What became of a row, in a byte: there is one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fate(u8);

impl Fate {
    /// The other report has it as well.
    const SAME: Fate = Fate(u8::MAX);
    /// The other report does not have it.
    const ALONE: Fate = Fate(u8::MAX - 1);
}

fn severity_of(byte: u8) -> Option<Severity> {
    Severity::ALL.into_iter().find(|severity| *severity as u8 == byte)
}

/// What became of every row of both reports, in the order of the rows. Other fates of a new row are the severity before.
#[derive(Debug, Default)]
struct Fates {
    old: Vec<Fate>,
    new: Vec<Fate>,
}

impl Fates {
    fn of(before: &ReportReader, after: &ReportReader) -> Result<Fates, CompareError> {
        let (mut old, mut new) = (Parts::new(), Parts::new());
        before.each_finding(|row| old.add(&row))?;
        after.each_finding(|row| new.add(&row))?;
        let mut fates = Fates { old: vec![Fate::ALONE; old.rows as usize], new: vec![Fate::ALONE; new.rows as usize] };
        for (old, new) in old.files.into_iter().zip(new.files) {
            fates.join(&sorted(old)?, &sorted(new)?);
        }
        Ok(fates)
    }

    /// Joins what bears the same fingerprint, in the order of the rows.
    fn join(&mut self, old: &[Identity], new: &[Identity]) {
        let (mut at, mut to) = (0, 0);
        while let (Some(before), Some(after)) = (old.get(at), new.get(to)) {
            match before.fingerprint.cmp(&after.fingerprint) {
                std::cmp::Ordering::Less => at += 1,
                std::cmp::Ordering::Greater => to += 1,
                std::cmp::Ordering::Equal => {
                    self.old[before.row as usize] = Fate::SAME;
                    self.new[after.row as usize] =
                        if before.severity == after.severity { Fate::SAME } else { Fate(before.severity) };
                    at += 1;
                    to += 1;
                }
            }
        }
    }
}

/// What is remembered of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    fingerprint: u64,
    row: u64,
    severity: u8,
}

impl Identity {
    const BYTES: usize = 17;
}

/// The rows of a report by their fingerprints, in so many parts that each fits into memory; large ones are in files.
struct Parts {
    rows: u64,
    files: Vec<BufWriter<SpooledTempFile>>,
}

impl Parts {
    const NUMBER: usize = 64;
    /// So many bytes of each part stay in memory.
    const IN_MEMORY: usize = 1 << 18;

    fn new() -> Parts {
        let part = || BufWriter::with_capacity(1 << 12, SpooledTempFile::new(Parts::IN_MEMORY));
        Parts { rows: 0, files: (0..Parts::NUMBER).map(|_| part()).collect() }
    }

    fn add(&mut self, row: &FindingRow<'_>) -> Result<(), CompareError> {
        let mut bytes = [0; Identity::BYTES];
        bytes[..8].copy_from_slice(&row.fingerprint.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.rows.to_le_bytes());
        bytes[16] = row.severity as u8;
        self.rows += 1;
        let part = (row.fingerprint % Parts::NUMBER as u64) as usize;
        self.files[part].write_all(&bytes).map_err(CompareError::Temporary)
    }
}

/// A part, in the order of its fingerprints.
fn sorted(part: BufWriter<SpooledTempFile>) -> Result<Vec<Identity>, CompareError> {
    let read = || -> io::Result<Vec<Identity>> {
        let mut file = part.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut reader = BufReader::new(file);
        let mut identities = Vec::new();
        let mut bytes = [0; Identity::BYTES];
        loop {
            match reader.read_exact(&mut bytes) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(error),
            }
            let number = |from: usize| {
                let mut number = [0; 8];
                number.copy_from_slice(&bytes[from..from + 8]);
                u64::from_le_bytes(number)
            };
            identities.push(Identity { fingerprint: number(0), row: number(8), severity: bytes[16] });
        }
        identities.sort_unstable();
        Ok(identities)
    };
    read().map_err(CompareError::Temporary)
}
