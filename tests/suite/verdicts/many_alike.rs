//! Many games that are alike: each copy is found, and what games have in common is said once.

use std::{collections::BTreeMap, fs, path::Path};

use crate::common::{
    games::{Game, games, unlike_name},
    program::{Outcome, run},
};

/// A won game of at least 60 plies, from the starting position.
fn moves() -> String {
    let is_long = |game: &Game| game.fen.is_none() && (60..200).contains(&game.sans.len());
    games(100).into_iter().find(is_long).map(|game| game.sans.join(" ")).expect("a long game")
}

/// A game with these players.
fn game(white: &str, black: &str, round: usize, moves: &str) -> String {
    format!(
        "[Event \"Riga\"]\n[Site \"?\"]\n[Date \"1974.05.{:02}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \
         \"{black}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n",
        round % 28 + 1,
    )
}

/// The rows about copies in these files of `home`, and what is printed.
fn rows(home: &Path, files: &[&str]) -> Outcome<(Vec<BTreeMap<String, String>>, String)> {
    let check = ["check", "--no-config", "--duplicates", "--fail-on", "never", "--select", "DUP", "-o", "report"];
    let output = run(home, &[&check, files].concat())?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut reader = csv::Reader::from_path(home.join("report/duplicates.csv"))?;
    let rows = reader.deserialize().collect::<Result<Vec<BTreeMap<String, String>>, _>>()?;
    Ok((rows, String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?))
}

/// The same for one file.
fn rows_of(games: &[String]) -> Outcome<(Vec<BTreeMap<String, String>>, String)> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), games.concat())?;
    rows(home.path(), &["a.pgn"])
}

fn unlike(count: usize, moves: &str) -> Vec<String> {
    (0..count).map(|number| game(&unlike_name(2 * number), &unlike_name(2 * number + 1), number + 1, moves)).collect()
}

#[test]
fn unlike_players_of_equal_games_are_named_in_one_row() -> Outcome {
    let moves = moves();
    let home = tempfile::tempdir()?;
    let games = unlike(30, &moves);
    fs::write(home.path().join("a.pgn"), games[..12].concat())?;
    // Among them a copy of one that is there already.
    fs::write(home.path().join("b.pgn"), [&games[12..], &games[4..5]].concat().concat())?;
    let (found, _) = rows(home.path(), &["a.pgn", "b.pgn"])?;
    assert_eq!(rows(home.path(), &["[ab].pgn"])?.0, found);
    let columns = ["rule", "input", "game", "partner_input", "partner_game", "cluster", "keep"];
    let cells: Vec<[&str; 7]> = found.iter().map(|row| columns.map(|column| row[column].as_str())).collect();
    assert_eq!(
        cells,
        [["DUP02", "a.pgn", "1", "a.pgn", "2", "", "check"], ["DUP01", "b.pgn", "19", "a.pgn", "5", "c1", "no"]],
        "{found:?}"
    );
    let message = &found[0]["message"];
    assert!(
        message.contains("as 29 games under other names: Zdababababa, X - Zfababababa, X in game 2 (line 11), "),
        "{message}"
    );
    assert!(message.contains(" of b.pgn and 9 more; all headers but one are wrong, or names are misspelled"), "{message}");
    // Of two, each is named in the other place.
    let (pair, _) = rows_of(&games[..2])?;
    assert_eq!(pair.len(), 1);
    assert!(pair[0]["message"].contains("which is Zbababababa, X - Zcababababa, X: one of the headers is wrong"), "{pair:?}");
    Ok(())
}

#[test]
fn more_equal_games_than_fit_in_memory_at_once_are_compared() -> Outcome {
    let moves = moves();
    let copy = game("Tal, Mihail", "Keres, Paul", 1, &moves);
    let (copies, printed) = rows_of(&vec![copy; 4500])?;
    assert_eq!(copies.len(), 4499);
    assert!(copies.iter().all(|row| (&row["cluster"][..], &row["keep"][..], &row["partner_game"][..]) == ("c1", "no", "1")));
    assert!(!printed.contains("too many are alike"), "{printed}");
    let (others, printed) = rows_of(&unlike(4500, &moves))?;
    assert_eq!(others.len(), 1, "{:?}", &others[..2]);
    assert!(others[0]["message"].contains("4,499 games under other names"), "{:?}", others[0]);
    assert!(!printed.contains("too many are alike"), "{printed}");
    Ok(())
}

#[test]
fn what_is_not_compared_is_counted() -> Outcome {
    let moves = moves();
    // Engines repeat games, so none is surely a copy.
    let engines: Vec<String> = (0..200).map(|round| game("Fritz 5", "Hiarcs 6", round + 1, &moves)).collect();
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), engines.concat())?;
    let (found, printed) = rows(home.path(), &["--profile", "strict", "a.pgn"])?;
    // Each game has one row, whatever the number of those that it is like.
    assert_eq!(found.len(), 199);
    assert!(printed.contains("because too many are alike"), "{printed}");
    let run: serde_json::Value = serde_json::from_slice(&fs::read(home.path().join("report/run.json"))?)?;
    let copies = &run["copies"];
    assert_eq!((&copies["groups_not_compared"], &copies["games_not_compared"]), (&1.into(), &167.into()), "{copies}");
    assert!(copies["pairs_not_compared"].as_u64() > Some(10_000), "{copies}");
    Ok(())
}
