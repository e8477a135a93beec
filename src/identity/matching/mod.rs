//! Which records of one sequence are those of another one: games of two corpora, games and findings
//! of two reports.

mod agreement;
mod by_keys;
mod corpora;

pub use by_keys::{Group, IN_SECOND, Unmatched, join, matched};
pub use corpora::{Corpora, DifferenceCounts, Differences, GameDifference, GameVersion};
