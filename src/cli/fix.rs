//! `chess-audit fix`.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use crate::{
    edit::{Control, DiffStyle, Fix, FixError, FixPlan, FixProgress, Fixed},
    rules::{Profile, Selection},
};
use anyhow::{Context, anyhow};

use super::{
    args::FixArguments,
    interrupt,
    outcome::Outcome,
    printer::{Printer, is_stdout},
    progress::FixBar,
    stderr::print_warning,
    text::{ignore_broken_pipe, printable, quantity},
};

/// Maximum number of files printed whose owner has changed.
const MAX_FILES: usize = 10;

/// What is done with the repairs.
#[derive(Clone, Copy, Debug)]
enum Task<'a> {
    Diff,
    InPlace { backup: Option<&'a str> },
    StandardOutput(&'a Path),
    File(&'a Path),
    Directory(&'a Path),
}

impl Task<'_> {
    fn of(arguments: &FixArguments) -> anyhow::Result<Task<'_>> {
        let is_file = matches!(arguments.paths.as_slice(), [path] if !path.is_dir());
        match &arguments.output {
            _ if arguments.diff => Ok(Task::Diff),
            _ if arguments.in_place => Ok(Task::InPlace { backup: arguments.backup.as_deref() }),
            Some(output) if is_stdout(output) => Ok(Task::StandardOutput(output)),
            Some(output) if is_file && !output.is_dir() && !ends_with_slash(output) => Ok(Task::File(output)),
            Some(output) => Ok(Task::Directory(output)),
            None => Err(anyhow!(
                "choose what to do: --diff shows the repairs, --in-place makes them, --output OUT writes repaired copies"
            )),
        }
    }

    /// The same, now that the inputs are known.
    fn resolved(self, plan: &FixPlan) -> Self {
        match self {
            Task::File(output) if plan.has_members() => Task::Directory(output),
            task => task,
        }
    }

    /// Whether the result has standard output to itself.
    const fn prints_result(self) -> bool {
        matches!(self, Task::Diff | Task::StandardOutput(_))
    }

    fn run(self, plan: &FixPlan, force: bool, control: Control<'_>) -> Result<Fixed, FixError> {
        let stdout = Path::new("standard output");
        match self {
            Task::Diff => plan.write_diff(Printer::new(None), stdout, diff_style(), control),
            Task::InPlace { backup } => plan.replace(backup, control),
            Task::StandardOutput(output) => plan.write_to(Printer::new(None), output, control),
            Task::File(output) => plan.write_file(output, force, control),
            Task::Directory(output) => plan.write_directory(output, force, control),
        }
    }
}

/// Applies repairs, or shows them.
pub fn run(arguments: &FixArguments) -> anyhow::Result<Outcome> {
    let task = Task::of(arguments)?;
    let fix = Fix {
        paths: arguments.paths.clone(),
        repairs: arguments.repairs.clone(),
        likely: arguments.likely,
        rules: rules(arguments)?,
        only: arguments.only.clone(),
    };
    let stop = interrupt::stop_flag("files that were not complete are unchanged");
    let bar = FixBar::new(arguments.quiet)?;
    let progress: &dyn FixProgress = match &bar {
        Some(bar) => bar,
        None => &(),
    };
    let control = Control { progress, stop };
    let fixed = fix.plan(control).and_then(|plan| {
        let task = task.resolved(&plan);
        task.run(&plan, arguments.force, control).map(|fixed| (task, fixed))
    });
    drop(bar);
    let (task, fixed) = match fixed {
        Ok(done) => done,
        Err(FixError::Interrupted) => {
            interrupt::announce();
            return Ok(Outcome::Interrupted);
        }
        Err(error) if task.prints_result() => return Err(error.into()),
        // Without its cause: a copy that its reader does not read to the end is a failure.
        Err(error) => return Err(anyhow!(error.to_string())),
    };
    for file in fixed.other_owner.iter().take(MAX_FILES) {
        print_warning(&format!("the owner of `{}` could not be kept", file.display()));
    }
    if fixed.other_owner.len() > MAX_FILES {
        let more = quantity(fixed.other_owner.len() - MAX_FILES, "more file", "more files");
        print_warning(&format!("the owner of {more} could not be kept"));
    }
    if !arguments.quiet {
        let printed = if task.prints_result() {
            print(&mut anstream::stderr().lock(), &fixed, task)
        } else {
            print(&mut anstream::stdout().lock(), &fixed, task)
        };
        ignore_broken_pipe(printed)?;
    }
    if fixed.is_interrupted {
        interrupt::announce();
        return Ok(Outcome::Interrupted);
    }
    Ok(if fixed.overlapping > 0 { Outcome::Findings } else { Outcome::Success })
}

/// The rules whose repairs are applied; `None` for all.
fn rules(arguments: &FixArguments) -> anyhow::Result<Option<Selection>> {
    if arguments.select.is_empty() && arguments.ignore.is_empty() {
        return Ok(None);
    }
    let selection = Selection::of(Profile::Export).select(arguments.select.iter().map(String::as_str)).context("--select")?;
    let selection = selection.ignore(arguments.ignore.iter().map(String::as_str)).context("--ignore")?;
    Ok(Some(selection))
}

/// Colours at a terminal, which must not obey what games contain.
fn diff_style() -> DiffStyle {
    let stdout = io::stdout();
    let colour = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    DiffStyle { colour, printable: stdout.is_terminal() }
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last)))
}

/// Prints what was applied and what was skipped.
fn print(to: &mut dyn Write, fixed: &Fixed, task: Task<'_>) -> io::Result<()> {
    let repairs = quantity(fixed.applied, "repair", "repairs");
    let inputs = quantity(fixed.inputs, "input", "inputs");
    let shown = |path: &Path| printable(&path.display().to_string()).into_owned();
    match task {
        Task::StandardOutput(_) => writeln!(to, "standard output: {repairs} applied")?,
        _ if fixed.inputs == 0 && !fixed.is_interrupted => writeln!(to, "nothing to repair; nothing was written")?,
        Task::File(output) => writeln!(to, "{}: {repairs} applied", shown(output))?,
        Task::Directory(output) => {
            writeln!(to, "{}: {repairs} applied in {inputs}; inputs without repairs were not copied", shown(output))?;
        }
        Task::InPlace { .. } => writeln!(to, "{repairs} applied in {inputs}")?,
        Task::Diff => writeln!(to, "{repairs} in {inputs}; nothing was written")?,
    }
    if fixed.likely > 0 {
        let skipped = quantity(fixed.likely, "likely repair", "likely repairs");
        writeln!(to, "{skipped} skipped; use --likely to apply likely repairs too")?;
    }
    if fixed.overlapping > 0 {
        let skipped = quantity(fixed.overlapping, "repair", "repairs");
        writeln!(to, "{skipped} skipped, because another repair changes the same bytes")?;
    }
    if fixed.repaired_before > 0 {
        writeln!(to, "{} already", quantity(fixed.repaired_before, "input had its repairs", "inputs had their repairs"))?;
    }
    if fixed.unlisted > 0 {
        writeln!(to, "{} not in the list", quantity(fixed.unlisted, "input is", "inputs are"))?;
    }
    Ok(())
}
