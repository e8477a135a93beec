//! `chess-audit baseline`.

use std::path::Path;

use chess_audit::{
    report::{Baseline, BaselineEntry},
    rules::rules_called,
};
use jiff::{Zoned, civil::Date};

use super::{
    args::{BaselineArguments, BaselineCommand},
    outcome::Outcome,
    text::counted,
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
    let new = baseline.add(found);
    baseline.write(file)?;
    let entries = counted(baseline.len() as u64, "entry", "entries");
    anstream::println!("{}: {entries}, {new} of them new", file.display());
    Ok(())
}

fn prune(report: &Path, file: &Path, today: Date) -> anyhow::Result<()> {
    let found = Baseline::read(report)?;
    let mut baseline = Baseline::read(file)?;
    let expired = baseline.retain(|_, entry: &BaselineEntry| !entry.has_expired(today));
    let stale = baseline.retain(|fingerprint, _| found.get(fingerprint).is_some());
    baseline.write(file)?;
    let entries = counted(baseline.len() as u64, "entry", "entries");
    anstream::println!("{}: {entries} left; {stale} stale and {expired} expired were taken out", file.display());
    Ok(())
}
