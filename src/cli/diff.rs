//! `chess-audit diff`.

use std::{
    borrow::Cow,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::Context;
use chess_audit::{
    corpus::{Globs, Wanted},
    identity::{CardBytes, Corpora, DifferenceCounts, Differences},
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    report::{DIFF_CSV, DIFF_HTML, DIFF_MD, DiffFormat, DiffPage, DiffWriter, OutputFile, OwnFile, difference_sentence},
    rules::Finding,
    text::wording::quantity,
};

use super::{
    args::DiffArguments,
    interrupt,
    outcome::Outcome,
    print_error, print_warning,
    printer::Printer,
    progress::Bar,
    text::{ignore_broken_pipe, print_line},
};

/// Maximum number of failures printed on standard error.
const MAX_FAILURES: u64 = 10;

/// Compares two corpora, game by game.
pub fn run(arguments: &DiffArguments) -> anyhow::Result<Outcome> {
    let paths = [&arguments.a, &arguments.b];
    anyhow::ensure!(paths.iter().any(|path| path.as_os_str() != "-"), "only one of A and B can be standard input");
    let files = arguments.output.as_deref().map(|directory| checked_files(directory, arguments.force)).transpose()?;
    let stop = interrupt::stop_flag("nothing was compared");
    let mut sink = Collector { corpora: Corpora::default(), failures: 0 };
    for (at, path) in paths.into_iter().enumerate() {
        if at == 1 {
            sink.corpora.begin_b();
        }
        if !read(path, arguments.threads, &mut sink, stop)? {
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

/// Reads all games of a corpus, in the order of the names of its inputs. Returns false if it was
/// interrupted.
fn read(path: &Path, threads: usize, sink: &mut Collector, stop: &AtomicBool) -> anyhow::Result<bool> {
    let wanted = Wanted {
        words: vec![path.to_owned()],
        lists: Vec::new(),
        format: None,
        stdin_name: None,
        exclude: Globs::default(),
        follow: false,
    };
    let mut inputs = wanted.find()?.inputs;
    inputs.sort_by(|one, other| one.name.cmp(&other.name));
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

/// The files that are written to a directory, if they may be replaced.
fn checked_files(directory: &Path, force: bool) -> anyhow::Result<[PathBuf; 3]> {
    fs::create_dir_all(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
    let [csv, markdown, page] = [DIFF_CSV, DIFF_MD, DIFF_HTML].map(|name| directory.join(name));
    if !force {
        OwnFile::Differences.check(&csv)?;
        OwnFile::DifferencesText.check(&markdown)?;
        OwnFile::DifferencesPage.check(&page)?;
    }
    Ok([csv, markdown, page])
}

/// Writes the differences as a table, Markdown and a page.
fn write_files(
    differences: Differences,
    [csv, markdown, page]: [PathBuf; 3],
    corpora: [Cow<'_, str>; 2],
) -> anyhow::Result<DifferenceCounts> {
    let failed = |path: &Path| format!("cannot write `{}`", path.display());
    let begin = |path: &Path, format| -> anyhow::Result<_> {
        let file = OutputFile::create(path).with_context(|| failed(path))?;
        DiffWriter::begin(io::BufWriter::new(file), format).with_context(|| failed(path))
    };
    let (mut rows, mut text) = (begin(&csv, DiffFormat::Csv)?, begin(&markdown, DiffFormat::Markdown)?);
    let mut boards = DiffPage::new(corpora.each_ref().map(|name| &**name));
    let counts = differences.for_each(|difference| {
        if let Some(boards) = &mut boards {
            boards.difference(difference);
        }
        rows.difference(difference)?;
        text.difference(difference)
    })?;
    for (writer, path) in [(rows, &csv), (text, &markdown)] {
        let written = writer.finish(&counts).and_then(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        written.and_then(OutputFile::finish).with_context(|| failed(path))?;
    }
    if let Some(boards) = boards {
        let mut file = OutputFile::create(&page).with_context(|| failed(&page))?;
        file.write_all(boards.html(&counts).as_bytes()).and_then(|()| file.finish()).with_context(|| failed(&page))?;
    }
    print_line(&format!("{}; see {}", difference_sentence(&counts), markdown.display()))?;
    Ok(counts)
}
