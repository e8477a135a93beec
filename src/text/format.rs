//! Formats of inputs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The format in which an input is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// PGN games.
    Pgn,
    /// Positions, one per line: FEN, or EPD with operations.
    Epd,
}

impl Format {
    /// The name in reports and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Epd => "epd",
        }
    }
}
