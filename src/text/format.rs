//! What an input is read as.

use serde::Serialize;

/// What an input is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Games.
    Pgn,
    /// Position lines: FEN, or EPD with operations.
    Epd,
}

impl Format {
    /// The word in reports and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Epd => "epd",
        }
    }
}
