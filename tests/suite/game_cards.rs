//! What is kept of each game to find its copies: the same on both paths, for every chunk size, and true to the game.

use std::{fs, io, path::Path, sync::atomic::AtomicBool};

use chess_audit::{
    corpus::{Input, Source},
    identity::CardBytes,
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    rules::Finding,
};

use crate::common::{corpora, fixture};

/// Keeps the games of a run, as text.
#[derive(Default)]
struct Games(Vec<String>);

impl Sink for Games {
    fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        self.0.push(format!("{input} {:?}", game.game()?));
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &Failure) -> io::Result<()> {
        Ok(())
    }
}

fn games(files: &[std::path::PathBuf], settings: Settings) -> Vec<String> {
    let input = |file: &std::path::PathBuf| Input {
        name: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        source: Source::File(file.clone()),
        format: None,
        scanned: true,
    };
    let mut games = Games::default();
    let audit = Audit::new(Settings { games: true, ..settings });
    audit.run(files.iter().map(input).collect(), &mut games, &(), &AtomicBool::new(false)).expect("this sink takes everything");
    games.0
}

fn files_in(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

#[test]
fn cards_do_not_depend_on_the_path_or_on_chunks() {
    let mut files = [fixture("passed"), fixture("failed")].iter().flat_map(|folder| files_in(folder)).collect::<Vec<_>>();
    files.push(fixture("showcase.pgn"));
    let more = corpora().map_or_else(Vec::new, |folder| files_in(&folder.join("pgn")));
    files.extend(more.into_iter().filter(|file| file.metadata().is_ok_and(|metadata| metadata.len() < 4 << 20)));
    let expected = games(&files, Settings::default());
    assert!(expected.len() > 300, "{}", expected.len());
    for settings in [
        Settings { thorough: true, ..Settings::default() },
        Settings { chunk_bytes: 1000, threads: 3, ..Settings::default() },
        Settings { map: false, ..Settings::default() },
    ] {
        let found = games(&files, settings.clone());
        for (one, other) in expected.iter().zip(&found) {
            assert_eq!(one, other, "{} {}", settings.thorough, settings.chunk_bytes);
        }
        assert_eq!(found.len(), expected.len());
    }
}
