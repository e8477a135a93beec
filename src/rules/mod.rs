//! The catalogue in code: what can be wrong with a record, and how it is shown to be.
//!
//! A rule is one file: metadata, documentation, samples that must fire, near misses that must not, and its check. One line
//! in [`table`] registers it. Help, the README's table, the files in `fixtures/failed` and the tests of the samples are
//! derived from it.

/// Declares the rules of a family: a module for each, and the list `RULES` in the order of their codes.
macro_rules! family {
    ($($rule:ident,)*) => {
        $(pub mod $rule;)*

        /// The rules of this family, in the order of their codes.
        pub(super) const RULES: &[&super::Rule] = &[$(&$rule::RULE),*];
    };
}

#[macro_use]
mod code;

pub mod aggregate;
pub mod ann;
pub mod cas;
pub mod catalogue;
pub mod clk;
pub mod ctr;
mod dispatch;
pub mod enc;
pub mod epd;
pub mod eps;
pub mod facts;
pub mod fen;
pub mod mov;
pub mod num;
pub mod pos;
pub mod res;
mod rule;
mod sample;
mod selection;
mod severity;
pub mod syn;
mod table;
pub mod tag;
#[cfg(test)]
mod testing;
pub mod var;

pub use crate::text::Span;
pub use code::{Code, CodeSet, Family, NotACode};
pub use dispatch::{ActiveRules, apply_yields};
pub use enc::not_text::report as report_not_text;
pub use epd::bad_string::report_open_cell;
pub use eps::ep_convention_mixed::EnPassantCounts;
pub use facts::{Declared, EnPassantUse, Origin, PositionChecks};
pub use fen::field_count::{report_no_position, report_short_row};
pub use mov::{played_in_variant, refused_in_variant};
pub use rule::{Check, Condition, Conditions, Finding, Findings, Marks, Patch, Repair, Rule, Scope, Yield, shown};
pub use sample::Sample;
pub use selection::{Selection, UnknownRule, rules_called};
pub use severity::{Profile, Severity};
pub use syn::empty_input::report as report_empty_input;
pub use table::{RULES, rule};
