//! Times pieces of work, and prints the median, the fastest and the slowest run of each.

use std::{
    env,
    time::{Duration, Instant},
};

use super::timed;

/// How long one piece of work is repeated.
const TARGET: Duration = Duration::from_secs(3);

/// Minimum number of runs, however long they take.
const MIN_RUNS: usize = 5;

/// Pieces of work on the same input.
pub struct Group {
    name: String,
    amount: f64,
    unit: &'static str,
}

impl Group {
    /// Work on `amount` units of an input.
    pub fn new(name: &str, amount: usize, unit: &'static str) -> Group {
        Group { name: name.to_owned(), amount: amount as f64, unit }
    }

    /// Times `work`, if its name contains the words of the command line. Without `--bench`, runs it
    /// once.
    pub fn time<T>(&self, name: &str, mut work: impl FnMut() -> T) {
        let name = format!("{}: {name}", self.name);
        if env::args().skip(1).any(|word| !word.starts_with('-') && !name.contains(&word)) {
            return;
        }
        work();
        if !timed() {
            return;
        }
        let (start, mut runs) = (Instant::now(), Vec::new());
        while runs.len() < MIN_RUNS || start.elapsed() < TARGET {
            let run = Instant::now();
            work();
            runs.push(run.elapsed());
        }
        runs.sort();
        let milliseconds = |run: Duration| 1000.0 * run.as_secs_f64();
        let (fastest, median, slowest) = (runs[0], runs[runs.len() / 2], runs[runs.len() - 1]);
        println!(
            "{name}: {:.2} ms ({:.2} to {:.2}), {:.2} million {} per second",
            milliseconds(median),
            milliseconds(fastest),
            milliseconds(slowest),
            self.amount / median.as_secs_f64() / 1e6,
            self.unit,
        );
    }
}
