//! Accepts records without findings quickly: no facts, no explanations, no allocations.
//!
//! What is accepted here has no findings of severity error or warning under any condition, whatever
//! the rest of the input is: [`examine_line_to`](super::examine_line_to) would report none. If
//! asked to, [`FastGames`] accepts only games that have no infos either. Positions with castling
//! rights that fit only Chess960 are accepted and noted. What is not accepted, for whatever reason,
//! is examined on the thorough path. This path gives up early and never says what is wrong. Tests
//! compare the two.

pub(crate) mod accepted_lines;
mod accepted_position;
mod avx2;
pub(crate) mod game;
mod marks;
mod operations;
mod plain_move;
mod row;

use crate::{
    rules::{RULES, Rule, Selection, Severity},
    table::Table,
};

pub use accepted_lines::AcceptedLine;
pub(super) use accepted_position::{accepts_fields, accepts_fields_with, accepts_reached};
pub use game::{FastGames, Infos};
pub use row::AcceptedRow;

/// Whether `selection` shows only findings about positions that [`accept_lines`] rules out.
pub fn fast_lines_suffice(selection: &Selection) -> bool {
    RULES.iter().all(|rule| !rule.check.is_about_positions() || !selection.shows_infos(rule))
}

/// The least severe findings about games that `selection` shows. `None` if [`FastGames`] cannot
/// rule them out.
pub fn least_severe_about_games(selection: &Selection) -> Option<Severity> {
    let is_about_games = |rule: &Rule| !rule.check.is_about_positions() && !rule.check.is_about_inputs();
    let mut about_games = RULES.iter().copied().filter(|rule| is_about_games(rule) && selection.shows_infos(rule)).peekable();
    let shows_infos = about_games.peek().is_some();
    let shows_layout = about_games.any(|rule| rule.layout);
    (!shows_layout).then_some(if shows_infos { Severity::Info } else { Severity::Warning })
}

/// Reads lines from `start` while each contains a position without findings of severity error or
/// warning, and nothing else. Passes each of them to `take`, which returns whether to continue. A
/// line that is not passed may still be free of findings.
pub fn accept_lines(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    avx2::accept_lines(text, start, take);
}

/// Reads rows of `table` from `start` while each is without findings of severity error or warning
/// and in regular spelling, as [`accept_lines`] does. The first one must come after the names of
/// columns.
pub fn accept_rows(text: &[u8], start: usize, table: &Table, take: impl FnMut(AcceptedRow) -> bool) {
    avx2::accept_rows(text, start, table, take);
}
