//! The catalogue in code: what can be wrong with a record, and how it is found.
//!
//! A rule is one file: metadata, documentation, samples that must fire, samples that must not, and
//! its check. Help, tables, the files in `fixtures/conformance` and the tests of samples are
//! derived from it.
#![doc = include_str!("README.md")]

/// Lists the rules of a family, in the order of their codes.
macro_rules! family {
    ($($rule:ident,)*) => {
        /// The rules of this family, in the order of their codes.
        pub(super) const RULES: &[&super::Rule] = &[$(&$rule::RULE),*];
    };
}

/// Games of a sample, with a blank line after each.
macro_rules! games {
    ($($game:expr),+ $(,)?) => {
        concat!($($game, "\n\n"),+)
    };
}

/// A game that a finding is about, in a sample.
macro_rules! marked {
    ($game:expr) => {
        concat!("⟦", $game, "⟧")
    };
}

#[macro_use]
mod code;

pub mod aggregate;
mod all_rules;
pub(crate) mod ann;
pub(crate) mod cas;
pub mod catalogue;
pub(crate) mod clk;
pub(crate) mod ctr;
mod dispatch;
pub(crate) mod dup;
pub(crate) mod enc;
pub(crate) mod epd;
pub(crate) mod eps;
pub(crate) mod exp;
pub mod facts;
pub(crate) mod fen;
pub(crate) mod hse;
mod main_line;
pub(crate) mod mov;
pub(crate) mod nam;
pub(crate) mod num;
pub(crate) mod patches;
pub(crate) mod placeholders;
pub(crate) mod pos;
pub(crate) mod prelude;
pub(crate) mod res;
mod rule;
mod sample;
mod selection;
mod severity;
mod start_shown;
mod stated_result;
pub(crate) mod syn;
pub(crate) mod tag;
#[cfg(test)]
mod testing;
pub(crate) mod tru;
pub(crate) mod var;
pub(crate) mod variant_shown;

pub use crate::text::Span;
pub use all_rules::{RULES, rule};
pub use code::{Code, CodeSet, Family};
pub use dispatch::{ActiveRules, apply_yields};
pub use enc::not_text::{report as report_not_text, report_converted};
pub use epd::bad_string::report_open_cell;
pub use exp::{Bounds, Ceiling, Quantity};
pub use facts::{Declared, Origin, PositionChecks};
pub use fen::field_count::{report_no_position, report_short_row};
pub use hse::{Demand, DeniedGames, HouseNote, HouseRules, TagDemand};
pub use mov::{played_in_variant, refused_in_variant};
pub use rule::{
    Certainty, Check, Condition, Conditions, Finding, FindingId, Findings, Keep, MAX_PATCHES, MAX_SHOWN, MIN_GROUPED, Marks,
    Need, Note, Noted, Notes, Partner, Patch, RecordBoard, Rule, Scope, Sign, Sums, Wakes, Waking, Yield, in_record, shown,
    sums_of,
};
pub use sample::Sample;
pub use selection::{Selection, UnknownRule, rules_called};
pub use severity::{Profile, Severity};
pub use start_shown::StartShown;
pub use syn::incomplete_row::{report_bad_json, report_extra_cells, report_short_cells, report_split_cells};
pub use syn::{
    empty_input::report as report_empty_input, enclosed_games::report as report_enclosed_games,
    enclosed_positions::report as report_enclosed, not_chess::report as report_not_chess,
};
pub use variant_shown::{IF_STANDARD_START, StartCounts, assume_standard_start};
