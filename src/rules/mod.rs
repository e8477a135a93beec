//! The catalogue in code: what can be wrong with a record, and how it is shown to be.
//!
//! A rule is one file: metadata, documentation, samples that must fire, near misses that must not, and its check. One line
//! in [`table`] registers it. Help, the README's table, the files in `fixtures/failed` and the tests of the samples are
//! derived from it.

pub mod cas;
mod code;
pub mod ctr;
pub mod epd;
pub mod eps;
mod examine;
pub mod facts;
pub mod fen;
mod finding;
pub mod pos;
mod rule;
mod selection;
mod table;
pub mod var;

pub use crate::chess::Span;
pub use code::{Code, CodeSet, Family, NotACode};
pub use examine::{Examined, PositionEvidence, apply_yields, examine_line, examine_position};
pub use facts::{Declared, Origin};
pub use finding::{Condition, Finding, Findings, Repair, Scope, shown};
pub use rule::{Check, Rule, Sample, Severity, Yield};
pub use selection::{Profile, Selection, UnknownRule, rules_called};
pub use table::{RULES, rule};
