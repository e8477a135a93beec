//! The text about a night, for mail.

use super::Night;
use crate::text::wording::{printable, quantity, thousands};

/// What is said about a night whose page is or will be at `page`. Lines end with LF.
pub(super) fn text(night: &Night<'_>, page: &str) -> String {
    let summary = night.summary;
    let Some((last, comparison)) = &night.compared else {
        let unknown = summary.findings.without(summary.known);
        let records = quantity(summary.counts.records(), "record", "records");
        let inputs = quantity(summary.inputs, "input", "inputs");
        return format!(
            "First night: {} in {records} of {inputs}; {} known\n\nReport: {}\n",
            unknown_sentence(unknown.total(), unknown.error),
            thousands(summary.known.total()),
            printable(page)
        );
    };
    let mut text = format!("{}\n\nReport: {}\nCompared with the report of {last}\n", comparison.sentence(), printable(page));
    text.push_str(&comparison.details(false));
    text
}

/// `3 findings (1 error)`.
fn unknown_sentence(findings: u64, errors: u64) -> String {
    match (findings, errors) {
        (0, _) => "no new findings".to_owned(),
        (_, 0) => quantity(findings, "finding", "findings"),
        (_, errors) => format!("{} ({})", quantity(findings, "finding", "findings"), quantity(errors, "error", "errors")),
    }
}
