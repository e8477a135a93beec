//! Sentences about a run: what was read and what was found.

use crate::{
    pipeline::{RunSummary, SeverityCounts},
    text::wording::{join_and, quantity, thousands},
};

/// Bytes in the unit that suits them.
pub fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return quantity(bytes, "byte", "bytes");
    }
    indicatif::DecimalBytes(bytes).to_string()
}

/// `1 error and 2 warnings`.
pub fn found(findings: SeverityCounts) -> String {
    let words =
        [(findings.error, "error", "errors"), (findings.warning, "warning", "warnings"), (findings.info, "info", "infos")];
    let parts: Vec<String> =
        words.into_iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| quantity(count, one, many)).collect();
    if parts.is_empty() { "nothing".to_owned() } else { join_and(&parts) }
}

/// What was read: records, plies, inputs and bytes.
pub fn read(summary: &RunSummary) -> String {
    let counts = summary.counts;
    let mut parts = Vec::new();
    if counts.games > 0 || counts.positions == 0 {
        parts.push(quantity(counts.games, "game", "games"));
    }
    if counts.positions > 0 {
        parts.push(quantity(counts.positions, "position", "positions"));
    }
    parts.push(quantity(counts.plies, "ply replayed", "plies replayed"));
    format!("{}; {}, {}", join_and(&parts), quantity(summary.inputs, "input", "inputs"), size(counts.bytes))
}

/// How a run came out, in a sentence without a full stop.
pub fn verdict(summary: &RunSummary) -> String {
    let records = summary.counts.records();
    let text = if summary.findings.total() > 0 {
        let with = thousands(summary.records_with_findings);
        format!("{} in {with} of {}", found(summary.findings), quantity(records, "record", "records"))
    } else if records == 0 {
        "No records found".to_owned()
    } else {
        format!("Nothing wrong found in {}", quantity(records, "record", "records"))
    };
    if summary.failures > 0 { format!("The audit is not complete. {text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!([size(1), size(1_500_000)], ["1 byte", "1.50 MB"]);
    }
}
