//! `chess-audit check`.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufReader, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use crate::{
    corpus::{FoundInputs, Input, InputOrder, Source, Wanted},
    edit::SplitFiles,
    format::{
        CheckedFiles, RatingListRecord, RunFiles, RunSettings,
        own_directory::OwnFiles,
        sentences::{describe_cleaning, describe_undecided},
    },
    identity::{RatingList, Spellings},
    pgn::EcoBook,
    pipeline::{Audit, Progress, RepairCounts, RunSummary, Settings, Sink, SplitOn},
    report::StreamFormat,
    review::{Baseline, NightPage, add_to_history, check_history},
    rules::{CodeSet, Severity, rules_called},
    table::{ColumnName, Columns},
    text::Format,
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
    outputs::{Outputs, STEP_SUMMARY, print_failures, step_summary},
    print_error,
    printer::is_stdout,
    progress::{Bar, are_typed},
    summary::{self, KnownFindings},
    text::{ignore_broken_pipe, read_bounded, shell_word, thousands},
};
use crate::cli::settings::resolved::ResolvedSettings;

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
    let FoundInputs { inputs, skipped, .. } = find(&mut prepared, arguments)?;
    let given = if arguments.files_from.is_empty() { arguments.paths.as_slice() } else { &[] };
    prepared.report(inputs, given, |settings, inputs, sink, progress, stop| {
        let mut summary = Audit::new(settings).run(inputs, sink, progress, stop)?;
        summary.skipped.add(skipped);
        Ok(summary)
    })
}

/// Finds the inputs, and notes their order.
pub fn find(prepared: &mut Prepared<'_>, arguments: &InputArguments) -> anyhow::Result<FoundInputs> {
    files::note_lists(&mut prepared.files, &arguments.files_from);
    let mut found = wanted(arguments, prepared).find()?;
    let mut own = OwnFiles::default();
    let searched: Vec<&PathBuf> = arguments.paths.iter().filter(|path| path.is_dir()).collect();
    let mut is_own = |input: &Input| match &input.source {
        Source::File(file) if input.scanned => {
            searched.iter().any(|directory| own.contains(below_here(directory), below_here(file)))
        }
        _ => false,
    };
    let (skipped, inputs): (Vec<Input>, _) = found.inputs.into_iter().partition(|input| is_own(input));
    found.inputs = inputs;
    prepared.own = skipped.into_iter().map(|input| input.name).collect();
    found.skipped.own = prepared.own.len() as u64;
    prepared.order_by(found.order.clone());
    if !prepared.arguments.quiet && are_typed(&found.inputs) {
        anstream::eprintln!("Reading games or positions from the terminal; end them with {END_OF_INPUT}");
    }
    Ok(found)
}

/// A path without `./` at its beginning.
fn below_here(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
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

/// Says what the report in a directory means for a night.
type NightOf<'a> = Box<dyn FnOnce(&Path, &RunSummary) -> Option<NightPage> + 'a>;

/// An audit whose arguments were read.
pub struct Prepared<'a> {
    arguments: &'a AuditArguments,
    /// The settings in effect.
    pub resolved: ResolvedSettings,
    formats: Formats,
    baseline: Baseline,
    /// Inputs that this program has written, which are not read.
    own: Vec<String>,
    today: Date,
    given: GivenOracles,
    /// Where good and bad records are written, if they are.
    split: Option<SplitFiles<'a>>,
    /// What the report in a directory means for a night, for the page.
    pub night: Option<NightOf<'a>>,
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
        let run_settings = run_settings(arguments, &resolved, formats.input, settings.players.as_deref());
        let mut files = RunFiles::default();
        files::note_audit(&mut files, arguments, &resolved);
        let (split, night, history) = (None, None, None);
        Ok(Prepared {
            arguments,
            resolved,
            formats,
            baseline,
            own: Vec::new(),
            today,
            given,
            split,
            night,
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
        let (good, annotate, map) = (Some(&**good), *annotate, !no_mmap);
        let split = SplitFiles { good, bad, option: "--bad", has_table: true, force, annotate, map };
        files::note_split(&mut self.files, &split);
        self.split = Some(split);
        self.settings.split = Some(self::split_on(split_on)?);
        Ok(())
    }

    /// Notes the order in which inputs were named, which decides between copies.
    pub fn order_by(&mut self, order: InputOrder) {
        if self.settings.options.duplicates {
            self.run_settings.order = order.words().to_vec();
            self.settings.order = order;
        }
    }

    /// Whether findings are printed.
    pub const fn prints_findings(&self) -> bool {
        self.formats.stream.is_some()
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
        mut self,
        inputs: Vec<Input>,
        given: &[PathBuf],
        audit: impl FnOnce(Settings, Vec<Input>, &mut dyn Sink, &dyn Progress, &AtomicBool) -> anyhow::Result<RunSummary>,
    ) -> anyhow::Result<Ended> {
        let night = self.night.take();
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
        let report = directory.map(|directory| (directory, run_settings.clone()));
        let mut outputs = Outputs::open(arguments, formats.stream, report, self.split, &inputs, &read)?;
        outputs.own_inputs(&self.own)?;
        let bar = self.bar(&inputs)?;
        let progress: &dyn Progress = match &bar {
            Some(bar) => bar,
            None => &(),
        };
        let settings = Settings { portrait: directory.is_some(), ..self.settings.clone() };
        let audited = audit(settings, inputs, &mut outputs, progress, stop);
        drop(bar);
        let Some((summary, written)) = outputs.finish(audited, || self.engine_name(), |at, run| night?(at, run), stop)? else {
            return Ok(Ended::INTERRUPTED);
        };
        print_failures(&written.failures, summary.failures, directory);
        let selection = self.resolved.selection()?;
        let known = KnownFindings { baseline: &self.baseline, selection: &selection, today: self.today };
        let repairs = repairs_line(summary.repairs, arguments.repairs.as_deref(), given);
        // Printed findings and repairs have standard output to themselves.
        let prints_results = formats.stream.is_some() || arguments.repairs.as_deref().is_some_and(is_stdout);
        let is_watched = if prints_results { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
        let elapsed = Some(started.elapsed()).filter(|elapsed| is_watched || *elapsed >= MIN_TIME);
        let next = next_commands(&summary, directory.filter(|_| !arguments.no_html), given);
        let printed = summary::Written {
            report: directory,
            repairs: repairs.as_deref(),
            next: &next,
            divided: written.divided.zip(self.split),
            elapsed,
            inputs_in: arguments.inputs_in.as_deref(),
        };
        let print = |to: &mut dyn Write| match arguments.quiet {
            true => Ok(()),
            false => summary::print(to, &summary, run_settings, &printed, &known),
        };
        let printed = if prints_results { print(&mut anstream::stderr().lock()) } else { print(&mut anstream::stdout().lock()) };
        ignore_broken_pipe(printed)?;
        written.printing.check()?;
        let outcome = Outcome::of(&summary, self.resolved.fail_on().0);
        Ok(Ended { outcome, summary: Some(summary) })
    }
}

/// Maximum number of paths in a command that is proposed.
const MAX_PATHS: usize = 3;

/// Commands that go on from here, worst first.
fn next_commands(summary: &RunSummary, report: Option<&Path>, given: &[PathBuf]) -> Vec<String> {
    let words: Option<Vec<_>> = given.iter().map(|path| path.to_str().and_then(shell_word)).collect();
    let words = words.filter(|words| (1..=MAX_PATHS).contains(&words.len()) && !words.iter().any(|word| word == "-"));
    let clean = describe_cleaning(summary).and(words).map(|words| format!("chess-audit clean {} -o clean", words.join(" ")));
    let page = report.map(|report| report.join("report.html").display().to_string());
    let decide = describe_undecided(summary).zip(page).map(|(copies, page)| format!("open {page}: {copies}"));
    [clean, decide].into_iter().flatten().collect()
}

/// The repairs that were found, and the command that shows them. Without paths, it is about all
/// inputs in the list.
fn repairs_line(counts: RepairCounts, list: Option<&Path>, given: &[PathBuf]) -> Option<String> {
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
        known_as: HashMap::new(),
        expectations: resolved.expectations()?.into(),
        house: resolved.house_rules()?.into(),
        exclude: resolved.exclude()?,
        threads: arguments.threads,
        chunk_bytes,
        options: arguments.options.clone(),
        examples: html_rows(arguments).unwrap_or(0),
        repairs: arguments.repairs.is_some(),
        spellings: arguments.spelling.as_deref().map(read_spellings).transpose()?,
        players: arguments.players.as_deref().map(read_players).transpose()?,
        games: arguments.listed_games(),
        portrait: true,
        split: None,
        versions: false,
        only_listed_names: false,
        order: InputOrder::default(),
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

/// Reads FIDE's rating list in `path`.
fn read_players(path: &Path) -> anyhow::Result<Arc<RatingList>> {
    let context = || format!("--players {}", path.display());
    let file = File::open(path).with_context(context)?;
    Ok(Arc::new(RatingList::read(BufReader::new(file)).with_context(context)?))
}

/// Reads the list of spellings in `path`.
fn read_spellings(path: &Path) -> anyhow::Result<Arc<Spellings>> {
    let text = read_bounded(path, MAX_SPELLING_BYTES).with_context(|| format!("--spelling {}", path.display()))?;
    let spellings = Spellings::read(&text).with_context(|| format!("--spelling {}", path.display()))?;
    Ok(Arc::new(spellings))
}

fn run_settings(
    arguments: &AuditArguments,
    resolved: &ResolvedSettings,
    format: Option<Format>,
    players: Option<&RatingList>,
) -> RunSettings {
    RunSettings {
        settings_file: resolved.recorded_file(),
        profile: resolved.profile(),
        select: resolved.select().to_vec(),
        ignore: resolved.ignore().to_vec(),
        order: Vec::new(),
        severity: resolved.severities().map(|(rules, severity)| (rules.to_owned(), severity)).collect(),
        except: resolved.recorded_exceptions(),
        demands: resolved.recorded_demands(),
        exclude: resolved.recorded_exclusions().to_vec(),
        format,
        fen_column: arguments.fen_column.as_ref().map(ColumnName::to_string),
        moves_column: arguments.moves_column.as_ref().map(ColumnName::to_string),
        variant: arguments.variant.map(|variant| variant.name().to_owned()),
        options: arguments.options.clone(),
        game_keys: arguments.listed_games().is_some(),
        spelling: arguments.spelling.as_ref().map(|path| path.display().to_string()),
        players: arguments.players.as_ref().zip(players).map(|(path, list)| RatingListRecord::new(path, list)),
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

/// What makes a record bad: severities and rules.
pub fn split_on(words: &[String]) -> anyhow::Result<SplitOn> {
    if words.is_empty() {
        return Ok(SplitOn::ERRORS);
    }
    let mut on = SplitOn { severity: None, rules: CodeSet::EMPTY };
    for word in words {
        match Severity::ALL.into_iter().find(|severity| severity.as_str() == word) {
            Some(severity) => on.severity = Some(on.severity.map_or(severity, |least| least.min(severity))),
            None => rules_called(word).context("--split-on")?.into_iter().for_each(|rule| on.rules.insert(rule.code)),
        }
    }
    Ok(on)
}

/// The same input, which can be read again.
pub fn rereadable(input: Input) -> anyhow::Result<Input> {
    let name = input.name.clone();
    input.rereadable().with_context(|| format!("cannot read `{name}`"))
}
