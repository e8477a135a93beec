//! Sorts keys of games with little memory: how many a second, and how much private memory that
//! takes.
//!
//!     cargo bench --bench sorter [-- --parallel]

#[path = "common/mod.rs"]
mod audit;
#[path = "../tests/suite/common/mod.rs"]
mod common;

use std::{env, fs, hint::black_box, io, time::Instant};

use audit::timed;
use chess_audit::internals::spill::Sorter;

/// Maximum number of keys in memory: 16 MiB.
const MAX_IN_MEMORY: usize = 1 << 20;

/// Private memory in KiB, where the system says it.
fn private_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

fn main() -> io::Result<()> {
    let keys: u64 = if timed() { 100_000_000 } else { 100_000 };
    let max_in_memory = if timed() { MAX_IN_MEMORY } else { 1000 };
    let mut sorter: Sorter<2> = Sorter::with_limit(max_in_memory);
    if env::args().any(|word| word == "--parallel") {
        sorter = sorter.in_parallel();
    }
    let start = Instant::now();
    let mut memory = 0;
    let mut watch = |number: u64| {
        if number.is_multiple_of(1 << 20) {
            memory = memory.max(private_memory());
        }
    };
    for number in 0..keys {
        // An odd factor, so all keys are different.
        sorter.push([(number % (keys / 2)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32), number])?;
        watch(number);
    }
    let pushed = start.elapsed();
    let (mut entries, mut last) = (0, [0; 2]);
    for entry in sorter.sorted()? {
        let entry = black_box(entry?);
        assert!(last <= entry, "{last:?} comes before {entry:?}");
        last = entry;
        watch(entries);
        entries += 1;
    }
    assert_eq!(entries, keys);
    let all = start.elapsed();
    println!(
        "{keys} keys in {:.2} s ({:.2} s until all were added): {:.2} million a second, {:.1} MiB of private memory",
        all.as_secs_f64(),
        pushed.as_secs_f64(),
        keys as f64 / all.as_secs_f64() / 1e6,
        memory as f64 / 1024.0,
    );
    Ok(())
}
