//! From inputs to findings: chunks, threads, order, and what holds for a whole input.

mod audit;
mod outcome;

pub use audit::{Audit, Settings};
pub use outcome::{Counts, Failure, InputSummary, Place, Progress, RuleSummary, RunSummary, SeverityCounts, Sink};
