//! A list of all games: a row for each, with its tags and with keys that equal games share.

use std::{
    io::{self, BufWriter},
    path::{Path, PathBuf},
};

use shakmaty::{EnPassantMode, fen::Fen};

use super::replaceable_file::{ForeignFile, OwnFile};
use crate::format::{columns::game_column_names, csv_file::Rows, hash_cell::key, output::OutputFile, run_files::CheckedFiles};
use crate::{
    identity::{CardBytes, GameKeys, KEPT_TAGS},
    rules::Severity,
};

/// An error with a list of games.
#[derive(Debug, thiserror::Error)]
pub enum GameListError {
    /// The file is not a list of games.
    #[error(transparent)]
    Foreign(#[from] ForeignFile),
    /// The file cannot be written.
    #[error("cannot write the games to `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A list of games that is being written. It replaces an earlier one when it is finished.
#[derive(Debug)]
pub struct GameList {
    path: PathBuf,
    rows: Rows<BufWriter<OutputFile>>,
}

impl GameList {
    /// Starts a list in `path`, which replaces none of `files`.
    pub fn create(path: &Path, force: bool, files: &CheckedFiles) -> Result<GameList, GameListError> {
        if !force {
            OwnFile::Games.check(path)?;
        }
        let unwritable = |source| GameListError::Unwritable { path: path.to_owned(), source };
        let output = OutputFile::create(path).map_err(unwritable)?.apart_from(files);
        let rows = Rows::begin(BufWriter::new(output), &game_column_names());
        Ok(GameList { path: path.to_owned(), rows })
    }

    /// Adds a game of `input`.
    pub fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        let digest = game.content_key();
        let game = game.game()?;
        let GameKeys { start, opening, end, moves } = game.keys;
        let last = game.position_after(game.plies.len());
        let worst = match (game.traits.errors, game.traits.has_warnings) {
            (0, false) => "",
            (0, true) => Severity::Warning.as_str(),
            _ => Severity::Error.as_str(),
        };
        let written = self.rows.row(|row| {
            row.name(input);
            row.number(game.place.game);
            row.number(game.place.line);
            row.number(game.place.byte);
            row.number(game.place.end);
            row.number(game.plies.len());
            KEPT_TAGS.into_iter().for_each(|tag| row.text(game.tag(tag)));
            [start, moves, end].into_iter().for_each(|hash| row.text(&key(hash)));
            row.show_some((opening != 0).then(|| key(opening)));
            row.text(&last.map_or_else(String::new, |last| Fen::from_position(&last, EnPassantMode::Legal).to_string()));
            row.text(worst);
            row.text(&key(digest));
            row.text(str::from_utf8(&game.traits.eco).unwrap_or_default().trim_matches('\0'))
        });
        written.map_err(|source| io::Error::new(source.kind(), GameListError::Unwritable { path: self.path.clone(), source }))
    }

    /// Moves the list to its place.
    pub fn finish(self) -> Result<(), GameListError> {
        let GameList { path, rows } = self;
        let ended = rows.end().and_then(|output| output.into_inner().map_err(io::IntoInnerError::into_error));
        ended.and_then(OutputFile::finish).map_err(|source| GameListError::Unwritable { path, source })
    }
}
