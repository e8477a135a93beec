//! The first findings of a list: one for each rule and severity of an input, with their number.

use super::reader::FindingRow;
use crate::{rules::Severity, text::wording::thousands};

/// Maximum number of findings in each list.
const MAX_LISTED: usize = 25;

/// A finding that is listed, the first one of its rule and severity in its input.
#[derive(Clone, Debug)]
pub(super) struct ListedFinding {
    /// Number of such findings.
    pub findings: u64,
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

    /// `; the first of 20 in this input`, if there are more of this rule.
    pub fn and_more(&self) -> String {
        if self.findings == 1 { String::new() } else { format!("; the first of {} in this input", thousands(self.findings)) }
    }
}

/// The first findings of a list, the worst first.
#[derive(Clone, Debug, Default)]
pub(super) struct FindingList(Vec<ListedFinding>);

impl FindingList {
    /// Adds a finding, if it is one of the first.
    pub fn add(&mut self, row: &FindingRow<'_>) {
        let FindingList(listed) = self;
        let is_alike = |earlier: &&mut ListedFinding| {
            let same = [(earlier.rule.as_bytes(), row.rule()), (earlier.input.as_bytes(), row.cell("input"))];
            earlier.severity == row.severity && same.iter().all(|(one, other)| one == other)
        };
        if let Some(first) = listed.iter_mut().find(is_alike) {
            first.findings += 1;
            return;
        }
        let at = listed.partition_point(|earlier| earlier.severity >= row.severity);
        if at >= MAX_LISTED {
            return;
        }
        listed.truncate(MAX_LISTED - 1);
        let text = |name: &str| String::from_utf8_lossy(row.cell(name)).into_owned();
        let number = |name: &str| text(name).parse().unwrap_or_default();
        let finding = ListedFinding {
            findings: 1,
            severity: row.severity,
            rule: text("rule"),
            input: text("input"),
            line: number("line"),
            column: number("column"),
            label: text("game_label"),
            message: text("message"),
        };
        listed.insert(at, finding);
    }

    /// The findings.
    pub fn findings(&self) -> &[ListedFinding] {
        &self.0
    }
}
