//! What records are checked for.

use std::sync::Arc;

use super::{game::GameChecks, window::MARGIN};
use crate::{
    rules::{PositionChecks, Severity},
    table::Layout,
};

/// Maximum length of a record in bytes, unless it is set.
pub(crate) const MAX_RECORD: usize = 64 << 20;

/// What every record of an input is checked for.
#[derive(Clone, Debug)]
pub(crate) struct RecordChecks {
    /// How its records are laid out.
    pub layout: Layout,
    /// What games are checked for.
    pub games: Arc<GameChecks>,
    /// What positions are checked for.
    pub positions: PositionChecks,
    /// The least severe findings that games on the fast path must not have. `None` if it may not
    /// accept games.
    pub fast_games: Option<Severity>,
    /// Maximum length of a record in bytes. Longer ones are not checked.
    pub max_bytes: usize,
    /// Whether every position that fits only Chess960 is reported, however many there are.
    pub reports_all: bool,
}

impl RecordChecks {
    /// Maximum length of a record that the fast path accepts. The thorough path then reads a
    /// shorter record in the same way, however much text follows it.
    pub(super) fn max_accepted(&self) -> usize {
        self.max_bytes.saturating_sub(MARGIN)
    }

    /// Number of bytes from the start of any record that show whether it is too large.
    pub fn max_window(&self) -> usize {
        self.max_bytes.saturating_add(MARGIN)
    }

    /// Whether the fast path may accept position lines, or rows of a table.
    pub(super) fn fast_positions(&self) -> bool {
        matches!(self.layout, Layout::Positions | Layout::Table(_)) && !self.positions.infos
    }
}
