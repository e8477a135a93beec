//! Writing games again: with repairs, or good and bad ones apart.

pub(crate) mod clean;
pub(crate) mod fix;
pub(crate) mod split;

pub use clean::{Clean, CleanError, CleanOutcome, Cleaned, Decisions, Names, Step};
pub use fix::{Control, DiffStyle, Fix, FixError, FixPlan, FixProgress, Fixed};
pub use split::{Split, SplitCounts, SplitError, SplitFiles, SplitOutput};
