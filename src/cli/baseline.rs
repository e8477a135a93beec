//! `chess-audit baseline`.

use std::path::Path;

use crate::{
    report::OwnFile,
    review::{Baseline, BaselineEntry, ReportReader},
    rules::{Profile, Selection, Severity, rule, rules_called},
};
use jiff::civil::Date;
use serde_json::Value;

use super::{
    args::{BaselineArguments, BaselineCommand},
    date::today,
    files,
    outcome::Outcome,
    stderr::print_warning,
    text::{print_line, quantity},
};

/// Writes or prunes a baseline.
pub fn run(arguments: &BaselineArguments) -> anyhow::Result<Outcome> {
    match &arguments.command {
        BaselineCommand::Write { report, file, reason, until, select, force } => {
            files::check_baseline(&[report], file)?;
            let earlier = if file.is_file() { Baseline::read(file)? } else { Baseline::default() };
            check_file(file, *force)?;
            write(report, file, earlier, reason, *until, select)?;
        }
        BaselineCommand::Update { old, new, file, force } => {
            files::check_baseline(&[old, new], file)?;
            let mut baseline = Baseline::read(file)?;
            check_file(file, *force)?;
            let followed = baseline.follow(old, new)?;
            baseline.write(file)?;
            let entries = quantity(baseline.len(), "entry", "entries");
            print_line(&format!("{}: {entries} ({followed} moved)", file.display()))?;
        }
        BaselineCommand::Prune { report, file, as_of, force } => {
            files::check_baseline(&[report], file)?;
            let earlier = Baseline::read(file)?;
            check_file(file, *force)?;
            prune(report, file, earlier, as_of.unwrap_or_else(today))?;
        }
    }
    Ok(Outcome::Success)
}

/// Refuses to replace another table that can be read as a baseline, for example one of a report.
fn check_file(file: &Path, force: bool) -> anyhow::Result<()> {
    if force { Ok(()) } else { Ok(OwnFile::Baseline.check(file)?) }
}

/// Adds the findings of a report to the baseline `earlier`, and writes it to `file`.
fn write(
    report: &Path,
    file: &Path,
    earlier: Baseline,
    reason: &str,
    until: Option<Date>,
    select: &[String],
) -> anyhow::Result<()> {
    let mut added = Baseline::read(report)?;
    let mut rules = Vec::new();
    for name in select {
        rules.extend(rules_called(name)?.into_iter().map(|rule| rule.code.to_string()));
    }
    if !rules.is_empty() {
        added.retain(|_, entry| rules.iter().any(|code| code == entry.rule()));
    }
    added.set_reason(reason, until);
    let mut baseline = earlier;
    let (new, renewed) = baseline.add(added, today());
    baseline.write(file)?;
    let entries = quantity(baseline.len(), "entry", "entries");
    let renewed = if renewed > 0 { format!(", {renewed} renewed") } else { String::new() };
    print_line(&format!("{}: {entries} ({new} new{renewed})", file.display()))?;
    if report.is_dir()
        && let Some(reason) = incomplete(&ReportReader::open(report)?)
    {
        print_warning(&format!("`{}` may not contain all findings: {reason}", report.display()));
    }
    warn_without_digests(report)?;
    Ok(())
}

/// Warns if `path` is a report whose tables may have been changed without a trace.
pub fn warn_without_digests(path: &Path) -> anyhow::Result<()> {
    if path.is_dir() && !ReportReader::open(path)?.has_digests() {
        print_warning(&format!(
            "`{}` was written by an earlier version, without digests; only its totals were checked",
            path.display()
        ));
    }
    Ok(())
}

/// Why the report may not contain all findings.
fn incomplete(report: &ReportReader) -> Option<&'static str> {
    if report.failures > 0 {
        Some("its audit was not complete, see failures.csv")
    } else if !report.settings["max_rows"].is_null() {
        Some("its audit was run with max-rows")
    } else {
        None
    }
}

/// The rules that a report is about.
fn selection_of(report: &ReportReader) -> anyhow::Result<Selection> {
    let settings = &report.settings;
    let names = |key: &str| settings[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let profile = Profile::ALL.into_iter().find(|profile| settings["profile"].as_str() == Some(profile.as_str()));
    let mut selection = Selection::of(profile.unwrap_or_default()).select(names("select"))?.ignore(names("ignore"))?;
    for (name, severity) in settings["severity"].as_object().into_iter().flatten() {
        if let Some(severity) = Severity::ALL.into_iter().find(|known| severity.as_str() == Some(known.as_str())) {
            selection = selection.with_severity(name, severity)?;
        }
    }
    Ok(selection)
}

/// Whether the rule of an entry runs, so that the finding would be reported if it still existed.
pub fn is_selected(entry: &BaselineEntry, selection: &Selection) -> bool {
    entry.rule().parse().ok().and_then(rule).is_none_or(|rule| selection.runs(rule))
}

/// Removes entries from the baseline `earlier`, and writes it to `file`.
fn prune(report: &Path, file: &Path, earlier: Baseline, today: Date) -> anyhow::Result<()> {
    let found = Baseline::read(report)?;
    warn_without_digests(report)?;
    let mut selection = None;
    if report.is_dir() {
        let reader = ReportReader::open(report)?;
        if let Some(reason) = incomplete(&reader) {
            anyhow::bail!(
                "cannot prune with `{}`, which may not contain all findings: {reason}; prune with the report of a complete audit",
                report.display()
            );
        }
        selection = Some(selection_of(&reader)?);
    }
    let mut baseline = earlier;
    let expired = baseline.retain(|_, entry: &BaselineEntry| !entry.has_expired(today));
    let is_selected = |entry: &BaselineEntry| selection.as_ref().is_none_or(|selection| is_selected(entry, selection));
    let stale = baseline.retain(|fingerprint, entry| found.get(fingerprint).is_some() || !is_selected(entry));
    baseline.write(file)?;
    let entries = quantity(baseline.len(), "entry", "entries");
    print_line(&format!("{}: {entries} left ({stale} stale and {expired} expired removed)", file.display()))?;
    Ok(())
}
