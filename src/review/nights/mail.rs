//! The text about a night, for its mail and its page.

use std::path::Path;

use super::{night::Night, night_id::NightId};
use crate::{
    format::{files::GAME_KEYS_FILE, sentences::TablesAt},
    pipeline::SeverityCounts,
    review::compare_text::list,
    text::wording::{join_and, printable, quantity, thousands},
};

/// Maximum number of nights since which findings are open that are named.
const MAX_NIGHTS: usize = 4;

/// What is said about a night whose report is or will be in `report`, with a page of this name or
/// without one. `name` is how the report of another night is called, and `baseline` the file of
/// known findings. Lines end with LF.
pub(super) fn text(
    night: &Night,
    (report, page): (&str, &str),
    name: impl Fn(NightId) -> String,
    baseline: Option<&Path>,
) -> String {
    let [at, page] = [report.to_owned(), if page.is_empty() { report.to_owned() } else { format!("{report}/{page}") }]
        .map(|path| printable(&path).into_owned());
    let mut text = format!("{}\n\nReport: {page}\n", night.sentence());
    if let Some((last, comparison)) = &night.compared {
        text.push_str(&format!("Compared with the report of {last}\n"));
        if night.fails_as_open() {
            let open = night.open.earlier().total();
            let tables = TablesAt::Directory(&at);
            text.push_str(&list("Findings that are still open", night.open.listed.findings(), open, tables));
        }
        text.push_str(&comparison.details(false, TablesAt::Directory(&at)));
    }
    for error in &night.unreadable {
        text.push_str(&format!("\nNote: not compared: {}\n", printable(&error.to_string())));
    }
    if let Some(uncompared) = night.about_uncompared() {
        text.push_str(&format!("\nNote: {uncompared}\n"));
    }
    if let Some((followed, known_in)) = night.open.followed() {
        text.push_str(&format!(
            "\n{}: `chess-audit baseline update {} {at} -o {}`\n",
            about_followed(followed),
            printable(&name(known_in)),
            baseline.map_or_else(|| "BASELINE".into(), |path| printable(&path.display().to_string()).into_owned())
        ));
    }
    if let Some(open) = night.about_open() {
        text.push_str(&format!("\n{open}\n"));
    }
    text
}

/// `3 known findings are in games that were edited`.
fn about_followed(followed: SeverityCounts) -> String {
    match followed.total() {
        1 => "1 known finding is in a game that was edited; to keep its entry".to_owned(),
        findings => format!("{} known findings are in games that were edited; to keep their entries", thousands(findings)),
    }
}

impl Night {
    /// What is new and lost, without a full stop.
    pub(super) fn sentence(&self) -> String {
        let Some((_, comparison)) = &self.compared else { return self.without_comparison() };
        let mut sentence = comparison.sentence();
        let uncompared = comparison.inputs.uncompared();
        if uncompared > 0 {
            let inputs = quantity(uncompared, "input", "inputs");
            sentence.push_str(&format!("; the games of {inputs} were not compared"));
        }
        if let Some(copies) = comparison.inputs.copies() {
            sentence.push_str(&format!("; {copies}"));
        }
        let still_broken = self.open.broken.total() - self.open.newly_broken;
        if still_broken > 0 {
            let broken = quantity(still_broken, "expectation is", "expectations are");
            sentence.push_str(&format!("; {broken} still not met"));
        }
        if self.fails_as_open() {
            sentence.push_str(&format!("; {} still open", thousands(self.open.earlier().total())));
        }
        if !self.unreadable.is_empty() {
            let reports = quantity(self.unreadable.len() as u64, "report", "reports");
            sentence.push_str(&format!("; {reports} cannot be read"));
        }
        sentence
    }

    /// More about the night, for its page: sentences.
    pub(super) fn facts(&self) -> Vec<String> {
        let comparison = self.compared.as_ref().map(|(_, comparison)| comparison);
        let inputs = comparison.and_then(|comparison| comparison.inputs.sentence()).map(|inputs| format!("Inputs: {inputs}."));
        let games = comparison.and_then(|comparison| comparison.inputs.games.as_ref()?.sentence());
        let games = games.map(|games| format!("Games: {games}."));
        let followed =
            self.open.followed().map(|(followed, _)| format!("{}: chess-audit baseline update.", about_followed(followed)));
        let versions = comparison.and_then(|comparison| comparison.about_versions());
        let kinds = comparison.iter().flat_map(|comparison| &comparison.inputs.kinds).cloned();
        let errors = self.unreadable.iter().map(|error| format!("Not compared: {error}."));
        let facts = [inputs, games, versions, self.about_uncompared(), followed, self.about_open()];
        errors.chain(kinds).chain(facts.into_iter().flatten()).collect()
    }

    /// Inputs whose games could not be compared.
    fn about_uncompared(&self) -> Option<String> {
        let (last, comparison) = self.compared.as_ref()?;
        let uncompared = comparison.inputs.uncompared();
        let inputs = quantity(uncompared, "input", "inputs");
        (uncompared > 0).then(|| {
            format!(
                "the report of {last} has no {GAME_KEYS_FILE}. Games that were replaced since then, in {inputs} with another \
                 text, are not noticed."
            )
        })
    }

    /// `2 findings still open since 2026-11-28`; `None` if all findings are new or known.
    fn about_open(&self) -> Option<String> {
        let open: Vec<(NightId, SeverityCounts)> = self.open.since_earlier().collect();
        let findings = |counts: SeverityCounts| match counts.error {
            0 => thousands(counts.total()),
            errors => format!("{} ({})", thousands(counts.total()), quantity(errors, "error", "errors")),
        };
        let since = |(night, counts): &(NightId, SeverityCounts)| format!("{} since {}", findings(*counts), night.date);
        let mut parts: Vec<String> = open.iter().take(MAX_NIGHTS).map(since).collect();
        let more: u64 = open.iter().skip(MAX_NIGHTS).map(|(_, counts)| counts.total()).sum();
        if more > 0 {
            parts.push(format!("{} since before", thousands(more)));
        }
        let at_least = if self.are_dates_lost { ", or longer: the last report does not say it" } else { "" };
        (!parts.is_empty()).then(|| format!("Still open: {}{at_least}.", join_and(&parts)))
    }

    /// What there is, if there is no report to compare it with.
    fn without_comparison(&self) -> String {
        let Night { unknown, known, .. } = self;
        let records = quantity(self.records, "record", "records");
        let found = format!(
            "{} in {records} of {}; {} known",
            unknown_sentence(unknown.total(), unknown.error),
            quantity(self.inputs, "input", "inputs"),
            thousands(known.total())
        );
        match (self.is_first, self.unreadable.len()) {
            (true, _) => format!("First night: {found}"),
            (false, 0) => format!("Night {}, nothing to compare with: reports/ is empty; {found}", self.id.number),
            (false, _) => format!("Night {}, nothing to compare with: no report can be read; {found}", self.id.number),
        }
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
