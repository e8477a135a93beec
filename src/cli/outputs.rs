//! What a run writes and prints: the report, lists, good and bad records, findings.

use std::{
    collections::HashMap,
    env, fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::Context;

use super::{
    args::AuditArguments,
    interrupt, print_error,
    printer::{self, Printer, is_stdout},
};
use crate::{
    corpus::{Input, Source},
    edit::{Split, SplitCounts, SplitError, SplitFiles, SplitOutput},
    format::{CheckedFiles, OutputFile, RunSettings},
    identity::{CardBytes, Player},
    pipeline::{BadRecord, CertifiedPosition, DividedInput, Failure, InputSummary, Pair, RunSummary, Sink},
    record::Excerpt,
    report::{CompleteReport, GameList, RepairList, Report, Stream, StreamFormat},
    review::NightPage,
    rules::Finding,
    text::wording::quantity,
};

/// Maximum number of failures printed on standard error. The report contains all of them.
const MAX_FAILURES: usize = 10;

/// The variable in which GitHub names a file for a summary.
pub const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Everything that receives the results of a run, and the first failures.
///
/// What is opened last comes first, so that it is dropped first: it may be in a directory that was
/// made for what was opened before it.
pub struct Outputs {
    stream: Option<Stream<Printer>>,
    games: Option<GameList>,
    repairs: Option<RepairList>,
    report: Option<Report>,
    split: Option<Split>,
    written: Written,
}

/// What is left when everything was written.
#[derive(Default)]
pub struct Written {
    /// The first failures.
    pub failures: Vec<Failure>,
    /// The first error of standard output, if that does not end the run.
    pub printing: printer::Failure,
    /// Number of good and bad records, if they were divided.
    pub divided: Option<SplitCounts>,
}

impl Outputs {
    /// Opens all outputs. They replace none of the files that are `read`. `report` is its
    /// directory, and what it says of the settings.
    pub fn open(
        arguments: &AuditArguments,
        stream: Option<StreamFormat>,
        report: Option<(&Path, RunSettings)>,
        split: Option<SplitFiles<'_>>,
        inputs: &[Input],
        read: &CheckedFiles,
    ) -> anyhow::Result<Outputs> {
        let split = split.map(|files| Split::create(files, inputs, read)).transpose()?;
        let report = match report {
            Some((directory, settings)) => Some(Report::create(directory, settings)?.apart_from(read)),
            None => None,
        };
        // A closed pipe ends the printing, but not a run that writes files too.
        let written = Written::default();
        let list = arguments.repairs.as_deref();
        let writes_files = report.is_some() || arguments.games.is_some() || list.is_some_and(|path| !is_stdout(path));
        let stdout = || Printer::new(writes_files.then_some(&written.printing));
        let repairs = match list {
            Some(path) if is_stdout(path) => Some(RepairList::write_to(OutputFile::direct(stdout()), path, files(inputs))?),
            Some(path) => Some(RepairList::create(path, arguments.force, files(inputs), read)?),
            None => None,
        };
        let games = arguments.games.as_ref().map(|path| GameList::create(path, arguments.force, read)).transpose()?;
        let stream = stream.map(|format| begin_stream(stdout(), format)).transpose()?;
        Ok(Outputs { stream, games, repairs, report, split, written })
    }

    /// Notes inputs that are not read, because this program has written them.
    pub fn own_inputs(&mut self, names: &[String]) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.own_inputs(names))
    }

    /// Completes all outputs after the audit. Nothing is replaced before all of it is on the disk.
    /// Returns `None` if the run was interrupted, which is said: then there are no outputs.
    /// `engine` is asked for the name of the engine, and `night` for what the report means for a
    /// night, see [`Report::complete_as_night`].
    pub fn finish(
        self,
        audited: anyhow::Result<RunSummary>,
        engine: impl FnOnce() -> Option<String>,
        night: impl FnOnce(&Path, &RunSummary) -> Option<NightPage>,
        stop: &AtomicBool,
    ) -> anyhow::Result<Option<(RunSummary, Written)>> {
        const FAILED: &str = "the audit failed; no report was written";
        let interrupted = |files: (Option<GameList>, Option<RepairList>, Option<Report>, Option<Split>)| {
            drop(files);
            interrupt::announce();
            Ok(None)
        };
        let Outputs { split, report, repairs, games, stream, mut written } = self;
        let mut summary = audited.context(FAILED)?;
        if summary.interrupted {
            return interrupted((games, repairs, report, split));
        }
        let split = match split.map(|split| split.write(stop)).transpose() {
            Err(SplitError::Interrupted) => return interrupted((games, repairs, report, None)),
            split => split.context(FAILED)?,
        };
        summary.engine = engine().or(summary.engine);
        if let Some(stream) = stream {
            stream.finish(&summary)?;
        }
        // While the report is written, the disk writes the records.
        let report = report.map(|report| report.complete_as_night(&summary, |at| night(at, &summary))).transpose()?;
        split.as_ref().map_or(Ok(()), SplitOutput::flush_to_disk)?;
        report.map_or(Ok(()), CompleteReport::finish)?;
        repairs.map_or(Ok(()), RepairList::finish)?;
        games.map_or(Ok(()), GameList::finish)?;
        written.divided = split.as_ref().map(SplitOutput::counts);
        split.map_or(Ok(()), SplitOutput::finish)?;
        Ok(Some((summary, written)))
    }
}

impl Sink for Outputs {
    fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        if let Some(stream) = &mut self.stream {
            stream.finding(input, finding)?;
        }
        self.report.as_mut().map_or(Ok(()), |report| report.finding(input, finding))
    }

    fn repair(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        self.repairs.as_mut().map_or(Ok(()), |repairs| repairs.finding(input, finding))
    }

    fn folded(&mut self, fingerprint: u64, line: u64) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.folded(fingerprint, line))
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        if let Some(games) = &mut self.games {
            games.game(input, game)?;
        }
        self.report.as_mut().map_or(Ok(()), |report| report.game(input, game))
    }

    fn certified(&mut self, input: &str, position: &CertifiedPosition) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.certified(input, position))
    }

    fn player(&mut self, player: &Player) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.player(player))
    }

    fn example(&mut self, input: &str, finding: &Finding, around: Option<&Excerpt>) -> io::Result<()> {
        self.report.as_mut().map_or(Ok(()), |report| report.example(input, finding, around))
    }

    fn probably(&mut self, is_bad: bool, at: u64, text: &[u8]) -> io::Result<()> {
        self.split.as_mut().map_or(Ok(()), |split| split.probably(is_bad, at, text)).map_err(io::Error::other)
    }

    fn bad_record(&mut self, record: &BadRecord) -> io::Result<()> {
        self.split.as_mut().map_or(Ok(()), |split| split.bad_record(record))
    }

    fn pair(&mut self, pair: &Pair<'_>) -> io::Result<()> {
        let (Some(split), Some(surplus)) = (&mut self.split, &pair.surplus) else { return Ok(()) };
        split.surplus_copy(pair.places[0].input, surplus)
    }

    fn divided(&mut self, input: &str, divided: DividedInput) -> io::Result<()> {
        self.split.as_mut().map_or(Ok(()), |split| split.divided(input, divided)).map_err(io::Error::other)
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        if let Some(split) = &mut self.split {
            split.input(summary);
        }
        self.report.as_mut().map_or(Ok(()), |report| report.input(summary))
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        if self.written.failures.len() < MAX_FAILURES {
            self.written.failures.push(failure.clone());
        }
        if let Some(stream) = &mut self.stream {
            stream.failure(failure)?;
        }
        self.report.as_mut().map_or(Ok(()), |report| report.failure(failure))
    }
}

/// Prints the first failures of `total`.
pub fn print_failures(failures: &[Failure], total: u64, report: Option<&Path>) {
    for failure in failures {
        print_error(&describe(failure));
    }
    let more = total.saturating_sub(failures.len() as u64);
    if more > 0 {
        let failures = quantity(more, "more audit failure", "more audit failures");
        print_error(&match report {
            Some(directory) => format!("{failures}; see {}", directory.join("failures.csv").display()),
            None => failures,
        });
    }
}

fn describe(failure: &Failure) -> String {
    match failure.byte {
        Some(byte) => format!("{} (from byte {byte}): {}", failure.input, failure.message),
        None => format!("{}: {}", failure.input, failure.message),
    }
}

/// The paths of the inputs that are files, by the names of the inputs in the report.
fn files(inputs: &[Input]) -> HashMap<String, PathBuf> {
    let file = |input: &Input| match &input.source {
        Source::File(path) => Some((input.name.clone(), path.clone())),
        _ => None,
    };
    inputs.iter().filter_map(file).collect()
}

/// The file to which GitHub wants a summary to be added.
pub fn step_summary(format: StreamFormat) -> Option<PathBuf> {
    env::var_os(STEP_SUMMARY).filter(|path| format == StreamFormat::Github && !path.is_empty()).map(PathBuf::from)
}

/// Starts to print findings. GitHub does not show all annotations, but names a file for a summary.
fn begin_stream(to: Printer, format: StreamFormat) -> anyhow::Result<Stream<Printer>> {
    let stream = Stream::begin(to, format)?;
    let Some(path) = step_summary(format) else { return Ok(stream) };
    let file = fs::File::options().append(true).create(true).open(&path);
    Ok(stream.with_step_summary(file.with_context(|| format!("{STEP_SUMMARY} {}", path.display()))?))
}
