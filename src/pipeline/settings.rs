//! What a run is to do.

use std::sync::Arc;

use super::{Exception, Known};
use crate::{
    pgn::{EcoBook, Limits},
    rules::{PositionChecks, Selection},
    table::Columns,
};

/// What a run is to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which findings are shown.
    pub selection: Selection,
    /// Worker threads; 0 means one for each processor.
    pub threads: usize,
    /// Nominal size of a chunk in bytes; at least 1. It changes no result.
    pub chunk_bytes: usize,
    /// Counts of leaf nodes are checked down to this depth in plies; 0: not at all.
    pub perft_depth: u32,
    /// At most so many rows per rule and input; counts stay exact.
    pub max_rows: Option<u64>,
    /// The sink is shown so many examples of each rule, severity and input; 0: none.
    pub examples: u64,
    /// Findings that are known already.
    pub known: Known,
    /// Rules that are left out for some inputs.
    pub exceptions: Vec<Exception>,
    /// Whether every record is read as Chess960 or double Chess960.
    pub chess960: bool,
    /// Whether files are mapped into memory rather than read.
    pub map: bool,
    /// Whether the rules about positions are asked about every position that the moves of a game reach, not only about the
    /// one it begins in.
    pub exhaustive: bool,
    /// Whether games are all read on the thorough path, also those that can be proven clean sooner. It changes no result.
    pub thorough: bool,
    /// The ratings and days that are taken as possible.
    pub limits: Limits,
    /// The columns of tables that are asked for; of no effect on inputs whose format is given.
    pub columns: Columns,
    /// The classification of openings; without one TAG16 is not run.
    pub eco: Option<Arc<EcoBook>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            selection: Selection::default(),
            threads: 0,
            chunk_bytes: 1 << 18,
            perft_depth: PositionChecks::default().perft_depth,
            max_rows: None,
            examples: 0,
            known: Known::default(),
            exceptions: Vec::new(),
            chess960: false,
            map: true,
            exhaustive: false,
            thorough: false,
            limits: Limits::DEFAULT,
            columns: Columns::default(),
            eco: None,
        }
    }
}
