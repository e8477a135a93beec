//! The catalogue in code: what can be wrong with a record, and how it is shown to be.
//!
//! A rule is one file: metadata, documentation, samples that must fire, near misses that must not, and its check. One line
//! in [`table`] registers it. Help, the README's table, the files in `fixtures/failed` and the tests of the samples are
//! derived from it.

pub mod catalogue;
mod code;
pub mod enc;
pub mod facts;
mod finding;
pub mod mov;
pub mod num;
pub mod res;
mod rule;
mod selection;
pub mod syn;
mod table;
pub mod tag;
#[cfg(test)]
mod testing;
pub mod var;

pub use crate::chess::Span;
pub use code::{Code, CodeSet, Family, NotACode};
pub use finding::{Condition, Finding, Findings, Repair, Scope, shown};
pub use rule::{Check, Rule, Sample, Severity, Yield};
pub use selection::{Profile, Selection, UnknownRule, rules_called};
pub use table::{RULES, rule};
