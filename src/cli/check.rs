//! `chess-audit check`.

use std::{
    collections::HashMap,
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context;
use chess_audit::{
    corpus::{Input, Source, Wanted},
    pgn::EcoBook,
    pipeline::{Audit, Failure, InputSummary, Progress, RunSummary, Settings, Sink},
    record::Excerpt,
    report::{Asked, Baseline, RepairList, Report, Stream, StreamFormat, SummaryRecord},
    rules::Finding,
    table::{ColumnName, Columns},
    text::Format,
};
use jiff::civil::Date;

use super::{
    args::{AnyFormat, CheckArguments},
    baseline, complain,
    outcome::Outcome,
    progress::Bar,
    settings::Choice,
    summary::{self, HeldAgainst},
};

/// So many failures are told on standard error; the report has them all.
const MAX_FAILURES: usize = 10;

/// Audits what the arguments name.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    let choice = Choice::of(&arguments.choice)?;
    let formats = Formats::of(&arguments.formats)?;
    let baseline = match choice.baseline() {
        Some(path) => Baseline::read(path).context("--baseline")?,
        None => Baseline::default(),
    };
    let today = baseline::today();
    let settings = settings(arguments, &choice, &baseline, today)?;
    let wanted = Wanted {
        words: arguments.paths.clone(),
        lists: arguments.files_from.clone(),
        format: formats.input,
        stdin_name: arguments.stdin_name.clone(),
    };
    let inputs = wanted.find()?;
    let asked = asked(arguments, &choice, formats.input);
    let place = match (&arguments.output, formats.stream) {
        (Some(place), _) => Some(place.as_path()),
        (None, Some(_)) => None,
        (None, None) => Some(Path::new(REPORT)),
    };
    let report = place.map(|place| Report::create(place, asked.clone())).transpose()?;
    let repairs = arguments.repairs.as_deref().map(|path| RepairList::create(path, files(&inputs))).transpose()?;
    let stop = stop_flag(report.as_ref().map(|report| report.unfinished().to_owned()))?;
    let to = || io::BufWriter::new(io::stdout());
    let stream = formats.stream.map(|format| Stream::begin(to(), format)).transpose()?;

    let mut sink = Watched { report, stream, repairs, failures: Vec::new() };
    let bar = Bar::new(&inputs, arguments.quiet)?;
    let progress: &dyn Progress = match &bar {
        Some(bar) => bar,
        None => &(),
    };
    let audited = Audit::new(settings).run(inputs, &mut sink, progress, &stop);
    drop(bar);

    let Watched { report, stream, repairs, failures } = sink;
    let summary = match audited {
        Ok(summary) if summary.interrupted => {
            drop(report);
            complain("interrupted; no report was written");
            return Ok(Outcome::Interrupted);
        }
        other => other.context("the audit broke off, and no report was written")?,
    };
    if let Some(stream) = stream {
        stream.finish(&summary)?;
    }
    if let Some(report) = report {
        report.finish(&summary)?;
    }
    repairs.map_or(Ok(()), RepairList::finish)?;
    for failure in &failures {
        complain(&told(failure));
    }
    let untold = summary.failures.saturating_sub(failures.len() as u64);
    if untold > 0 {
        complain(&format!("and {untold} more failures of the audit itself, see failures.csv in the report"));
    }
    let selection = choice.selection()?;
    let held = HeldAgainst { baseline: &baseline, selection: &selection, today };
    // Findings that are printed have standard output for themselves.
    let told = if formats.stream.is_some() {
        tell(&mut anstream::stderr().lock(), arguments, &asked, &summary, place, &held)
    } else {
        tell(&mut anstream::stdout().lock(), arguments, &asked, &summary, place, &held)
    };
    ignore_broken_pipe(told)?;
    Ok(Outcome::of(&summary, choice.fail_on().0))
}

/// Where the report goes if nobody says anything.
const REPORT: &str = "chess-audit-report";

/// Says what was found, in the form that was asked for.
fn tell(
    to: &mut dyn Write,
    arguments: &CheckArguments,
    asked: &Asked,
    summary: &RunSummary,
    place: Option<&Path>,
    held: &HeldAgainst<'_>,
) -> io::Result<()> {
    if arguments.summary_json {
        serde_json::to_writer_pretty(&mut *to, &SummaryRecord::new(asked, summary))?;
        return writeln!(to);
    }
    if arguments.quiet {
        return Ok(());
    }
    summary::print(to, summary, place, held)
}

/// The forms in which inputs are read and findings are printed.
#[derive(Clone, Copy, Debug, Default)]
struct Formats {
    input: Option<Format>,
    stream: Option<StreamFormat>,
}

impl Formats {
    fn of(asked: &[AnyFormat]) -> anyhow::Result<Formats> {
        let mut formats = Formats::default();
        for format in asked {
            let twice = match format {
                AnyFormat::Input(format) => formats.input.replace(*format).is_some(),
                AnyFormat::Stream(format) => formats.stream.replace(*format).is_some(),
            };
            anyhow::ensure!(!twice, "--format: one of pgn and epd, and one of csv, jsonl, sarif and github, and no more");
        }
        Ok(formats)
    }
}

fn settings(arguments: &CheckArguments, choice: &Choice, baseline: &Baseline, today: Date) -> anyhow::Result<Settings> {
    anyhow::ensure!(
        !(arguments.fen_column.is_some() || arguments.moves_column.is_some())
            || !arguments.formats.iter().any(|format| matches!(format, AnyFormat::Input(_))),
        "--format pgn and --format epd cannot be used with --fen-column or --moves-column"
    );
    let defaults = Settings::default();
    let chunk_bytes = match arguments.chunk_size {
        Some(bytes) => usize::try_from(bytes).context("--chunk-size")?,
        None => defaults.chunk_bytes,
    };
    Ok(Settings {
        selection: choice.selection()?,
        known: baseline.iter().filter(|(_, entry)| !entry.has_expired(today)).map(|(fingerprint, _)| fingerprint).collect(),
        exceptions: choice.exceptions()?,
        threads: arguments.threads,
        chunk_bytes,
        perft_depth: arguments.perft_depth,
        max_rows: choice.max_rows(),
        examples: html_rows(arguments).unwrap_or(0),
        chess960: arguments.chess960,
        map: !arguments.no_mmap,
        exhaustive: arguments.exhaustive,
        thorough: false,
        eco: arguments.eco.as_deref().map(classification).transpose()?,
        limits: choice.limits(arguments.as_of),
        columns: Columns { fen: arguments.fen_column.clone(), moves: arguments.moves_column.clone() },
    })
}

/// The classification of openings in `path`.
fn classification(path: &Path) -> anyhow::Result<Arc<EcoBook>> {
    let text = fs::read(path).with_context(|| format!("--eco {}", path.display()))?;
    let book = EcoBook::read(&text).with_context(|| format!("--eco {}", path.display()))?;
    Ok(Arc::new(book))
}

/// The inputs that are files, by the names that reports give them.
fn files(inputs: &[Input]) -> HashMap<String, PathBuf> {
    let file = |input: &Input| match &input.source {
        Source::File(path) => Some((input.name.clone(), path.clone())),
        _ => None,
    };
    inputs.iter().filter_map(file).collect()
}

fn asked(arguments: &CheckArguments, choice: &Choice, format: Option<Format>) -> Asked {
    Asked {
        profile: choice.profile(),
        select: choice.select().to_vec(),
        ignore: choice.ignore().to_vec(),
        severity: choice.severities().map(|(word, severity)| (word.to_owned(), severity)).collect(),
        except: choice.told_exceptions(),
        format,
        fen_column: arguments.fen_column.as_ref().map(ColumnName::to_string),
        moves_column: arguments.moves_column.as_ref().map(ColumnName::to_string),
        chess960: arguments.chess960,
        max_rows: choice.max_rows(),
        perft_depth: arguments.perft_depth,
        exhaustive: arguments.exhaustive,
        eco: arguments.eco.as_ref().map(|path| path.display().to_string()),
        limits: choice.limits(arguments.as_of).into(),
        html_rows: html_rows(arguments),
    }
}

fn html_rows(arguments: &CheckArguments) -> Option<u64> {
    (!arguments.no_html).then_some(arguments.html_rows)
}

/// A flag that is set when somebody wants the audit to stop. Who asks a second time does not want to wait (for a pipe that says
/// nothing, perhaps): the program ends at once, and takes `unfinished` with it.
fn stop_flag(unfinished: Option<PathBuf>) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            if let Some(unfinished) = &unfinished {
                let _ = fs::remove_dir_all(unfinished);
            }
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

/// The report, or the findings printed, or both, and the list of repairs, with the first failures remembered.
struct Watched {
    report: Option<Report>,
    repairs: Option<RepairList>,
    stream: Option<Stream<io::BufWriter<io::Stdout>>>,
    failures: Vec<Failure>,
}

impl Sink for Watched {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        if let Some(repairs) = &mut self.repairs {
            repairs.finding(input, finding)?;
        }
        if let Some(stream) = &mut self.stream {
            stream.finding(input, finding)?;
        }
        self.report.as_mut().map_or(Ok(()), |report| report.finding(input, finding))
    }

    fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.example(input, finding, around))
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.input(summary))
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        if self.failures.len() < MAX_FAILURES {
            self.failures.push(failure.clone());
        }
        if let Some(stream) = &mut self.stream {
            stream.failure(failure)?;
        }
        self.report.as_mut().map_or(Ok(()), |report| report.failure(failure))
    }
}
