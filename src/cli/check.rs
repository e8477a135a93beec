//! `chess-audit check`.

use std::{
    collections::HashMap,
    env, fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use crate::{
    corpus::{FoundInputs, Input, Source, Wanted},
    edit::{Split, SplitError, SplitFiles, SplitOutput},
    format::{CheckedFiles, OutputFile, RunFiles, RunSettings, Trend},
    identity::{CardBytes, Player, Spellings},
    pgn::EcoBook,
    pipeline::{
        Audit, BadRecord, CertifiedPosition, DividedInput, Failure, InputSummary, Progress, RepairCounts, RunSummary, Settings,
        Sink, SplitOn,
    },
    record::Excerpt,
    report::{CompleteReport, GameList, RepairList, Report, Stream, StreamFormat},
    review::{Baseline, add_to_history, check_history},
    rules::{CodeSet, Finding, Severity, rules_called},
    table::{ColumnName, Columns},
    text::{Format, wording::quantity},
};
use anyhow::Context;
use jiff::civil::Date;

use super::{
    args::{AnyFormat, AuditArguments, CheckArguments, InputArguments, SplitArguments},
    baseline,
    date::{date_of_history, today},
    files, interrupt,
    oracles::GivenOracles,
    outcome::Outcome,
    print_error,
    printer::{self, Printer, is_stdout},
    progress::{Bar, are_typed},
    summary::{self, KnownFindings},
    text::{ignore_broken_pipe, read_bounded, shell_word, thousands},
};
use crate::cli::settings::resolved::ResolvedSettings;

/// Maximum number of failures printed on standard error. The report contains all of them.
const MAX_FAILURES: usize = 10;

/// An audit that takes at least so long says so even if nobody watches. Shorter ones always print
/// the same.
const MIN_TIME: Duration = Duration::from_secs(60);

/// Maximum size of a classification of openings. Those of Scid and Lichess have about 1 MB.
const MAX_ECO_BYTES: u64 = 64 << 20;

/// Maximum size of a list of spellings. That of Scid has about 20 MB.
const MAX_SPELLING_BYTES: u64 = 256 << 20;

/// Size of a chunk in bytes if an engine is asked.
const CHUNK_WITH_ENGINE: usize = 1 << 13;

/// Size of a chunk in bytes if positions are certified: about ten positions.
const CHUNK_TO_CERTIFY: usize = 1 << 10;

/// Number of findings per rule that the page shows without JavaScript, and examples per input.
const HTML_ROWS: u64 = 50;

/// The keys that end standard input at a terminal.
const END_OF_INPUT: &str = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };

/// The variable in which GitHub names a file for a summary.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The default report directory.
const DEFAULT_REPORT: &str = "chess-audit-report";

/// Audits the inputs.
pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    let Some(history) = &arguments.history else {
        let mut prepared = Prepared::new(&arguments.audit)?;
        prepared.split_as(&arguments.split)?;
        return Ok(audit(prepared, &arguments.inputs)?.outcome);
    };
    let date = date_of_history(arguments.audit.as_of)?;
    let mut prepared = Prepared::on(date, &arguments.audit)?;
    prepared.split_as(&arguments.split)?;
    prepared.files.writes(history, "--history");
    prepared.history = Some(history);
    let Ended { outcome, summary } = audit(prepared, &arguments.inputs)?;
    // What was not read completely would look like a loss.
    if let Some(summary) = summary.filter(|summary| summary.failures == 0) {
        add_to_history(history, date, &summary)?;
    }
    Ok(outcome)
}

/// Audits inputs, and writes their report.
pub fn audit(mut prepared: Prepared<'_>, arguments: &InputArguments) -> anyhow::Result<Ended> {
    files::note_lists(&mut prepared.files, &arguments.files_from);
    let FoundInputs { inputs, skipped } = wanted(arguments, &prepared).find()?;
    if !prepared.arguments.quiet && are_typed(&inputs) {
        anstream::eprintln!("Reading games or positions from the terminal; end them with {END_OF_INPUT}");
    }
    let given = if arguments.files_from.is_empty() { arguments.paths.as_slice() } else { &[] };
    prepared.report(inputs, given, |settings, inputs, sink, progress, stop| {
        let mut summary = Audit::new(settings).run(inputs, sink, progress, stop)?;
        summary.skipped.add(skipped);
        Ok(summary)
    })
}

/// The inputs to find.
fn wanted(arguments: &InputArguments, prepared: &Prepared<'_>) -> Wanted {
    Wanted {
        words: arguments.paths.clone(),
        lists: arguments.files_from.clone(),
        format: prepared.formats.input,
        stdin_name: arguments.stdin_name.clone(),
        exclude: prepared.settings.exclude.clone(),
        follow: prepared.arguments.follow,
        // What is written from a part of the games looks like all of them.
        keep_missing: prepared.split.is_none() && prepared.arguments.games.is_none(),
    }
}

/// An audit that has ended.
pub struct Ended {
    /// The outcome as an exit code.
    pub outcome: Outcome,
    /// What was found; `None` if the audit was interrupted.
    pub summary: Option<RunSummary>,
}

impl Ended {
    const INTERRUPTED: Ended = Ended { outcome: Outcome::Interrupted, summary: None };
}

/// An audit whose arguments were read.
pub struct Prepared<'a> {
    arguments: &'a AuditArguments,
    resolved: ResolvedSettings,
    formats: Formats,
    baseline: Baseline,
    today: Date,
    given: GivenOracles,
    /// Where good and bad records are written, if they are.
    split: Option<SplitFiles<'a>>,
    /// How the findings have changed in the last nights, for the page.
    pub trend: Option<Trend>,
    /// What is read and written, besides the inputs and the report.
    pub files: RunFiles,
    /// The history that gets a row.
    history: Option<&'a Path>,
    started: Instant,
    /// The settings of the run.
    pub settings: Settings,
    /// The settings as a report records them.
    pub run_settings: RunSettings,
}

impl<'a> Prepared<'a> {
    /// Reads the settings, the baseline and what the oracles need.
    pub fn new(arguments: &'a AuditArguments) -> anyhow::Result<Prepared<'a>> {
        Prepared::on(today(), arguments)
    }

    /// As [`Prepared::new`]. Entries of the baseline have expired if they end before `today`.
    pub fn on(today: Date, arguments: &'a AuditArguments) -> anyhow::Result<Prepared<'a>> {
        let started = Instant::now();
        let resolved = ResolvedSettings::new(arguments)?;
        let formats = Formats::new(&arguments.formats)?;
        let baseline = match resolved.baseline() {
            Some(path) => {
                let baseline = Baseline::read(path).context("--baseline")?;
                baseline::warn_without_digests(path)?;
                baseline
            }
            None => Baseline::default(),
        };
        let given = GivenOracles::of_audit(&arguments.oracles, arguments.threads)?;
        let settings = settings(arguments, &resolved, &baseline, &given, today)?;
        let run_settings = run_settings(arguments, &resolved, formats.input);
        let mut files = RunFiles::default();
        files::note_audit(&mut files, arguments, &resolved);
        let (split, trend, history) = (None, None, None);
        Ok(Prepared {
            arguments,
            resolved,
            formats,
            baseline,
            today,
            given,
            split,
            trend,
            files,
            history,
            started,
            settings,
            run_settings,
        })
    }

    /// Reads which records are bad and where they are written.
    fn split_as(&mut self, split: &'a SplitArguments) -> anyhow::Result<()> {
        let SplitArguments { good: Some(good), bad: Some(bad), split_on, annotate } = split else { return Ok(()) };
        let AuditArguments { force, no_mmap, .. } = *self.arguments;
        let split = SplitFiles { good, bad, force, annotate: *annotate, map: !no_mmap };
        files::note_split(&mut self.files, &split);
        self.split = Some(split);
        self.settings.split = Some(self::split_on(split_on)?);
        Ok(())
    }

    /// The format of the inputs, if it is set.
    pub const fn format(&self) -> Option<Format> {
        self.formats.input
    }

    /// Whether findings are printed.
    pub const fn prints_findings(&self) -> bool {
        self.formats.stream.is_some()
    }

    /// The settings in effect.
    pub const fn resolved(&self) -> &ResolvedSettings {
        &self.resolved
    }

    /// The globs of files that are skipped.
    pub fn exclude(&self) -> &[String] {
        self.resolved.recorded_exclusions()
    }

    /// A progress bar for `inputs`, if standard error is a terminal.
    pub fn bar(&self, inputs: &[Input]) -> anyhow::Result<Option<Bar>> {
        Bar::new(inputs, self.arguments.quiet, self.given.engine.clone())
    }

    /// What the engine calls itself, if there is one. Says if its cache failed.
    pub fn engine_name(&self) -> Option<String> {
        let engine = self.given.engine.as_ref()?;
        if let Some(error) = engine.cache_error() {
            print_error(&error.to_string());
        }
        engine.name()
    }

    /// The files that are read, after a check that nothing is lost if the outputs are written.
    pub fn checked_files(&self, inputs: &[Input], directory: Option<&Path>) -> anyhow::Result<CheckedFiles> {
        let repairs = self.arguments.repairs.as_deref().filter(|path| is_stdout(path) && self.prints_findings());
        if let Some(path) = repairs {
            let path = path.display();
            anyhow::bail!("--repairs {path} cannot be used with printed findings: choose a file with --repairs");
        }
        let mut files = self.files.clone();
        files.reads_inputs(inputs);
        directory.into_iter().for_each(|directory| files.replaces_report(directory));
        let summary = self.formats.stream.and_then(step_summary);
        summary.iter().for_each(|path| files.writes(path, STEP_SUMMARY));
        Ok(files.checked()?)
    }

    /// Writes the report of what `audit` finds in `inputs`, and prints the summary. `given` are the
    /// paths on the command line.
    pub fn report(
        self,
        inputs: Vec<Input>,
        given: &[PathBuf],
        audit: impl FnOnce(Settings, Vec<Input>, &mut dyn Sink, &dyn Progress, &AtomicBool) -> anyhow::Result<RunSummary>,
    ) -> anyhow::Result<Ended> {
        let Prepared { arguments, formats, ref run_settings, started, .. } = self;
        let directory = match (&arguments.output, formats.stream) {
            (Some(directory), _) => Some(directory.as_path()),
            (None, Some(_)) => None,
            (None, None) => Some(Path::new(DEFAULT_REPORT)),
        };
        let read = self.checked_files(&inputs, directory)?;
        self.history.map(check_history).transpose()?;
        // Before a file is begun, so that a signal from then on says that there is no report.
        let stop = interrupt::stop_flag("no report was written");
        // Before the report is begun, so that nothing is replaced if the inputs cannot be read
        // again.
        let inputs = match &self.split {
            Some(_) => inputs.into_iter().map(rereadable).collect::<anyhow::Result<Vec<_>>>()?,
            None => inputs,
        };
        let split = self.split.map(|files| Split::create(files, &inputs, &read)).transpose()?;
        let report = directory.map(|directory| Report::create(directory, run_settings.clone())).transpose()?;
        let report = report.map(|report| match &self.trend {
            Some(trend) => report.apart_from(&read).with_trend(trend.clone()),
            None => report.apart_from(&read),
        });
        // A closed pipe ends the printing, but not a run that writes files too.
        let print_failure = printer::Failure::default();
        let repairs_to_stdout = arguments.repairs.as_deref().is_some_and(is_stdout);
        let writes_files = report.is_some() || arguments.games.is_some() || (arguments.repairs.is_some() && !repairs_to_stdout);
        let stdout = || Printer::new(writes_files.then_some(&print_failure));
        let repairs = match &arguments.repairs {
            Some(path) if repairs_to_stdout => Some(RepairList::write_to(OutputFile::direct(stdout()), path, files(&inputs))?),
            Some(path) => Some(RepairList::create(path, arguments.force, files(&inputs), &read)?),
            None => None,
        };
        let games = arguments.games.as_ref().map(|path| GameList::create(path, arguments.force, &read)).transpose()?;
        let stream = formats.stream.map(|format| begin_stream(stdout(), format)).transpose()?;

        let mut sink = Outputs { report, stream, repairs, games, split, failures: Vec::new() };
        let bar = self.bar(&inputs)?;
        let progress: &dyn Progress = match &bar {
            Some(bar) => bar,
            None => &(),
        };
        let settings = Settings { portrait: sink.report.is_some(), ..self.settings.clone() };
        let audited = audit(settings, inputs, &mut sink, progress, stop);
        drop(bar);

        let Outputs { report, stream, repairs, games, split, failures } = sink;
        let mut summary = match audited {
            Ok(summary) if summary.interrupted => {
                drop((report, repairs, games, split));
                interrupt::announce();
                return Ok(Ended::INTERRUPTED);
            }
            other => other.context("the audit failed; no report was written")?,
        };
        let split = match split.map(|split| split.write(stop)).transpose() {
            Err(SplitError::Interrupted) => {
                drop((report, repairs, games));
                interrupt::announce();
                return Ok(Ended::INTERRUPTED);
            }
            other => other.context("the audit failed; no report was written")?,
        };
        summary.engine = self.engine_name().or(summary.engine);
        if let Some(stream) = stream {
            stream.finish(&summary)?;
        }
        // While the report is written, the disk writes the records. Nothing is replaced before all
        // of that is on the disk.
        let report = report.map(|report| report.complete(&summary)).transpose()?;
        split.as_ref().map_or(Ok(()), SplitOutput::flush_to_disk)?;
        report.map_or(Ok(()), CompleteReport::finish)?;
        repairs.map_or(Ok(()), RepairList::finish)?;
        games.map_or(Ok(()), GameList::finish)?;
        let divided = split.as_ref().map(SplitOutput::counts).zip(self.split);
        split.map_or(Ok(()), SplitOutput::finish)?;
        print_failures(&failures, summary.failures, directory);
        let selection = self.resolved.selection()?;
        let known = KnownFindings { baseline: &self.baseline, selection: &selection, today: self.today };
        let repairs = repairs_line(summary.repairs, arguments.repairs.as_deref(), given);
        // Printed findings and repairs have standard output to themselves.
        let prints_results = formats.stream.is_some() || repairs_to_stdout;
        let is_watched = if prints_results { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        let elapsed = Some(started.elapsed()).filter(|elapsed| is_watched || *elapsed >= MIN_TIME);
        let written = summary::Written {
            report: directory,
            repairs: repairs.as_deref(),
            divided,
            elapsed,
            inputs_in: arguments.inputs_in.as_deref(),
        };
        let print = |to: &mut dyn Write| match arguments.quiet {
            true => Ok(()),
            false => summary::print(to, &summary, run_settings, &written, &known),
        };
        let printed = if prints_results { print(&mut anstream::stderr().lock()) } else { print(&mut anstream::stdout().lock()) };
        ignore_broken_pipe(printed)?;
        print_failure.check()?;
        let outcome = Outcome::of(&summary, self.resolved.fail_on().0);
        Ok(Ended { outcome, summary: Some(summary) })
    }
}

/// Prints the first failures of `total`.
fn print_failures(failures: &[Failure], total: u64, report: Option<&Path>) {
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

/// The repairs that were found, and the command that shows them.
fn repairs_line(counts: RepairCounts, list: Option<&Path>, given: &[PathBuf]) -> Option<String> {
    /// Maximum number of paths in the command. Without paths, it is about all inputs in the list.
    const MAX_PATHS: usize = 3;
    let kinds = [(counts.certain, "certain"), (counts.likely, "likely")].into_iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<String> = kinds.map(|(count, kind)| format!("{} {kind}", thousands(count))).collect();
    if kinds.is_empty() {
        return None;
    }
    let found = kinds.join(", ");
    let is_shown = given.len() <= MAX_PATHS && !given.iter().any(|path| path.as_os_str() == "-");
    let paths = given.iter().filter(|_| is_shown).map(|path| path.to_str().and_then(shell_word));
    let Some(paths) = paths.collect::<Option<Vec<_>>>() else { return Some(found) };
    Some(match list {
        None => format!("{found}; to list them, use --repairs repairs.csv"),
        Some(list) if is_stdout(list) => found,
        Some(list) => match list.to_str().and_then(shell_word) {
            Some(list) => {
                let words = ["chess-audit fix".to_owned()].into_iter().chain(paths);
                format!("{found}: {} --repairs {list} --diff", words.collect::<Vec<_>>().join(" "))
            }
            None => found,
        },
    })
}

/// The format of the inputs and the format of printed findings.
#[derive(Clone, Copy, Debug, Default)]
struct Formats {
    input: Option<Format>,
    stream: Option<StreamFormat>,
}

impl Formats {
    fn new(given: &[AnyFormat]) -> anyhow::Result<Formats> {
        let mut formats = Formats::default();
        for format in given {
            let is_repeated = match format {
                AnyFormat::Input(format) => formats.input.replace(*format).is_some(),
                AnyFormat::Stream(format) => formats.stream.replace(*format).is_some(),
            };
            let streams = StreamFormat::ALL.map(StreamFormat::as_str).join(", ");
            anyhow::ensure!(!is_repeated, "--format: give at most one of pgn, epd and at most one of {streams}");
        }
        Ok(formats)
    }
}

/// The file to which GitHub wants a summary to be added.
fn step_summary(format: StreamFormat) -> Option<PathBuf> {
    env::var_os(STEP_SUMMARY).filter(|path| format == StreamFormat::Github && !path.is_empty()).map(PathBuf::from)
}

/// Starts to print findings. GitHub does not show all annotations, but names a file for a summary.
fn begin_stream(to: Printer, format: StreamFormat) -> anyhow::Result<Stream<Printer>> {
    let stream = Stream::begin(to, format)?;
    let Some(path) = step_summary(format) else { return Ok(stream) };
    let file = fs::File::options().append(true).create(true).open(&path);
    Ok(stream.with_step_summary(file.with_context(|| format!("{STEP_SUMMARY} {}", path.display()))?))
}

fn settings(
    arguments: &AuditArguments,
    resolved: &ResolvedSettings,
    baseline: &Baseline,
    given: &GivenOracles,
    today: Date,
) -> anyhow::Result<Settings> {
    anyhow::ensure!(
        !(arguments.fen_column.is_some() || arguments.moves_column.is_some())
            || !arguments.formats.iter().any(|format| matches!(format, AnyFormat::Input(_))),
        "--format pgn and --format epd cannot be used with --fen-column or --moves-column"
    );
    let defaults = Settings::default();
    let chunk_bytes = match arguments.chunk_size {
        Some(bytes) => usize::try_from(bytes).context("--chunk-size")?,
        // Engines are slow: small chunks keep all processes busy.
        None if given.engine.is_some() => CHUNK_WITH_ENGINE,
        // A second for each position is usual.
        None if arguments.options.certify.is_some() => CHUNK_TO_CERTIFY,
        None => defaults.chunk_bytes,
    };
    Ok(Settings {
        selection: resolved.selection()?,
        known: baseline.iter().filter(|(_, entry)| !entry.has_expired(today)).map(|(fingerprint, _)| fingerprint).collect(),
        exceptions: resolved.exceptions()?,
        expectations: resolved.expectations()?.into(),
        house: resolved.house_rules()?.into(),
        exclude: resolved.exclude()?,
        threads: arguments.threads,
        chunk_bytes,
        options: arguments.options.clone(),
        examples: html_rows(arguments).unwrap_or(0),
        repairs: arguments.repairs.is_some(),
        spellings: arguments.spelling.as_deref().map(read_spellings).transpose()?,
        games: arguments.keeps_games(),
        portrait: true,
        split: None,
        variant: arguments.variant,
        max_record_bytes: defaults.max_record_bytes,
        map: !arguments.no_mmap,
        thorough: false,
        eco: arguments.eco.as_deref().map(read_eco_book).transpose()?,
        oracles: Arc::clone(&given.oracles),
        limits: resolved.limits(arguments.as_of),
        columns: Columns { fen: arguments.fen_column.clone(), moves: arguments.moves_column.clone() },
    })
}

/// Reads the classification of openings in `path`.
fn read_eco_book(path: &Path) -> anyhow::Result<Arc<EcoBook>> {
    let text = read_bounded(path, MAX_ECO_BYTES).with_context(|| format!("--eco {}", path.display()))?;
    let book = EcoBook::read(&text).with_context(|| format!("--eco {}", path.display()))?;
    Ok(Arc::new(book))
}

/// Reads the list of spellings in `path`.
fn read_spellings(path: &Path) -> anyhow::Result<Arc<Spellings>> {
    let text = read_bounded(path, MAX_SPELLING_BYTES).with_context(|| format!("--spelling {}", path.display()))?;
    let spellings = Spellings::read(&text).with_context(|| format!("--spelling {}", path.display()))?;
    Ok(Arc::new(spellings))
}

/// The paths of the inputs that are files, by the names of the inputs in the report.
fn files(inputs: &[Input]) -> HashMap<String, PathBuf> {
    let file = |input: &Input| match &input.source {
        Source::File(path) => Some((input.name.clone(), path.clone())),
        _ => None,
    };
    inputs.iter().filter_map(file).collect()
}

fn run_settings(arguments: &AuditArguments, resolved: &ResolvedSettings, format: Option<Format>) -> RunSettings {
    RunSettings {
        settings_file: resolved.recorded_file(),
        profile: resolved.profile(),
        select: resolved.select().to_vec(),
        ignore: resolved.ignore().to_vec(),
        severity: resolved.severities().map(|(rules, severity)| (rules.to_owned(), severity)).collect(),
        except: resolved.recorded_exceptions(),
        demands: resolved.recorded_demands(),
        exclude: resolved.recorded_exclusions().to_vec(),
        format,
        fen_column: arguments.fen_column.as_ref().map(ColumnName::to_string),
        moves_column: arguments.moves_column.as_ref().map(ColumnName::to_string),
        variant: arguments.variant.map(|variant| variant.name().to_owned()),
        options: arguments.options.clone(),
        game_keys: arguments.keeps_games(),
        spelling: arguments.spelling.as_ref().map(|path| path.display().to_string()),
        eco: arguments.eco.as_ref().map(|path| path.display().to_string()),
        syzygy: arguments.oracles.syzygy.iter().map(|path| path.display().to_string()).collect(),
        engine: arguments.oracles.engine.clone(),
        engine_nodes: arguments.oracles.engine.as_ref().map(|_| arguments.oracles.engine_settings.nodes),
        engine_options: arguments.oracles.engine_settings.options.iter().cloned().collect(),
        limits: resolved.limits(arguments.as_of).into(),
        fail_on: resolved.fail_on().0,
        name: arguments.name.clone(),
        html_rows: html_rows(arguments),
        html_size: (!arguments.no_html).then_some(arguments.html_size),
    }
}

fn html_rows(arguments: &AuditArguments) -> Option<u64> {
    (!arguments.no_html).then_some(HTML_ROWS)
}

/// What makes a record bad: a severity, or rules.
fn split_on(words: &[String]) -> anyhow::Result<SplitOn> {
    let severity = |word: &str| Severity::ALL.into_iter().find(|severity| severity.as_str() == word);
    match words {
        [] => Ok(SplitOn::Severity(Severity::Error)),
        [word] if let Some(severity) = severity(word) => Ok(SplitOn::Severity(severity)),
        words => {
            let mut rules = CodeSet::EMPTY;
            for word in words {
                rules_called(word).context("--split-on")?.into_iter().for_each(|rule| rules.insert(rule.code));
            }
            Ok(SplitOn::Rules(rules))
        }
    }
}

/// The same input, which can be read again.
fn rereadable(input: Input) -> anyhow::Result<Input> {
    let name = input.name.clone();
    input.rereadable().with_context(|| format!("cannot read `{name}`"))
}

fn describe(failure: &Failure) -> String {
    match failure.byte {
        Some(byte) => format!("{} (from byte {byte}): {}", failure.input, failure.message),
        None => format!("{}: {}", failure.input, failure.message),
    }
}

/// Everything that receives the results of the run, and the first failures.
struct Outputs {
    report: Option<Report>,
    repairs: Option<RepairList>,
    games: Option<GameList>,
    split: Option<Split>,
    stream: Option<Stream<Printer>>,
    /// The repairs, if they are not listed.
    failures: Vec<Failure>,
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

    fn surplus_copy(&mut self, input: u64, record: &BadRecord) -> io::Result<()> {
        self.split.as_mut().map_or(Ok(()), |split| split.surplus_copy(input, record))
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
        if self.failures.len() < MAX_FAILURES {
            self.failures.push(failure.clone());
        }
        if let Some(stream) = &mut self.stream {
            stream.failure(failure)?;
        }
        self.report.as_mut().map_or(Ok(()), |report| report.failure(failure))
    }
}
