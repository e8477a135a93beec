//! `chess-audit diff`.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use crate::{
    corpus::{Globs, Input, Wanted},
    edit::{Split, SplitError, SplitFiles},
    format::{CheckedFiles, NewDirectories, OutputFile, RunFiles},
    identity::{CardBytes, CardUse, Corpora, DifferenceCounts, Differences, GameDifference, GamePlace},
    pipeline::{Audit, BadRecord, DividedInput, Failure, InputSummary, Settings, Sink, SplitOn},
    report::{DiffPage, OwnFile},
    review::{DIFF_CSV, DIFF_HTML, DIFF_MD, DiffFormat, DiffWriter, difference_sentence},
    rules::{CodeSet, Finding},
    text::wording::quantity,
};
use anyhow::Context;

use super::{
    args::{DiffArguments, OnlyGames},
    interrupt,
    outcome::Outcome,
    printer::Printer,
    progress::Bar,
    stderr::{print_error, print_warning},
    text::{ignore_broken_pipe, print_line},
};

/// Maximum number of failures printed on standard error.
const MAX_FAILURES: u64 = 10;

/// Compares two corpora, game by game.
pub fn run(arguments: &DiffArguments) -> anyhow::Result<Outcome> {
    let paths = [&arguments.a, &arguments.b];
    anyhow::ensure!(paths.iter().any(|path| path.as_os_str() != "-"), "only one of A and B can be standard input");
    let corpora = [inputs(&arguments.a)?, inputs(&arguments.b)?];
    let (read_and_written, files) = Files::checked(arguments, &corpora)?;
    let stop = interrupt::stop_flag("nothing was compared");
    let mut sink = Collector { corpora: Corpora::default(), new_games: None, failures: 0 };
    for (at, (path, inputs)) in paths.into_iter().zip(corpora).enumerate() {
        if at == 1 {
            sink.corpora.begin_b();
            let create = |files| Split::create(files, &inputs, &read_and_written);
            sink.new_games = new_games(arguments).map(create).transpose()?;
        }
        if !read((path, inputs), arguments.threads, &mut sink, stop)? {
            return Ok(Outcome::Interrupted);
        }
    }
    let Collector { corpora, new_games, failures } = sink;
    if failures > MAX_FAILURES {
        print_error(&quantity(failures - MAX_FAILURES, "more failure", "more failures"));
    }
    let differences = corpora.differences()?;
    let mut shown = Shown { only: arguments.only, new_games, number: 0 };
    match files {
        Some(files) => {
            write_files((differences, &mut shown), files, &read_and_written, paths.map(|path| path.to_string_lossy()))?;
        }
        None => print(differences, &mut shown, arguments.format)?,
    }
    let number = shown.number;
    if failures > 0 {
        // Games that could not be read are no news.
        let what = if shown.new_games.is_some() { "; no new games were written" } else { "" };
        print_error(&format!("the comparison is incomplete, because not all inputs could be read{what}"));
        return Ok(Outcome::Failed);
    }
    if let Some(new_games) = shown.new_games {
        match new_games.write(stop) {
            Err(SplitError::Interrupted) => {
                interrupt::announce();
                return Ok(Outcome::Interrupted);
            }
            written => written.and_then(|written| written.flush_to_disk().and_then(|()| written.finish()))?,
        }
    }
    Ok(if number == 0 { Outcome::Success } else { Outcome::Findings })
}

/// Where games that are only in B are written, if they are.
fn new_games(arguments: &DiffArguments) -> Option<SplitFiles<'_>> {
    let DiffArguments { new, force, .. } = arguments;
    new.as_deref().map(|new| SplitFiles {
        good: None,
        bad: new,
        option: "--new",
        has_table: false,
        force: *force,
        annotate: false,
        map: true,
    })
}

/// Which differences are shown, and the games that are written.
struct Shown {
    only: Option<OnlyGames>,
    new_games: Option<Split>,
    /// Number of games that are shown.
    number: u64,
}

impl Shown {
    /// Shows the differences to `take`. Games that are only in B are noted, too.
    fn for_each(
        &mut self,
        differences: Differences,
        mut take: impl FnMut(&GameDifference<'_>) -> io::Result<()>,
    ) -> io::Result<DifferenceCounts> {
        let Shown { only, new_games, number } = self;
        differences.for_each(|difference| {
            let kind = match (&difference.a, &difference.b) {
                (None, _) => OnlyGames::New,
                (_, None) => OnlyGames::Gone,
                _ => OnlyGames::Changed,
            };
            if let (None, Some(new), Some(new_games)) = (&difference.a, &difference.b, &mut *new_games) {
                let GamePlace { input, byte, end, game, .. } = new.card.place;
                new_games.surplus_copy(input, &BadRecord { start: byte, end, game, ..BadRecord::default() })?;
            }
            if only.is_some_and(|only| only != kind) {
                return Ok(());
            }
            *number += 1;
            take(difference)
        })
    }
}

/// The inputs of a corpus, in the order of their names.
fn inputs(path: &Path) -> anyhow::Result<Vec<Input>> {
    let wanted = Wanted {
        words: vec![path.to_owned()],
        lists: Vec::new(),
        format: None,
        stdin_name: None,
        exclude: Globs::default(),
        follow: false,
        keep_missing: false,
    };
    let mut inputs = wanted.find()?.inputs;
    inputs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(inputs)
}

/// Reads all games of a corpus. Returns false if it was interrupted.
fn read((path, inputs): (&Path, Vec<Input>), threads: usize, sink: &mut Collector, stop: &AtomicBool) -> anyhow::Result<bool> {
    let bar = Bar::new(&inputs, false, None)?;
    // Findings are not needed, but fewer rules would not be faster: most games take the fast path
    // with the default ones.
    // No rule makes a record bad: new games are told apart later.
    let split = sink.new_games.as_ref().map(|_| SplitOn { severity: None, rules: CodeSet::EMPTY });
    let audit = Audit::new(Settings { games: Some(CardUse::List), threads, split, ..Settings::default() });
    let summary = match &bar {
        Some(bar) => audit.run(inputs, sink, bar, stop),
        None => audit.run(inputs, sink, &(), stop),
    };
    drop(bar);
    let summary = summary.context("the comparison failed")?;
    if summary.interrupted {
        interrupt::announce();
        return Ok(false);
    }
    if summary.counts.positions > 0 {
        let positions = quantity(summary.counts.positions, "position is", "positions are");
        print_warning(&format!("{}: {positions} not compared, only games are", path.display()));
    }
    Ok(true)
}

/// Collects the games of both corpora.
struct Collector {
    corpora: Corpora,
    new_games: Option<Split>,
    failures: u64,
}

impl Sink for Collector {
    fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        self.corpora.add(input, game)
    }

    fn divided(&mut self, input: &str, divided: DividedInput) -> io::Result<()> {
        self.new_games.as_mut().map_or(Ok(()), |split| split.divided(input, divided).map_err(io::Error::other))
    }

    fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
        self.new_games.iter_mut().for_each(|split| split.input(summary));
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failures += 1;
        if self.failures <= MAX_FAILURES {
            print_error(&format!("{}: {}", failure.input, failure.message));
        }
        Ok(())
    }
}

/// Prints the differences.
fn print(differences: Differences, shown: &mut Shown, format: DiffFormat) -> anyhow::Result<()> {
    let mut writer = DiffWriter::begin(Printer::new(None), format)?;
    let counts = shown.for_each(differences, |difference| writer.difference(difference))?;
    ignore_broken_pipe(writer.finish(&counts).map(drop))?;
    Ok(())
}

/// The files that are written to a directory.
struct Files {
    /// The table, the text and the page.
    paths: [PathBuf; 3],
    /// The directory is removed if nothing is written there.
    _directories: NewDirectories,
}

impl Files {
    /// What is read and written, and the files in the directory, if they may be replaced.
    fn checked(arguments: &DiffArguments, corpora: &[Vec<Input>]) -> anyhow::Result<(CheckedFiles, Option<Files>)> {
        let DiffArguments { b, output, new, force, .. } = arguments;
        anyhow::ensure!(new.is_none() || b.as_os_str() != "-", "--new reads B twice, so B cannot be standard input");
        let mut files = RunFiles::default();
        files.reads_inputs(corpora.iter().flatten());
        let paths = output.as_ref().map(|directory| [DIFF_CSV, DIFF_MD, DIFF_HTML].map(|name| directory.join(name)));
        paths.iter().flatten().for_each(|path| files.writes(path, "--output"));
        new.iter().for_each(|new| files.writes(new, "--new"));
        let read = files.checked()?;
        let Some((directory, paths)) = output.as_ref().zip(paths) else { return Ok((read, None)) };
        if !force {
            let kinds = [OwnFile::Differences, OwnFile::DifferencesText, OwnFile::DifferencesPage];
            paths.iter().zip(kinds).try_for_each(|(path, kind)| kind.check(path))?;
        }
        let mut directories = NewDirectories::default();
        directories.create(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
        Ok((read, Some(Files { paths, _directories: directories })))
    }
}

/// Writes the differences as a table, Markdown and a page.
fn write_files(
    (differences, shown): (Differences, &mut Shown),
    files: Files,
    read_and_written: &CheckedFiles,
    corpora: [Cow<'_, str>; 2],
) -> anyhow::Result<()> {
    let [csv, markdown, page] = &files.paths;
    let failed = |path: &Path| format!("cannot write `{}`", path.display());
    // While differences are looked for, other files can fail too.
    let unwritable =
        |path: &Path, error: io::Error| io::Error::new(error.kind(), anyhow::Error::new(error).context(failed(path)));
    let create = |path: &Path| -> anyhow::Result<_> {
        Ok(OutputFile::create(path).with_context(|| failed(path))?.apart_from(read_and_written))
    };
    let begin = |path: &Path, format| -> anyhow::Result<_> {
        let file = create(path)?;
        DiffWriter::begin(io::BufWriter::new(file), format).with_context(|| failed(path))
    };
    let (mut rows, mut text) = (begin(csv, DiffFormat::Csv)?, begin(markdown, DiffFormat::Markdown)?);
    let mut boards = DiffPage::new(corpora.each_ref().map(|name| &**name));
    let counts = shown.for_each(differences, |difference| {
        if let Some(boards) = &mut boards {
            boards.difference(difference);
        }
        rows.difference(difference).map_err(|error| unwritable(csv, error))?;
        text.difference(difference).map_err(|error| unwritable(markdown, error))
    })?;
    for (writer, path) in [(rows, csv), (text, markdown)] {
        let written = writer.finish(&counts).and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        written.and_then(OutputFile::finish).with_context(|| failed(path))?;
    }
    if let Some(boards) = boards {
        let mut file = create(page)?;
        file.write_all(boards.html(&counts).as_bytes()).and_then(|()| file.finish()).with_context(|| failed(page))?;
    }
    print_line(&format!("{}; see {}", difference_sentence(&counts), markdown.display()))?;
    Ok(())
}
