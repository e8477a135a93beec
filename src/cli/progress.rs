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
use chess_audit::{corpus::Input, pipeline::Progress, record::Counts};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::text::quantity;

const WITH_TOTAL: &str =
    "{bar:20} {percent:>3}%  {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}  {records}  {eta} left";
const WITHOUT_TOTAL: &str = "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}  {records}  {elapsed}";

/// What has been seen so far.
#[derive(Debug, Default)]
struct Seen {
    games: AtomicU64,
    positions: AtomicU64,
    findings: AtomicU64,
}

impl fmt::Display for Seen {
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

/// A bar on standard error, drawn ten times a second; it goes away when dropped.
pub struct Bar {
    bar: ProgressBar,
    seen: Arc<Seen>,
}

impl Bar {
    /// A bar for `inputs`, if somebody is there to watch it.
    pub fn new(inputs: &[Input], quiet: bool) -> anyhow::Result<Option<Bar>> {
        if quiet || !std::io::stderr().is_terminal() {
            return Ok(None);
        }
        let total = inputs.iter().map(Input::size).sum::<Option<u64>>();
        let seen = Arc::new(Seen::default());
        let shown = Arc::clone(&seen);
        let style = ProgressStyle::with_template(if total.is_some() { WITH_TOTAL } else { WITHOUT_TOTAL })
            .context("the template of the progress bar")?
            .progress_chars("=> ")
            .with_key("records", move |_: &ProgressState, writer: &mut dyn fmt::Write| {
                let _ = write!(writer, "{shown}");
            });
        let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(100));
        Ok(Some(Bar { bar, seen }))
    }
}

impl Progress for Bar {
    fn advanced(&self, counts: Counts) {
        self.seen.games.fetch_add(counts.games, Ordering::Relaxed);
        self.seen.positions.fetch_add(counts.positions, Ordering::Relaxed);
        self.bar.inc(counts.bytes);
    }

    fn found(&self, findings: u64) {
        self.seen.findings.fetch_add(findings, Ordering::Relaxed);
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
    fn templates_are_well_formed() {
        for template in [WITH_TOTAL, WITHOUT_TOTAL] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }

    #[test]
    fn what_was_seen_is_told_shortly() {
        let seen = Seen::default();
        assert_eq!(seen.to_string(), "0 games, 0 findings");
        seen.positions.store(1, Ordering::Relaxed);
        assert_eq!(seen.to_string(), "1 position, 0 findings");
        seen.games.store(2000, Ordering::Relaxed);
        assert_eq!(seen.to_string(), "2,000 games, 1 position, 0 findings");
    }
}
