//! The format of an input.

use serde::Serialize;

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Games.
    Pgn,
    /// Positions, one per line: FEN, or EPD with operations.
    Epd,
}

impl Format {
    /// The value in reports and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Epd => "epd",
        }
    }
}
