//! From inputs to findings: chunks, threads, order, and what holds for a whole input.

mod audit;
mod chunk;
mod drawing;
mod emit;
mod excerpt;
mod explain;
mod game;
mod hold;
mod ids;
mod known;
mod outcome;
mod players;
mod repeated;
mod stream;
mod table;
mod totals;

pub use audit::{Audit, Settings};
pub use drawing::Drawing;
pub use excerpt::Excerpt;
pub use explain::{Capture, End, Explanation, Men, State, explain_line};
pub use known::{Exception, Known};
pub use outcome::{Counts, Failure, InputSummary, Place, Progress, RuleSummary, RunSummary, SeverityCounts, Sink};
