//! A position inside other text, such as JSON lines and program text.

use super::{RecordChecks, RecordOutcome, Window, check_line_bytes, examine_line_to, next_line, row::with_cell};
use crate::{
    rules::{Findings, facts::RecordBytes, report_enclosed},
    table::{Enclosed, next_enclosed},
};

/// Audits the first position at or after `start`, on the same line. The record ends with it, or with
/// the line if there is none.
pub(super) fn read_enclosed(window: Window<'_>, start: usize, checks: &RecordChecks, findings: &mut Findings) -> RecordOutcome {
    let text = window.text;
    let mut outcome = RecordOutcome::default();
    match next_enclosed(text, start) {
        Ok(Enclosed { content, end }) => {
            report_enclosed(findings, content.place());
            let examined = with_cell(text, &content, b'"', findings, |text, place, findings| {
                examine_line_to(text, place, checks.games.declared(), checks.positions, None, findings)
            });
            outcome.counts.positions = 1;
            (outcome.evidence.is_chess, outcome.evidence.is_mostly_chess) = (true, true);
            outcome.evidence.position = examined.map(|examined| examined.evidence);
            outcome.end = end;
            // Other positions may follow on the same line.
            let is_line_end = matches!(text.get(end), Some(b'\n' | b'\r'));
            outcome.next = if is_line_end { next_line(text, end) } else { end };
        }
        Err(line_end) => (outcome.end, outcome.next) = (line_end, next_line(text, line_end)),
    }
    outcome.touched_end = outcome.next >= text.len();
    let bytes = RecordBytes { text, start, end: outcome.end, at_input_start: start == 0 && window.base == 0 };
    check_line_bytes(&bytes, &checks.games.rules, findings);
    outcome
}
