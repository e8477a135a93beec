//! Nights: what a comparison with the last report says after files were copied, lost, restored or edited.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use assert_cmd::Command;

type Outcome = Result<(), Box<dyn Error>>;

/// A game with `moves`, of players with this number.
fn game(number: usize, moves: &str) -> String {
    format!(
        "[Event \"Lakeside Open\"]\n[Site \"?\"]\n[Date \"2019.07.04\"]\n[Round \"{number}\"]\n[White \"Abara, Felix\"]\n\
         [Black \"Holmqvist, Nils\"]\n[Result \"*\"]\n\n{moves} *\n\n"
    )
}

/// A game with two wrong move numbers.
const TWO_FAULTS: &str = "1. e4 d5 3. Bb5+ c6 3. d3 dxe4 6. dxe4";

/// A directory with games in `games`, and the report `old` about them.
fn home() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("games"))?;
    for (name, first) in [("a", 1), ("b", 3), ("c", 5)] {
        let games = [game(first, TWO_FAULTS), game(first + 1, "1. Ke2")].concat();
        fs::write(home.path().join("games").join(name).with_extension("pgn"), games)?;
    }
    audit(home.path(), "old", &[])?;
    Ok(home)
}

fn run(home: &Path, arguments: &[&str]) -> Result<(i32, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).current_dir(home).args(arguments).output()?;
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    Ok((output.status.code().ok_or("killed")?, String::from_utf8(output.stdout)?))
}

fn audit(home: &Path, report: &str, more: &[&str]) -> Outcome {
    let check = ["check", "games", "-o", report, "--fail-on", "never", "--quiet"];
    assert_eq!(run(home, &[&check, more].concat())?.0, 0);
    Ok(())
}

/// The numbers of rows of `compare.csv`, by change and input.
fn changes(home: &Path, old: &str, new: &str) -> Result<BTreeMap<(String, String), usize>, Box<dyn Error>> {
    run(home, &["compare", old, new, "-o", "changes", "--fail-on", "never"])?;
    let mut rows = csv::Reader::from_path(home.join("changes/compare.csv"))?;
    let input = rows.headers()?.iter().position(|name| name == "input").ok_or("no column `input`")?;
    let mut changes = BTreeMap::new();
    for row in rows.records() {
        let row = row?;
        let place = row[input].replace('\\', "/");
        *changes.entry((row[0].to_owned(), place)).or_insert(0) += 1;
    }
    Ok(changes)
}

fn counted<const N: usize>(rows: [(&str, &str, usize); N]) -> BTreeMap<(String, String), usize> {
    rows.into_iter().map(|(change, input, count)| ((change.to_owned(), input.to_owned()), count)).collect()
}

#[test]
fn the_findings_of_a_copy_are_in_the_copy() -> Outcome {
    let home = home()?;
    // It is read first, so that its rows come before those of the original.
    for name in ["0.pgn", "z.pgn"] {
        fs::copy(home.path().join("games/b.pgn"), home.path().join("games").join(name))?;
    }
    audit(home.path(), "new", &[])?;
    let copies = |change| counted([(change, "games/0.pgn", 3), (change, "games/z.pgn", 3)]);
    assert_eq!(changes(home.path(), "old", "new")?, copies("new"));
    assert_eq!(changes(home.path(), "new", "old")?, copies("gone"));
    Ok(())
}

#[test]
fn the_findings_of_a_restored_file_are_in_it() -> Outcome {
    let home = home()?;
    // Another file has the same games.
    fs::copy(home.path().join("games/a.pgn"), home.path().join("games/z.pgn"))?;
    audit(home.path(), "all", &[])?;
    fs::remove_file(home.path().join("games/a.pgn"))?;
    audit(home.path(), "lost", &[])?;
    assert_eq!(changes(home.path(), "all", "lost")?, counted([("gone", "games/a.pgn", 3)]));
    assert_eq!(changes(home.path(), "lost", "all")?, counted([("new", "games/a.pgn", 3)]));
    Ok(())
}

#[test]
fn findings_follow_a_renamed_file() -> Outcome {
    let home = home()?;
    fs::rename(home.path().join("games/c.pgn"), home.path().join("games/0.pgn"))?;
    audit(home.path(), "new", &[])?;
    assert_eq!(changes(home.path(), "old", "new")?, BTreeMap::new());
    Ok(())
}
