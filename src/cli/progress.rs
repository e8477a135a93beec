//! The progress bar.

use std::{
    fmt,
    io::{self, IsTerminal},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    corpus::{Input, Source},
    edit::FixProgress,
    oracle::engine::{EngineCounts, Engines},
    pipeline::Progress,
    record::Counts,
};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::text::{quantity, thousands};

/// Number of columns that the wide templates need.
const WIDE: u16 = 105;

const WITH_SIZE: Template = Template {
    wide: "{bar:20} {percent:>3}%  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}  {records}  {eta} left",
    narrow: "{bar:10} {percent:>3}%  {eta} left  {findings}",
};
const ESTIMATED: Template = Template {
    wide: "{bar:20} {percent:>3}%  {decimal_bytes}, {decimal_bytes_per_sec}  {records}  {eta} left",
    narrow: WITH_SIZE.narrow,
};
const COPYING: Template = Template {
    wide: "{bar:20} {percent:>3}%  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}  {eta} left",
    narrow: "{bar:10} {percent:>3}%  {eta} left",
};
const WITHOUT_SIZE: Template = Template {
    wide: "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}  {records}  {elapsed}",
    narrow: "{spinner} {decimal_bytes}  {findings}  {elapsed}",
};

/// How a bar looks. The narrow template fits 50 columns.
#[derive(Clone, Copy, Debug)]
struct Template {
    wide: &'static str,
    narrow: &'static str,
}

impl Template {
    fn style(self, columns: Option<u16>) -> anyhow::Result<ProgressStyle> {
        let template = if columns.is_some_and(|columns| columns < WIDE) { self.narrow } else { self.wide };
        Ok(ProgressStyle::with_template(template).context("invalid template of the progress bar")?.progress_chars("=> "))
    }
}

/// The width of the terminal at standard error; `None` if it is not known.
fn columns() -> Option<u16> {
    #[cfg(unix)]
    return rustix::termios::tcgetwinsize(io::stderr()).ok().map(|size| size.ws_col).filter(|columns| *columns > 0);
    #[cfg(not(unix))]
    None
}

/// How many times as long as a compressed file its text is, about. PGN in gzip has 3 to 4 times the
/// length, in Zstandard 4 to 7.
const USUAL_RATIO: u64 = 4;

/// The number of bytes of text in all inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Exact(u64),
    /// Some files are compressed.
    About(u64),
    /// A stream, for example.
    Unknown,
}

impl Expected {
    fn of(inputs: &[Input]) -> Expected {
        let (mut total, mut is_exact) = (0u64, true);
        for input in inputs {
            let size = input.size().or_else(|| {
                is_exact = false;
                Some(input.size_on_disk()?.saturating_mul(USUAL_RATIO))
            });
            let Some(size) = size else { return Expected::Unknown };
            total = total.saturating_add(size);
        }
        if is_exact { Expected::Exact(total) } else { Expected::About(total) }
    }
}

/// The totals so far.
#[derive(Debug, Default)]
struct Totals {
    games: AtomicU64,
    positions: AtomicU64,
    findings: AtomicU64,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (games, positions) = (count(&self.games), count(&self.positions));
        if games > 0 || positions == 0 {
            write!(f, "{}, ", quantity(games, "game", "games"))?;
        }
        if positions > 0 {
            write!(f, "{}, ", quantity(positions, "position", "positions"))?;
        }
        f.write_str(&self.findings())
    }
}

impl Totals {
    fn findings(&self) -> String {
        quantity(self.findings.load(Ordering::Relaxed), "finding", "findings")
    }
}

/// `1,200 asked (21/s)`: questions that were answered by an engine or by its cache.
fn describe_questions(counts: EngineCounts, elapsed: Duration) -> String {
    let answered = counts.answered + counts.from_cache;
    let rate = answered as f64 / elapsed.as_secs_f64().max(1.0);
    format!("{} asked ({rate:.0}/s)", thousands(answered))
}

/// Whether one of these inputs is typed at a terminal. A bar would overwrite it.
pub fn are_typed(inputs: &[Input]) -> bool {
    io::stdin().is_terminal() && inputs.iter().any(|input| matches!(input.source, Source::Stdin))
}

/// A progress bar on standard error. It disappears when dropped.
pub struct Bar {
    bar: ProgressBar,
    totals: Arc<Totals>,
    expected: Expected,
}

impl Bar {
    /// Creates a bar for `inputs` if standard error is a terminal.
    pub fn new(inputs: &[Input], quiet: bool, engine: Option<Arc<Engines>>) -> anyhow::Result<Option<Bar>> {
        if quiet || !io::stderr().is_terminal() || are_typed(inputs) {
            return Ok(None);
        }
        let expected = Expected::of(inputs);
        let (template, bar) = match expected {
            Expected::Exact(bytes) => (WITH_SIZE, ProgressBar::new(bytes)),
            Expected::About(bytes) => (ESTIMATED, ProgressBar::new(bytes)),
            Expected::Unknown => (WITHOUT_SIZE, ProgressBar::new_spinner()),
        };
        let totals = Arc::new(Totals::default());
        let (shown, counted) = (Arc::clone(&totals), Arc::clone(&totals));
        let style = template
            .style(columns())?
            .with_key("findings", move |_: &ProgressState, writer: &mut dyn fmt::Write| {
                let _ = write!(writer, "{}", counted.findings());
            })
            .with_key("records", move |state: &ProgressState, writer: &mut dyn fmt::Write| {
                let _ = write!(writer, "{shown}");
                if let Some(engine) = &engine {
                    let _ = write!(writer, ", {}", describe_questions(engine.counts(), state.elapsed()));
                }
            });
        let bar = bar.with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        Ok(Some(Bar { bar, totals, expected }))
    }
}

/// A progress bar for repairs on standard error. It disappears when dropped.
pub struct FixBar(ProgressBar);

impl FixBar {
    /// Creates a bar if standard error is a terminal.
    pub fn new(quiet: bool) -> anyhow::Result<Option<FixBar>> {
        if quiet || !io::stderr().is_terminal() {
            return Ok(None);
        }
        let bar = ProgressBar::new(0).with_style(COPYING.style(columns())?);
        bar.enable_steady_tick(Duration::from_millis(100));
        Ok(Some(FixBar(bar)))
    }
}

impl FixProgress for FixBar {
    fn expected(&self, bytes: u64) {
        self.0.inc_length(bytes);
    }

    fn advanced(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}

impl Drop for FixBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn advanced(&self, counts: Counts) {
        self.totals.games.fetch_add(counts.games, Ordering::Relaxed);
        self.totals.positions.fetch_add(counts.positions, Ordering::Relaxed);
        self.bar.inc(counts.bytes);
        if matches!(self.expected, Expected::About(expected) if self.bar.position() > expected) {
            self.bar.set_length(self.bar.position());
        }
    }

    fn found(&self, findings: u64) {
        self.totals.findings.fetch_add(findings, Ordering::Relaxed);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_valid() {
        for template in [WITH_SIZE, ESTIMATED, WITHOUT_SIZE, COPYING] {
            assert!(template.style(None).is_ok() && template.style(Some(50)).is_ok(), "{template:?}");
        }
    }

    #[test]
    fn narrow_bars_fit_50_columns() -> anyhow::Result<()> {
        // The longest values of the keys.
        let keys = [
            ("{bar:10}", "==========".to_owned()),
            ("{percent:>3}", "100".to_owned()),
            ("{eta}", "100d".to_owned()),
            ("{elapsed}", "100d".to_owned()),
            ("{spinner}", "-".to_owned()),
            ("{decimal_bytes}", "999.99 GB".to_owned()),
            ("{findings}", quantity(9_999_999u64, "finding", "findings")),
        ];
        for template in [WITH_SIZE, ESTIMATED, WITHOUT_SIZE, COPYING] {
            let shown = keys.iter().fold(template.narrow.to_owned(), |text, (key, value)| text.replace(key, value));
            assert!(shown.len() <= 50 && !shown.contains('{'), "{shown}");
        }
        Ok(())
    }

    #[test]
    fn sizes_of_compressed_files_are_estimated() -> anyhow::Result<()> {
        let directory = tempfile::tempdir()?;
        let input = |name: &str, source| Input { name: name.to_owned(), source, format: None, scanned: false };
        let file = |name: &str| -> io::Result<Input> {
            let path = directory.path().join(name);
            std::fs::write(&path, [b'x'; 100])?;
            Ok(input(name, Source::File(path)))
        };
        let (plain, packed) = (file("a.pgn")?, file("b.pgn.gz")?);
        let stdin = input("-", Source::Stdin);
        assert_eq!(Expected::of(std::slice::from_ref(&plain)), Expected::Exact(100));
        assert_eq!(Expected::of(&[plain.clone(), packed]), Expected::About(100 + USUAL_RATIO * 100));
        assert_eq!(Expected::of(&[plain, stdin]), Expected::Unknown);
        Ok(())
    }

    #[test]
    fn questions_have_a_rate() {
        let counts = EngineCounts { answered: 1000, from_cache: 500, ..EngineCounts::default() };
        assert_eq!(describe_questions(counts, Duration::from_secs(60)), "1,500 asked (25/s)");
        assert_eq!(describe_questions(counts, Duration::ZERO), "1,500 asked (1500/s)");
    }

    #[test]
    fn totals_are_short() {
        let totals = Totals::default();
        assert_eq!(totals.to_string(), "0 games, 0 findings");
        totals.positions.store(1, Ordering::Relaxed);
        assert_eq!(totals.to_string(), "1 position, 0 findings");
        totals.games.store(2000, Ordering::Relaxed);
        assert_eq!(totals.to_string(), "2,000 games, 1 position, 0 findings");
    }
}
