//! `chess-audit baseline`.

use std::path::Path;

use chess_audit::{
    report::{Baseline, BaselineEntry, ReportReader},
    rules::{Profile, Selection, Severity, rule, rules_called},
};
use jiff::{Zoned, civil::Date};
use serde_json::Value;

use super::{
    args::{BaselineArguments, BaselineCommand},
    outcome::Outcome,
    text::quantity,
};

/// Writes or prunes a baseline.
pub fn run(arguments: &BaselineArguments) -> anyhow::Result<Outcome> {
    match &arguments.command {
        BaselineCommand::Write { report, file, reason, until, select } => write(report, file, reason, *until, select)?,
        BaselineCommand::Prune { report, file, as_of } => prune(report, file, as_of.unwrap_or_else(today))?,
    }
    Ok(Outcome::Clean)
}

/// The day on which the program runs, where nobody says another one.
pub fn today() -> Date {
    Zoned::now().date()
}

fn write(report: &Path, file: &Path, reason: &str, until: Option<Date>, select: &[String]) -> anyhow::Result<()> {
    let mut found = Baseline::read(report)?;
    let mut rules = Vec::new();
    for word in select {
        rules.extend(rules_called(word)?.into_iter().map(|rule| rule.code.to_string()));
    }
    if !rules.is_empty() {
        found.retain(|_, entry| rules.iter().any(|code| code == entry.rule()));
    }
    found.give(reason, until);
    let mut baseline = if file.exists() { Baseline::read(file)? } else { Baseline::default() };
    let (new, renewed) = baseline.add(found, today());
    baseline.write(file)?;
    let entries = quantity(baseline.len() as u64, "entry", "entries");
    let renewed = if renewed > 0 { format!(" and {renewed} renewed") } else { String::new() };
    anstream::println!("{}: {entries}, {new} of them new{renewed}", file.display());
    if report.is_dir()
        && let Some(reason) = incomplete(&ReportReader::open(report)?)
    {
        anstream::eprintln!("note: {} may not hold all findings: {reason}", report.display());
    }
    Ok(())
}

/// Why there may be findings that the report does not list.
fn incomplete(report: &ReportReader) -> Option<&'static str> {
    if report.failures > 0 {
        Some("that audit was not complete, see its failures.csv")
    } else if !report.settings["max_rows"].is_null() {
        Some("`max-rows` left some out")
    } else {
        None
    }
}

/// The rules that a report was about.
fn asked(report: &ReportReader) -> anyhow::Result<Selection> {
    let settings = &report.settings;
    let words = |key: &str| settings[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let profile = Profile::ALL.into_iter().find(|profile| settings["profile"].as_str() == Some(profile.as_str()));
    let mut selection = Selection::of(profile.unwrap_or_default()).select(words("select"))?.ignore(words("ignore"))?;
    for (word, severity) in settings["severity"].as_object().into_iter().flatten() {
        if let Some(severity) = Severity::ALL.into_iter().find(|known| severity.as_str() == Some(known.as_str())) {
            selection = selection.with_severity(word, severity)?;
        }
    }
    Ok(selection)
}

/// Whether the finding would be told again, were it still there.
pub fn is_asked(entry: &BaselineEntry, selection: &Selection) -> bool {
    entry.rule().parse().ok().and_then(rule).is_none_or(|rule| selection.runs(rule))
}

fn prune(report: &Path, file: &Path, today: Date) -> anyhow::Result<()> {
    let found = Baseline::read(report)?;
    let mut selection = None;
    if report.is_dir() {
        let reader = ReportReader::open(report)?;
        if let Some(reason) = incomplete(&reader) {
            anyhow::bail!(
                "`{}` does not tell what is no longer found: {reason}; audit everything, and prune with that report",
                report.display()
            );
        }
        selection = Some(asked(&reader)?);
    }
    let mut baseline = Baseline::read(file)?;
    let expired = baseline.retain(|_, entry: &BaselineEntry| !entry.has_expired(today));
    let asked = |entry: &BaselineEntry| selection.as_ref().is_none_or(|selection| is_asked(entry, selection));
    let stale = baseline.retain(|fingerprint, entry| found.get(fingerprint).is_some() || !asked(entry));
    baseline.write(file)?;
    let entries = quantity(baseline.len() as u64, "entry", "entries");
    anstream::println!("{}: {entries} left; {stale} stale and {expired} expired were taken out", file.display());
    Ok(())
}
