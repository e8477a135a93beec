//! `chess-audit diff`.

use std::{
    borrow::Cow,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use crate::{
    corpus::{Globs, Input, Wanted},
    format::{CheckedFiles, NewDirectories, OutputFile, RunFiles},
    identity::{CardBytes, Corpora, DifferenceCounts, Differences},
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    report::{DiffPage, OwnFile},
    review::{DIFF_CSV, DIFF_HTML, DIFF_MD, DiffFormat, DiffWriter, difference_sentence},
    rules::Finding,
    text::wording::quantity,
};
use anyhow::Context;

use super::{
    args::DiffArguments,
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
    let files = arguments.output.as_deref().map(|directory| Files::checked(directory, arguments.force, &corpora)).transpose()?;
    let stop = interrupt::stop_flag("nothing was compared");
    let mut sink = Collector { corpora: Corpora::default(), failures: 0 };
    for (at, (path, inputs)) in paths.into_iter().zip(corpora).enumerate() {
        if at == 1 {
            sink.corpora.begin_b();
        }
        if !read((path, inputs), arguments.threads, &mut sink, stop)? {
            return Ok(Outcome::Interrupted);
        }
    }
    let failures = sink.failures;
    if failures > MAX_FAILURES {
        print_error(&quantity(failures - MAX_FAILURES, "more failure", "more failures"));
    }
    let differences = sink.corpora.differences()?;
    let counts = match files {
        Some(files) => write_files(differences, files, paths.map(|path| path.to_string_lossy()))?,
        None => print(differences, arguments.format)?,
    };
    Ok(match failures {
        0 if counts.are_equal() => Outcome::Success,
        0 => Outcome::Findings,
        _ => {
            print_error("the comparison is incomplete, because not all inputs could be read");
            Outcome::Failed
        }
    })
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
    let audit = Audit::new(Settings { games: true, threads, ..Settings::default() });
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
    failures: u64,
}

impl Sink for Collector {
    fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        self.corpora.add(input, game)
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
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
fn print(differences: Differences, format: DiffFormat) -> anyhow::Result<DifferenceCounts> {
    let mut writer = DiffWriter::begin(Printer::new(None), format)?;
    let counts = differences.for_each(|difference| writer.difference(difference))?;
    ignore_broken_pipe(writer.finish(&counts).map(drop))?;
    Ok(counts)
}

/// The files that are written to a directory.
struct Files {
    /// The table, the text and the page.
    paths: [PathBuf; 3],
    read: CheckedFiles,
    /// The directory is removed if nothing is written there.
    _directories: NewDirectories,
}

impl Files {
    /// The files, if they may be replaced.
    fn checked(directory: &Path, force: bool, corpora: &[Vec<Input>]) -> anyhow::Result<Files> {
        let paths = [DIFF_CSV, DIFF_MD, DIFF_HTML].map(|name| directory.join(name));
        let mut files = RunFiles::default();
        files.reads_inputs(corpora.iter().flatten());
        paths.iter().for_each(|path| files.writes(path, "--output"));
        let read = files.checked()?;
        if !force {
            let kinds = [OwnFile::Differences, OwnFile::DifferencesText, OwnFile::DifferencesPage];
            paths.iter().zip(kinds).try_for_each(|(path, kind)| kind.check(path))?;
        }
        let mut directories = NewDirectories::default();
        directories.create(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
        Ok(Files { paths, read, _directories: directories })
    }
}

/// Writes the differences as a table, Markdown and a page.
fn write_files(differences: Differences, files: Files, corpora: [Cow<'_, str>; 2]) -> anyhow::Result<DifferenceCounts> {
    let [csv, markdown, page] = &files.paths;
    let failed = |path: &Path| format!("cannot write `{}`", path.display());
    // While differences are looked for, other files can fail too.
    let unwritable =
        |path: &Path, error: io::Error| io::Error::new(error.kind(), anyhow::Error::new(error).context(failed(path)));
    let create = |path: &Path| -> anyhow::Result<_> {
        Ok(OutputFile::create(path).with_context(|| failed(path))?.apart_from(&files.read))
    };
    let begin = |path: &Path, format| -> anyhow::Result<_> {
        let file = create(path)?;
        DiffWriter::begin(io::BufWriter::new(file), format).with_context(|| failed(path))
    };
    let (mut rows, mut text) = (begin(csv, DiffFormat::Csv)?, begin(markdown, DiffFormat::Markdown)?);
    let mut boards = DiffPage::new(corpora.each_ref().map(|name| &**name));
    let counts = differences.for_each(|difference| {
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
    Ok(counts)
}
