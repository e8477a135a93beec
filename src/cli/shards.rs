//! `chess-audit shards` and `chess-audit check --plan`: an audit on many machines.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::Path,
};

use crate::{
    corpus::{FoundInputs, Wanted},
    format::{ReadAs, RunFiles},
    identity::CardUse,
    pipeline::{Audit, MergeError, PartEnd, Progress, Settings, Shard},
    report::{Committed, PartSettings, Parts, Plan},
    text::wording::{quantity, thousands},
};
use anyhow::Context;

use super::{
    args::{AuditArguments, MergeArguments, PlanArguments, ShardsArguments, ShardsCommand},
    check::Prepared,
    files, interrupt,
    outcome::Outcome,
    stderr::print_warning,
    text::{ignore_broken_pipe, printable},
};
use crate::cli::settings::{options, resolved::ResolvedSettings};

/// The script that audits shards on Apache Spark.
const SPARK_JOB: &str = include_str!("spark_job.py");

/// Plans shards, merges their parts, or prints the script.
pub fn run(arguments: &ShardsArguments) -> anyhow::Result<Outcome> {
    match &arguments.command {
        ShardsCommand::Plan(arguments) => plan(arguments),
        ShardsCommand::Merge(arguments) => merge(arguments),
        ShardsCommand::SparkJob => spark_job(),
    }
}

/// Prints the script.
fn spark_job() -> anyhow::Result<Outcome> {
    ignore_broken_pipe(io::stdout().lock().write_all(SPARK_JOB.as_bytes()))?;
    Ok(Outcome::Success)
}

/// Plans the shards of an audit.
fn plan(arguments: &PlanArguments) -> anyhow::Result<Outcome> {
    let words: Vec<OsString> = arguments.exclude.iter().map(|glob| format!("--exclude={glob}").into()).collect();
    let resolved = ResolvedSettings::new(&options::of_file(arguments.config.as_deref(), arguments.no_config, &words)?)?;
    let wanted = Wanted {
        words: arguments.inputs.paths.clone(),
        lists: arguments.inputs.files_from.clone(),
        format: None,
        stdin_name: arguments.inputs.stdin_name.clone(),
        exclude: resolved.exclude()?,
        follow: arguments.follow || resolved.follow(),
        keep_missing: false,
    };
    let found: FoundInputs = wanted.find()?;
    let mut files = RunFiles::default();
    files::note_settings(&mut files, &resolved);
    files::note_lists(&mut files, &arguments.inputs.files_from);
    files.reads_inputs(&found.inputs);
    files.writes(&arguments.output, "--output");
    let files = files.checked()?;
    let plan = Plan::new(&found, arguments.target_size, resolved.recorded_exclusions())?;
    let failed = || format!("--output {}", arguments.output.display());
    let mut file = Plan::create(&arguments.output)?.apart_from(&files);
    plan.write(&mut file).with_context(failed)?;
    file.finish().with_context(failed)?;
    let shards = quantity(plan.len() as u64, "shard", "shards");
    let inputs = quantity(plan.inputs() as u64, "input", "inputs");
    let line = format!("{shards} of {inputs}, {} bytes: {}", thousands(plan.bytes()), arguments.output.display());
    print_line(&line)?;
    Ok(Outcome::Success)
}

fn print_line(line: &str) -> io::Result<()> {
    ignore_broken_pipe(writeln!(anstream::stdout().lock(), "{}", printable(line)))
}

/// Audits a shard, and writes its part.
pub fn check(plan: &Path, number: usize, arguments: &AuditArguments) -> anyhow::Result<Outcome> {
    let mut prepared = Prepared::new(arguments)?;
    anyhow::ensure!(
        !prepared.prints_findings(),
        "--plan and --shard cannot be used with printed findings: give `--format` to `chess-audit shards merge`"
    );
    prepared.files.reads(plan, ReadAs::Plan);
    let plan = Plan::read(plan)?;
    plan.check_exclude(&prepared.run_settings.exclude)?;
    let shard = plan.shard_numbered(number, prepared.run_settings.format)?;
    let directory = arguments.output.as_deref().context("--output is missing")?;
    anyhow::ensure!(
        !directory.join("run.json").exists(),
        "`{}` contains a report; choose another directory for the parts with --output",
        directory.display()
    );
    let settings = PartSettings::new(&prepared.run_settings, &prepared.settings.known)?;
    let parts = Parts::new(directory, &plan, settings);
    let inputs = match &shard {
        Shard::Inputs(inputs) => inputs.iter().map(|planned| planned.input.clone()).collect::<Vec<_>>(),
        Shard::Piece(piece) => vec![piece.input.clone()],
    };
    prepared.files.writes(&parts.manifest_path(number), "--output");
    prepared.checked_files(&inputs, None)?;
    let stop = interrupt::stop_flag("no report was written");
    let bar = prepared.bar(&inputs)?;
    let progress: &dyn Progress = match &bar {
        Some(bar) => bar,
        None => &(),
    };
    // `shards merge` may be asked to list the repairs, or all games.
    let games = prepared.settings.games.map(|_| CardUse::List);
    let audit = Audit::new(Settings { repairs: true, games, ..prepared.settings.clone() });
    let committed = parts.commit(number, |to| audit.shard(&shard, to, progress, stop), || prepared.engine_name());
    drop(bar);
    let place = format!("shard {number} of {} in {}", plan.len(), directory.display());
    match committed? {
        Committed::Interrupted => {
            interrupt::announce();
            return Ok(Outcome::Interrupted);
        }
        Committed::Now(Some(reason)) => {
            print_warning(&format!("{place}: {reason}; audit the shard again if that can be repaired"));
        }
        _ if arguments.quiet => {}
        Committed::Now(None) => print_line(&format!("{place}: audited"))?,
        Committed::Before => print_line(&format!("{place}: was audited before"))?,
    }
    Ok(Outcome::Success)
}

/// How all shards ended, and the name of the engine.
fn verified(parts: &Parts<'_>, shards: usize) -> anyhow::Result<(Vec<PartEnd>, Option<String>)> {
    let mut ends = Vec::with_capacity(shards);
    let mut engine = None;
    let mut missing = Vec::new();
    let mut first = None;
    for number in 1..=shards {
        match parts.verify(number) {
            Ok((end, name)) => {
                ends.push(end);
                engine = engine.or(name);
            }
            Err(error) => {
                missing.push(number);
                first.get_or_insert(error);
            }
        }
    }
    match first {
        None => Ok((ends, engine)),
        Some(error) if missing.len() == 1 => Err(error.into()),
        Some(error) => {
            let (count, numbers) = (thousands(missing.len() as u64), ranges(&missing));
            Err(anyhow::anyhow!(
                "{count} of {} shards cannot be merged: {numbers}; the first one: {error}",
                thousands(shards as u64)
            ))
        }
    }
}

/// Ascending numbers, as batch systems read them: `1-3,7`.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|number, next| number + 1 == *next);
    let shown: Vec<String> = runs
        .map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            _ => run.iter().map(usize::to_string).collect(),
        })
        .collect();
    shown.join(",")
}

/// Makes a report of the parts of all shards.
fn merge(arguments: &MergeArguments) -> anyhow::Result<Outcome> {
    let mut prepared = Prepared::new(&arguments.audit)?;
    prepared.files.reads(&arguments.plan, ReadAs::Plan);
    prepared.files.reads(&arguments.parts, ReadAs::Part);
    let plan = Plan::read(&arguments.plan)?;
    plan.check_exclude(&prepared.run_settings.exclude)?;
    let shards = plan.shards(prepared.run_settings.format)?;
    let settings = PartSettings::new(&prepared.run_settings, &prepared.settings.known)?;
    let parts = Parts::new(&arguments.parts, &plan, settings);
    let is_quiet = arguments.audit.quiet;
    prepared.order_by(plan.order().clone());
    let (ends, engine) = verified(&parts, shards.len())?;
    let unread: Vec<usize> = (1..).zip(&ends).filter(|(_, end)| end.unread.is_some()).map(|(number, _)| number).collect();
    if !unread.is_empty() && !is_quiet {
        let shards = ranges(&unread);
        print_warning(&format!(
            "not all inputs could be read in these shards: {shards}; if that can be repaired, audit them again, and merge again"
        ));
    }
    if arguments.dry_run {
        let redo = Audit::shards_to_redo(&shards, &ends);
        for index in &redo.shards {
            print_line(&format!("shard {}: its first record was guessed wrong; `shards merge` audits it again", index + 1))?;
        }
        let count = quantity(redo.shards.len() as u64, "shard", "shards");
        // What follows a wrong guess is known only then.
        let about = if redo.shards.is_empty() { "" } else { "about " };
        print_line(&format!("{about}{count} of {} to audit again", plan.len()))?;
        return Ok(Outcome::Success);
    }
    let inputs = plan.all_inputs(prepared.run_settings.format)?;
    let ended = prepared.report(inputs, &[], |settings, _, sink, progress, stop| {
        let mut open = |shard: usize| {
            let end = ends.get(shard).cloned().unwrap_or_default();
            parts.open(shard + 1, end).map_err(|error| MergeError::Io(io::Error::other(error)))
        };
        let mut again = 0_u64;
        let merged = Audit::new(settings).merge(&shards, &mut open, sink, progress, stop, &mut |_| again += 1);
        let mut summary = merged.map_err(|error| match error {
            MergeError::Part { shard, source } => anyhow::Error::new(parts.damaged(shard + 1, &source)),
            MergeError::Io(error) => anyhow::Error::new(error),
        })?;
        if again > 0 && !is_quiet {
            let shards = quantity(again, "shard was", "shards were");
            print_warning(&format!("{shards} audited again, because the first record was guessed wrong"));
        }
        summary.skipped.add(plan.skipped());
        summary.engine = engine;
        Ok(summary)
    })?;
    Ok(ended.outcome)
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_in_a_row_are_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[5]), "5");
    }
}
