//! Messages about errors: one line in plain words.

use std::{fs, path::Path};

use crate::common::program::{GAMES, Outcome, names, run, stderr};

/// Tables and other files that cannot be read, and what the program needs otherwise.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    let at = |name: &str| home.path().join(name);
    for directory in ["directory", "report"] {
        fs::create_dir(at(directory))?;
    }
    for (name, content) in [
        ("a.pgn", GAMES.as_bytes()),
        ("file", b""),
        ("lengths.csv", b"fingerprint,rule\n1,MOV01\n2,MOV01,3\n"),
        ("fingerprints.csv", b"fingerprint\nx\n"),
        ("column.csv", b"x\n"),
        ("until.csv", b"fingerprint,until\n1,soon\n"),
        ("latin1.toml", b"# \xE9\n"),
        ("broken.json", b"{\"plan\":x}\n"),
    ] {
        fs::write(at(name), content)?;
    }
    let output = run(home.path(), &["check", "-q", "a.pgn", "-o", "report", "--repairs", "repairs.csv"])?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let repairs = fs::read_to_string(at("repairs.csv"))?;
    fs::write(at("short.csv"), repairs.replace(",certain,", ",certain "))?;
    fs::write(at("number.csv"), repairs.replacen("\na.pgn,", "\na.pgn,many", 1))?;
    Ok(home)
}

/// The message of a command that fails.
fn message(home: &Path, arguments: &[&str]) -> Outcome<String> {
    let before = names(home)?;
    let output = run(home, arguments)?;
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert_eq!(names(home)?, before, "{arguments:?}: {message}");
    Ok(message)
}

#[test]
fn a_row_that_cannot_be_read_is_named_in_plain_words() -> Outcome {
    let home = home()?;
    let path = "lengths.csv";
    let reason = "the row has 3 cells, but the header has 2";
    for (arguments, start) in [
        (["check", "a.pgn", "--baseline", path].as_slice(), "--baseline: "),
        (&["baseline", "write", path], ""),
        (&["baseline", "write", "report", "-o", path], ""),
        (&["baseline", "prune", "report", "-o", path], ""),
    ] {
        let expected = format!("error: {start}`{path}`, line 3: {reason}; correct the row, or write the file again\n");
        assert_eq!(message(home.path(), arguments)?, expected, "{arguments:?}");
    }
    for (list, reason) in [
        ("short.csv", "line 2: the row has 12 cells, but the header has 13"),
        ("number.csv", "line 2: `input_bytes` is not a number"),
    ] {
        let message = message(home.path(), &["fix", "a.pgn", "--repairs", list, "-o", "fixed.pgn"])?;
        let advice = "correct the line, or write the list again with `chess-audit check --repairs`";
        assert_eq!(message, format!("error: `{list}` is not a list of repairs: {reason}; {advice}\n"));
    }
    Ok(())
}
