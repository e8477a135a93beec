//! `chess-audit check`.

use std::{
    fs,
    io::{self, IsTerminal},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context;
use chess_audit::{
    corpus::{ColumnName, Columns, Wanted},
    pipeline::{Audit, Failure, InputSummary, Progress, Settings, Sink},
    report::{Asked, Report},
    rules::{Finding, Selection},
};

use super::{args::CheckArguments, complain, outcome::Outcome, progress::Bar, summary};

/// So many failures are told on standard error; the report has them all.
const MOST_FAILURES: usize = 10;

/// Audits what the arguments name.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    let settings = settings(arguments)?;
    let wanted = Wanted {
        words: arguments.paths.clone(),
        lists: arguments.files_from.clone(),
        format: arguments.format,
        stdin_name: arguments.stdin_name.clone(),
    };
    let inputs = wanted.find()?;
    let report = Report::create(&arguments.output, asked(arguments))?;
    let stop = stop_flag(report.unfinished().to_owned())?;

    let mut sink = Watched { report, failures: Vec::new() };
    let bar = Bar::new(&inputs, arguments.quiet)?;
    let progress: &dyn Progress = match &bar {
        Some(bar) => bar,
        None => &(),
    };
    let audited = Audit::new(settings).run(inputs, &mut sink, progress, &stop);
    drop(bar);

    let Watched { report, failures } = sink;
    let summary = match audited {
        Ok(summary) if summary.interrupted => {
            drop(report);
            complain("interrupted; no report was written");
            return Ok(Outcome::Interrupted);
        }
        other => other.context("the audit broke off, and no report was written")?,
    };
    report.finish(&summary)?;
    for failure in &failures {
        complain(&told(failure));
    }
    let untold = summary.failures.saturating_sub(failures.len() as u64);
    if untold > 0 {
        complain(&format!("and {untold} more failures of the audit itself, see failures.csv in the report"));
    }
    if !arguments.quiet {
        ignore_broken_pipe(summary::print(&mut anstream::stdout().lock(), &summary, &arguments.output))?;
    }
    Ok(Outcome::of(&summary, arguments.fail_on.0))
}

fn settings(arguments: &CheckArguments) -> anyhow::Result<Settings> {
    let selection = Selection::of(arguments.profile)
        .select(arguments.select.iter().map(String::as_str))
        .context("--select")?
        .ignore(arguments.ignore.iter().map(String::as_str))
        .context("--ignore")?;
    let defaults = Settings::default();
    let chunk_bytes = match arguments.chunk_size {
        Some(bytes) => usize::try_from(bytes).context("--chunk-size")?,
        None => defaults.chunk_bytes,
    };
    Ok(Settings {
        selection,
        threads: arguments.threads,
        chunk_bytes,
        perft_depth: arguments.perft_depth,
        max_rows: arguments.max_rows,
        chess960: arguments.chess960,
        map: !arguments.no_mmap,
        exhaustive: arguments.exhaustive,
        thorough: false,
        columns: Columns { fen: arguments.fen_column.clone(), moves: arguments.moves_column.clone() },
    })
}

fn asked(arguments: &CheckArguments) -> Asked {
    Asked {
        profile: arguments.profile,
        select: arguments.select.clone(),
        ignore: arguments.ignore.clone(),
        format: arguments.format,
        fen_column: arguments.fen_column.as_ref().map(ColumnName::to_string),
        moves_column: arguments.moves_column.as_ref().map(ColumnName::to_string),
        chess960: arguments.chess960,
        max_rows: arguments.max_rows,
        perft_depth: arguments.perft_depth,
        exhaustive: arguments.exhaustive,
    }
}

/// A flag that is set when somebody wants the audit to stop. Who asks a second time does not want to wait (for a pipe that says
/// nothing, perhaps): the program ends at once, and takes `unfinished` with it.
fn stop_flag(unfinished: PathBuf) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            let _ = fs::remove_dir_all(&unfinished);
            std::process::exit(i32::from(Outcome::Interrupted.code()));
        }
        if io::stderr().is_terminal() {
            anstream::eprintln!("\nstopping; once more to stop at once");
        }
    })
    .context("cannot listen for interruptions")?;
    Ok(stop)
}

fn told(failure: &Failure) -> String {
    match failure.byte {
        Some(byte) => format!("{} (from byte {byte}): {}", failure.input, failure.message),
        None => format!("{}: {}", failure.input, failure.message),
    }
}

fn ignore_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// The report, with the first failures remembered.
struct Watched {
    report: Report,
    failures: Vec<Failure>,
}

impl Sink for Watched {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.report.finding(input, finding)
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.report.input(summary)
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        if self.failures.len() < MOST_FAILURES {
            self.failures.push(failure.clone());
        }
        self.report.failure(failure)
    }
}
