//! The progress bar.

use std::{
    fmt,
    io::IsTerminal,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use chess_audit::{
    corpus::Input,
    oracle::engine::{EngineCounts, Engines},
    pipeline::Progress,
    record::Counts,
    report::FixProgress,
};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::text::{quantity, thousands};

const WITH_SIZE: &str =
    "{bar:20} {percent:>3}%  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}  {records}  {eta} left";
const COPYING: &str = "{bar:20} {percent:>3}%  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}  {eta} left";
const WITHOUT_SIZE: &str = "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}  {records}  {elapsed}";

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
        f.write_str(&quantity(count(&self.findings), "finding", "findings"))
    }
}

/// `1,200 asked (21/s)`: questions that were answered by an engine or by its cache.
fn describe_questions(counts: EngineCounts, elapsed: Duration) -> String {
    let answered = counts.answered + counts.from_cache;
    let rate = answered as f64 / elapsed.as_secs_f64().max(1.0);
    format!("{} asked ({rate:.0}/s)", thousands(answered))
}

/// A progress bar on standard error. It disappears when dropped.
pub struct Bar {
    bar: ProgressBar,
    totals: Arc<Totals>,
}

impl Bar {
    /// Creates a bar for `inputs` if standard error is a terminal.
    pub fn new(inputs: &[Input], quiet: bool, engine: Option<Arc<Engines>>) -> anyhow::Result<Option<Bar>> {
        if quiet || !std::io::stderr().is_terminal() {
            return Ok(None);
        }
        let bytes = inputs.iter().map(Input::size).sum::<Option<u64>>();
        let totals = Arc::new(Totals::default());
        let shown = Arc::clone(&totals);
        let style = ProgressStyle::with_template(if bytes.is_some() { WITH_SIZE } else { WITHOUT_SIZE })
            .context("invalid template of the progress bar")?
            .progress_chars("=> ")
            .with_key("records", move |state: &ProgressState, writer: &mut dyn fmt::Write| {
                let _ = write!(writer, "{shown}");
                if let Some(engine) = &engine {
                    let _ = write!(writer, ", {}", describe_questions(engine.counts(), state.elapsed()));
                }
            });
        let bar = bytes.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        Ok(Some(Bar { bar, totals }))
    }
}

/// A progress bar for repairs on standard error. It disappears when dropped.
pub struct FixBar(ProgressBar);

impl FixBar {
    /// Creates a bar if standard error is a terminal.
    pub fn new(quiet: bool) -> anyhow::Result<Option<FixBar>> {
        if quiet || !std::io::stderr().is_terminal() {
            return Ok(None);
        }
        let style = ProgressStyle::with_template(COPYING).context("invalid template of the progress bar")?.progress_chars("=> ");
        let bar = ProgressBar::new(0).with_style(style);
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
        for template in [WITH_SIZE, WITHOUT_SIZE, COPYING] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
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
