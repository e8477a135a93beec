//! House rules check every game, on whatever path it is read.

use std::fs;

use crate::common::program::{GAMES, Outcome, run};

#[test]
fn clean_games_are_checked_too() -> Outcome {
    let home = tempfile::tempdir()?;
    let clean = "[Event \"A\"]\n[Site \"https://lichess.org/abcd1234\"]\n[Date \"2021.03.06\"]\n[Round \"1\"]\n[White \"B\"]\n\
                 [Black \"C\"]\n[Result \"*\"]\n\n1. e4 *\n";
    fs::write(home.path().join("games.pgn"), format!("{clean}\n{}\n{GAMES}", clean.replace("abcd1234", "efgh5678")))?;
    let of = |settings: &str, more: &[&str]| -> Outcome<Vec<String>> {
        fs::write(home.path().join("chess-audit.toml"), settings)?;
        fs::write(home.path().join("bad.txt"), "abcd1234\n")?;
        let output = run(home.path(), &[&["check", "games.pgn", "--format", "text", "-q", "--select", "HSE"], more].concat())?;
        Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
    };
    assert_eq!(of("", &[])?, [""; 0]);
    let denied = "games.pgn:2:8: error HSE04 `https://lichess.org/abcd1234` is on the list of games that the house denies";
    assert_eq!(of("deny-games = \"bad.txt\"\n", &[])?, [denied]);
    assert_eq!(of("deny-games = { file = \"bad.txt\", reason = \"cheats\" }\n", &[])?, [format!("{denied}; cheats")]);
    let value =
        |line: usize, severity: &str| format!("games.pgn:{line}:9: {severity} HSE02 White is `B`, but only `D` is allowed");
    let allow = "[allow]\nWhite = [\"D\", \"Keller, Rene\", \"Holmqvist, Nils\", \"Abara, Felix\", \"Müller, Karla\"]\n";
    let found = of(allow, &["--duplicates"])?;
    assert_eq!(found.len(), 2 + GAMES.matches("[White ").count(), "{found:?}");
    assert_eq!(
        of("[allow]\nWhite = { values = [\"D\"], severity = \"info\" }\n", &["--profile", "strict"])?[0],
        value(5, "info")
    );
    assert_eq!(of("[deny]\nWhite = [\"B\"]\n", &["--threads", "2"])?.len(), 2);
    let required = of("require = [\"Annotator\", { tag = \"ECO\", reason = \"for the index\" }]\n", &[])?;
    let message = "games.pgn:1:1: error HSE01 required tags are missing or have no known value: Annotator and ECO; for the index";
    assert_eq!(required[0], message);
    assert_eq!(required.len(), 2 + GAMES.matches("[Event ").count());
    Ok(())
}
