//! The catalogue in code: what can be wrong with a record, and how it is shown to be.
//!
//! A rule is one file: metadata, documentation, samples that must fire, near misses that must not, and its check. One line
//! in [`table`] registers it. Help, the README's table, the files in `fixtures/failed` and the tests of the samples are
//! derived from it.

mod code;
pub mod facts;
mod finding;
mod mov;
mod res;
mod rule;
mod selection;
mod syn;
mod table;

pub use crate::chess::Span;
pub use code::{Code, CodeSet, Family, NotACode};
pub use finding::{Condition, Finding, Findings, Repair, Scope, shown};
pub use rule::{Check, Rule, Sample, Severity, Yield};
pub use selection::{Profile, Selection, UnknownRule, rules_called};
pub use table::{RULES, rule};
