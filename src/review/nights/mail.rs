//! The text about a night, for mail.

use super::night::Night;
use crate::{
    format::files::GAME_KEYS_FILE,
    text::wording::{printable, quantity, thousands},
};

/// What is said about a night whose page is or will be at `page`. Lines end with LF.
pub(super) fn text(night: &Night<'_>, page: &str) -> String {
    let mut notes: String =
        night.unreadable.iter().map(|error| format!("\nNote: not compared: {}\n", printable(&error.to_string()))).collect();
    let page = printable(page);
    let Some((last, comparison)) = &night.compared else {
        return format!("{}\n\nReport: {page}\n{notes}", without_comparison(night));
    };
    let mut sentence = comparison.sentence();
    let uncompared = comparison.inputs.uncompared();
    if uncompared > 0 {
        let inputs = quantity(uncompared, "input", "inputs");
        sentence.push_str(&format!("; the games of {inputs} were not compared"));
        notes.push_str(&format!(
            "\nNote: the report of {last} has no {GAME_KEYS_FILE}. Games that were replaced since then, in {inputs} with another \
             text, are not noticed.\n"
        ));
    }
    if !night.unreadable.is_empty() {
        let reports = quantity(night.unreadable.len() as u64, "report", "reports");
        sentence.push_str(&format!("; {reports} cannot be read"));
    }
    format!("{sentence}\n\nReport: {page}\nCompared with the report of {last}\n{notes}{}", comparison.details(false))
}

/// What there is, if there is no report to compare it with.
fn without_comparison(night: &Night<'_>) -> String {
    let summary = night.summary;
    let unknown = summary.findings.without(summary.known);
    let records = quantity(summary.counts.records(), "record", "records");
    let found = format!(
        "{} in {records} of {}; {} known",
        unknown_sentence(unknown.total(), unknown.error),
        quantity(summary.inputs, "input", "inputs"),
        thousands(summary.known.total())
    );
    match (night.is_first, night.unreadable.len()) {
        (true, _) => format!("First night: {found}"),
        (false, 0) => format!("Night {}, nothing to compare with: reports/ is empty; {found}", night.id.number),
        (false, _) => format!("Night {}, nothing to compare with: no report can be read; {found}", night.id.number),
    }
}

/// `3 findings (1 error)`.
fn unknown_sentence(findings: u64, errors: u64) -> String {
    match (findings, errors) {
        (0, _) => "no new findings".to_owned(),
        (_, 0) => quantity(findings, "finding", "findings"),
        (_, errors) => format!("{} ({})", quantity(findings, "finding", "findings"), quantity(errors, "error", "errors")),
    }
}
