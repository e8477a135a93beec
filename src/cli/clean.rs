//! `chess-audit clean`.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anstyle::Style;

use super::{
    args::CleanArguments,
    check::{Prepared, find, split_on},
    interrupt,
    outcome::Outcome,
    outputs::print_failures,
    text::{ignore_broken_pipe, printable, quantity, thousands},
};
use crate::{
    edit::{Clean, CleanError, CleanOutcome, Cleaned, Decisions, Names, Step},
    format::ReadAs,
    pipeline::Progress,
};

const BOLD: Style = Style::new().bold();

/// The steps that are taken unless the user chooses some.
const STEPS: [Step; 5] = [Step::Repair, Step::Names, Step::Complete, Step::Copies, Step::Aside];

/// Prints a plan, or writes a clean corpus.
pub fn run(arguments: &CleanArguments) -> anyhow::Result<Outcome> {
    let CleanArguments { inputs: given, audit, .. } = arguments;
    anyhow::ensure!(audit.repairs.is_none(), "--repairs belongs to `check`; `clean` makes repairs itself");
    anyhow::ensure!(audit.games.is_none(), "--games belongs to `check`; the report of `clean` has no list of games");
    let mut prepared = Prepared::new(audit)?;
    anyhow::ensure!(!prepared.prints_findings(), "`clean` prints no findings; remove --format");
    let steps = if arguments.steps.is_empty() { STEPS.to_vec() } else { arguments.steps.clone() };
    // Copies are looked for, so the order of inputs matters.
    prepared.settings.options.duplicates = steps.iter().any(|step| matches!(step, Step::Names | Step::Complete | Step::Copies));
    let decisions = match &arguments.decisions {
        None => Decisions::default(),
        Some(_) if !steps.contains(&Step::Copies) => anyhow::bail!("--decisions needs the step `copies`"),
        Some(file) => {
            prepared.files.reads(file, ReadAs::Decisions);
            Decisions::read(file)?
        }
    };
    let names = match &arguments.names {
        None => Names::default(),
        Some(_) if !steps.contains(&Step::Names) => anyhow::bail!("--names needs the step `names`"),
        Some(file) => {
            prepared.files.reads(file, ReadAs::Names);
            Names::read(file)?
        }
    };
    let inputs = find(&mut prepared, given)?.inputs;
    if let Some(directory) = &audit.output {
        check_outside(directory, &given.paths)?;
    }
    if let Some(file) = &arguments.into {
        check_outside(file, &given.paths)?;
        prepared.files.writes(file, "--into");
    }
    prepared.checked_files(&inputs, None)?;
    let stop = interrupt::stop_flag("nothing was written");
    let inputs = inputs.into_iter().map(super::check::rereadable).collect::<anyhow::Result<Vec<_>>>()?;
    let watch = |inputs: &[_]| Some(Box::new(prepared.bar(inputs).ok()??) as Box<dyn Progress>);
    let clean = Clean {
        inputs,
        settings: prepared.settings.clone(),
        run_settings: prepared.run_settings.clone(),
        steps,
        likely: arguments.likely,
        versions: arguments.versions,
        names,
        decisions,
        split_on: split_on(&arguments.split_on)?,
        annotate: arguments.annotate,
        watch: &watch,
        stop,
    };
    let result = audit.output.as_ref().or(arguments.into.as_ref());
    result.map_or(Ok(()), |result| check_space(result, &clean))?;
    let done = match (&audit.output, &arguments.into) {
        (Some(directory), _) => clean.write(directory, audit.force),
        (None, Some(file)) => clean.write_into(file, audit.force),
        (None, None) => clean.plan(),
    };
    let CleanOutcome { cleaned, failures, .. } = match done {
        Err(CleanError::Interrupted) => {
            interrupt::announce();
            return Ok(Outcome::Interrupted);
        }
        done => done?,
    };
    let shown = failures.len().min(10);
    print_failures(&failures[..shown], failures.len() as u64, audit.output.as_deref());
    if !audit.quiet {
        let mut to = anstream::stdout().lock();
        let printed = match (&audit.output, &arguments.into) {
            (Some(directory), _) => print_result(&mut to, &cleaned, &directory.join("games"), Some(&directory.join("report"))),
            (None, Some(file)) => print_result(&mut to, &cleaned, file, None),
            (None, None) => print_plan(&mut to, &cleaned),
        };
        ignore_broken_pipe(printed)?;
    }
    let is_changed = match result {
        Some(_) => cleaned.aside + cleaned.other_text + cleaned.decide > 0 || !failures.is_empty(),
        None if !failures.is_empty() => return Ok(Outcome::Failed),
        None => !cleaned.is_nothing(),
    };
    Ok(if is_changed { Outcome::Findings } else { Outcome::Success })
}

/// Refuses a result that would be found as an input.
fn check_outside(directory: &Path, given: &[PathBuf]) -> Result<(), CleanError> {
    let parent = match directory.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let Ok(parent) = fs::canonicalize(parent) else { return Ok(()) };
    let place = parent.join(directory.file_name().unwrap_or_default());
    let contains = |input: &&PathBuf| input.is_dir() && fs::canonicalize(input).is_ok_and(|input| place.starts_with(input));
    match given.iter().find(contains) {
        Some(input) => Err(CleanError::Inside { directory: directory.to_owned(), input: input.clone() }),
        None => Ok(()),
    }
}

/// Fails if there is too little space for a copy of all inputs, and for those that are repaired.
fn check_space(directory: &Path, clean: &Clean<'_>) -> Result<(), CleanError> {
    let needed = clean.inputs.iter().filter_map(|input| input.size_on_disk()).sum::<u64>();
    match free_space(directory) {
        Some(free) if free < needed => Err(CleanError::NoSpace { directory: directory.to_owned(), needed, free }),
        _ => Ok(()),
    }
}

/// Number of bytes that can be written next to `directory`, if that is known.
#[cfg(unix)]
fn free_space(directory: &Path) -> Option<u64> {
    let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let space = rustix::fs::statvfs(parent).ok()?;
    space.f_bavail.checked_mul(space.f_frsize)
}

#[cfg(not(unix))]
fn free_space(_: &Path) -> Option<u64> {
    None
}

fn print_steps(to: &mut dyn Write, cleaned: &Cleaned, is_plan: bool) -> io::Result<()> {
    cleaned.steps(is_plan).iter().try_for_each(|(name, text)| writeln!(to, "{BOLD}{name:<13}{BOLD:#}{text}"))
}

fn print_plan(to: &mut dyn Write, cleaned: &Cleaned) -> io::Result<()> {
    let Cleaned { inputs, records, .. } = *cleaned;
    let read = format!("{} in {}", quantity(records, "record", "records"), quantity(inputs, "input", "inputs"));
    if cleaned.is_nothing() {
        writeln!(to, "{BOLD}Nothing to do{BOLD:#}: {read}")?;
        return print_steps(to, cleaned, true);
    }
    writeln!(to, "{BOLD}Plan{BOLD:#} for {read}; nothing was written\n")?;
    print_steps(to, cleaned, true)?;
    writeln!(to, "{BOLD}{:<13}{BOLD:#}the same command with -o clean", "Do this")
}

fn print_result(to: &mut dyn Write, cleaned: &Cleaned, games: &Path, report: Option<&Path>) -> io::Result<()> {
    let Cleaned { kept, records, .. } = *cleaned;
    let shown = |path: &Path| printable(&path.display().to_string()).into_owned();
    writeln!(to, "{BOLD}{} of {} records{BOLD:#} are in {}\n", thousands(kept), thousands(records), shown(games))?;
    print_steps(to, cleaned, false)?;
    let report = report.map(|report| report.join("report.html"));
    report.map_or(Ok(()), |report| writeln!(to, "{BOLD}{:<13}{BOLD:#}{}", "Report", shown(&report)))
}
