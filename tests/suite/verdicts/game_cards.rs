//! What is kept of each game to find its copies, and what games are counted by: the same on both
//! paths, for every chunk size, and true to the games.

use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::Path,
    sync::atomic::AtomicBool,
};

use chess_audit::internals::{
    corpus::{Input, Source},
    identity::{CardBytes, CardUse, KEPT_TAGS},
    pgn::KnownTag,
    pipeline::{Audit, Failure, InputSummary, RunSummary, Settings, Sink},
    record::{Property, Results},
    rules::{Finding, Span},
};

use crate::common::{
    corpora, fixture,
    program::{Outcome, run},
};

/// Keeps the games of a run, as text, and the places of their values.
#[derive(Default)]
struct Games {
    texts: Vec<String>,
    values: Vec<(String, Span, String)>,
    /// Number of games by year and result, from their cards.
    years: BTreeMap<String, BTreeMap<String, u64>>,
    summary: RunSummary,
}

impl Sink for Games {
    fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, input: &str, game: &CardBytes<'_>) -> io::Result<()> {
        let game = game.game()?;
        let year = game.tag(KnownTag::Date).get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
        let of_year = self.years.entry(year.unwrap_or("unknown").to_owned()).or_default();
        *of_year.entry(game.tag(KnownTag::Result).to_owned()).or_default() += 1;
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
    let audit = Audit::new(Settings { games: Some(CardUse::List), portrait: true, ..settings });
    let inputs = files.iter().map(input).collect();
    games.summary = audit.run(inputs, &mut games, &(), &AtomicBool::new(false)).expect("this sink takes everything");
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
    let Games { texts: expected, summary: RunSummary { portrait, .. }, .. } = games(&files, Settings::default());
    assert!(expected.len() > 90, "{}", expected.len());
    for settings in [
        Settings { thorough: true, ..Settings::default() },
        Settings { chunk_bytes: 1000, threads: 3, ..Settings::default() },
        Settings { map: false, ..Settings::default() },
    ] {
        let Games { texts: found, summary, .. } = games(&files, settings.clone());
        assert_eq!(summary.portrait.packed(), portrait.packed(), "{} {}", settings.thorough, settings.chunk_bytes);
        for (one, other) in expected.iter().zip(&found) {
            assert_eq!(one, other, "{} {}", settings.thorough, settings.chunk_bytes);
        }
        assert_eq!(found.len(), expected.len());
    }
}

#[test]
fn every_game_is_in_the_portrait() {
    let mut files = files_in(&fixture("conformance/collections"));
    files.push(fixture("showcase.pgn"));
    let home = tempfile::tempdir().expect("a directory");
    for (name, rows) in
        [("games.csv", "id,pgn\n1,1. e4 e5 1/2-1/2\n2,1. d4 *\n"), ("moves.csv", "id,moves\n1,e2e4 e7e5\n2,d2d4\n")]
    {
        let file = home.path().join(name);
        fs::write(&file, rows).expect("a file");
        let Games { summary: RunSummary { portrait, counts, .. }, .. } = games(std::slice::from_ref(&file), Settings::default());
        assert_eq!((portrait.all().games(), counts.games), (2, 2), "{name}");
    }
    let Games { summary: RunSummary { portrait, counts, .. }, years, .. } = games(&files, Settings::default());
    assert_eq!(portrait.all().games(), counts.games);
    for property in Property::ALL.into_iter().filter(|property| *property != Property::Title) {
        let games: u64 = portrait.counted(property).map(|counted| counted.results.games()).sum();
        assert_eq!(games, counts.games, "{property:?}");
    }
    let known = years.keys().filter(|year| ("1475".."2100").contains(&year.as_str()));
    for year in known.clone() {
        let counted = portrait.counted(Property::Year).find(|counted| counted.value == *year).expect("games of the year");
        let by_result = |result: &str| years[year].get(result).copied().unwrap_or(0);
        let Results { white, draw, black, .. } = counted.results;
        assert_eq!([white, draw, black], ["1-0", "1/2-1/2", "0-1"].map(by_result), "{year}");
    }
    assert!(known.count() >= 8, "{:?}", years.keys());
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

#[test]
fn a_list_of_games_has_the_codes_of_openings() -> Outcome {
    let home = tempfile::tempdir()?;
    let game = |eco: &str| format!("[Event \"Cup\"]\n{eco}[Result \"*\"]\n\n1. e4 *\n\n");
    let values = ["B90", "C20/05", " A00 ", "b90", "?", "E9", "F00"];
    let games = values.map(|value| game(&format!("[ECO \"{value}\"]\n"))).concat() + &game("");
    fs::write(home.path().join("games.pgn"), games)?;
    let arguments = ["check", "--no-config", "-q", "--fail-on", "never", "--games", "games.csv", "games.pgn"];
    run(home.path(), &arguments)?;
    let rows: Vec<BTreeMap<String, String>> =
        csv::Reader::from_path(home.path().join("games.csv"))?.deserialize().collect::<Result<_, _>>()?;
    let codes: Vec<&str> = rows.iter().map(|row| row["ECO"].as_str()).collect();
    assert_eq!(codes, ["B90", "C20", "A00", "", "", "", "", ""]);
    Ok(())
}
