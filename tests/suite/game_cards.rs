//! What is kept of each game to find its copies: the same on both paths, for every chunk size, and
//! true to the game.

use std::{collections::HashMap, fs, io, path::Path, sync::atomic::AtomicBool};

use chess_audit::{
    corpus::{Input, Source},
    identity::{CardBytes, KEPT_TAGS},
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    rules::{Finding, Span},
};

use crate::common::{corpora, fixture};

/// Keeps the games of a run, as text, and the places of their values.
#[derive(Default)]
struct Games {
    texts: Vec<String>,
    values: Vec<(String, Span, String)>,
}

impl Sink for Games {
    fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        let game = game.game()?;
        self.texts.push(format!("{input} {game:?}"));
        let written = KEPT_TAGS.into_iter().filter_map(|tag| game.written(tag));
        self.values.extend(written.map(|(place, value)| (input.to_owned(), place, value.to_owned())));
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &Failure) -> io::Result<()> {
        Ok(())
    }
}

fn games(files: &[std::path::PathBuf], settings: Settings) -> Games {
    let input = |file: &std::path::PathBuf| Input {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        source: Source::File(file.clone()),
        format: None,
        scanned: true,
    };
    let mut games = Games::default();
    let audit = Audit::new(Settings { games: true, ..settings });
    audit.run(files.iter().map(input).collect(), &mut games, &(), &AtomicBool::new(false)).expect("this sink takes everything");
    games
}

fn files_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

#[test]
fn cards_do_not_depend_on_the_path_or_on_chunks() {
    let mut files = files_in(&fixture("conformance/collections"));
    files.push(fixture("showcase.pgn"));
    let more = corpora().map_or_else(Vec::new, |folder| files_in(&folder.join("pgn")));
    files.extend(more.into_iter().filter(|file| file.metadata().is_ok_and(|metadata| metadata.len() < 4 << 20)));
    let expected = games(&files, Settings::default()).texts;
    assert!(expected.len() > 90, "{}", expected.len());
    for settings in [
        Settings { thorough: true, ..Settings::default() },
        Settings { chunk_bytes: 1000, threads: 3, ..Settings::default() },
        Settings { map: false, ..Settings::default() },
    ] {
        let found = games(&files, settings.clone()).texts;
        for (one, other) in expected.iter().zip(&found) {
            assert_eq!(one, other, "{} {}", settings.thorough, settings.chunk_bytes);
        }
        assert_eq!(found.len(), expected.len());
    }
}

#[test]
fn places_of_values_are_those_in_the_file() {
    let mut files = files_in(&fixture("conformance/collections"));
    files.push(fixture("showcase.pgn"));
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pgn"));
    let name = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text_of = |file| fs::read(file).expect("a file");
    let texts: HashMap<String, Vec<u8>> = files.iter().map(|file| (name(file), text_of(file))).collect();
    let values = games(&files, Settings { chunk_bytes: 1000, ..Settings::default() }).values;
    assert!(values.len() > 300, "{}", values.len());
    for (input, place, value) in values {
        // Places in UTF-16 are those of the same text in UTF-8.
        if str::from_utf8(&texts[&input]).is_ok() {
            assert_eq!(place.of(&texts[&input]), value.as_bytes(), "{input} {place:?}");
        }
    }
}
