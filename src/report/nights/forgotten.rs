//! Findings that were known in the last report and are not known now: their entries in the baseline
//! have expired, or were removed. A comparison finds no difference between them.

use std::collections::HashSet;

use crate::{
    pipeline::SeverityCounts,
    report::reader::{FindingRow, ReadError, ReportReader},
};

/// Maximum number of findings in the list.
const MAX_LISTED: usize = 25;

/// Findings that are no longer known.
#[derive(Clone, Debug, Default)]
pub(super) struct Forgotten {
    /// Their number.
    pub counts: SeverityCounts,
    /// A line for each of the first ones.
    pub listed: Vec<String>,
}

impl Forgotten {
    /// Those of two reports.
    pub fn of(old: &ReportReader, new: &ReportReader) -> Result<Forgotten, ReadError> {
        let mut forgotten = Forgotten::default();
        if !old.has_known {
            return Ok(forgotten);
        }
        let mut known = HashSet::new();
        old.for_each_finding(|row| {
            if is_known(&row) {
                known.insert(row.fingerprint);
            }
            Ok::<(), ReadError>(())
        })?;
        new.for_each_finding(|row| {
            if !is_known(&row) && known.contains(&row.fingerprint) {
                forgotten.counts.add(row.severity);
                if forgotten.listed.len() < MAX_LISTED {
                    forgotten.listed.push(describe(&row));
                }
            }
            Ok::<(), ReadError>(())
        })?;
        Ok(forgotten)
    }
}

fn is_known(row: &FindingRow<'_>) -> bool {
    row.cell("known") == b"true"
}

fn describe(row: &FindingRow<'_>) -> String {
    let [rule, input, line, column, message] =
        ["rule", "input", "line", "column", "message"].map(|name| String::from_utf8_lossy(row.cell(name)));
    format!("{input}:{line}:{column}: {} {rule} {message}", row.severity.as_str())
}
