//! How much is tried: a sample at each change, and everything in `.ci/long`.

use std::env;

/// The share of the cases that is tried at each change.
const SHARE: usize = 4;

/// Whether everything is tried.
pub fn tries_all() -> bool {
    env::var_os("CHESS_AUDIT_LONG").is_some()
}

/// How many of so many cases are tried.
pub fn part(all: usize) -> usize {
    if tries_all() { all } else { all.div_ceil(SHARE) }
}

/// How far apart the cases are that are tried.
pub fn stride() -> usize {
    if tries_all() { 1 } else { SHARE }
}
