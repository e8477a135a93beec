//! The tables of a comparison.

use std::io::{self, Write};

/// Where the tables of a comparison are written.
pub struct CompareTables<'w> {
    /// A row for each finding that differs.
    pub findings: Box<dyn Write + 'w>,
    /// A row for each input that differs.
    pub inputs: Box<dyn Write + 'w>,
    /// A row for each game that differs.
    pub games: Box<dyn Write + 'w>,
}

impl Default for CompareTables<'_> {
    /// They are written nowhere.
    fn default() -> Self {
        CompareTables { findings: Box::new(io::sink()), inputs: Box::new(io::sink()), games: Box::new(io::sink()) }
    }
}
