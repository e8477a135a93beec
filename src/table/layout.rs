//! How the records of a text are laid out.

use super::{Delimiter, Table};
use crate::text::Format;

/// How the records of a text are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// PGN games.
    Games,
    /// A position per line: FEN, or EPD with operations.
    Positions,
    /// Positions inside other text, such as JSON lines and program text.
    Enclosed {
        /// Whether the lines are JSON: an object or a list each.
        are_json: bool,
    },
    /// Games inside other text, such as template strings and Markdown fences.
    EnclosedGames(Delimiter),
    /// Rows of a table.
    Table(Table),
}

impl Layout {
    /// The layout of a text in this format that is not a table.
    pub const fn of(format: Format) -> Layout {
        match format {
            Format::Pgn => Layout::Games,
            Format::Epd => Layout::Positions,
        }
    }

    /// The format, as reports name it.
    pub const fn format(self) -> Format {
        match self {
            Layout::Games | Layout::EnclosedGames(_) | Layout::Table(Table { game: Some(_), .. } | Table { fen: None, .. }) => {
                Format::Pgn
            }
            Layout::Positions | Layout::Enclosed { .. } | Layout::Table(_) => Format::Epd,
        }
    }
}
