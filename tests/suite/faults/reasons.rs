//! Messages about errors: one line in plain words, and no reason stands in it twice.

use std::{fs, path::Path, process::Command};

use crate::common::not_run::not_run;
use crate::common::program::{GAMES, Outcome, PROGRAM, names, run, stderr};

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

/// The commands that fail, without those whose output is at fault.
const FAILING: &[&[&str]] = &[
    &["check", "none"],
    &["check", "*.epd"],
    &["check", "a[.pgn"],
    &["check", "a.pgn", "--exclude", "a["],
    &["check", "--files-from", "none"],
    &["check", "--files-from", "directory"],
    &["check", "a.pgn", "-o", "none/report"],
    &["check", "a.pgn", "-o", "file/report"],
    &["check", "a.pgn", "-o", "directory/../file"],
    &["check", "a.pgn", "--repairs", "none/list.csv"],
    &["check", "a.pgn", "--repairs", "directory"],
    &["check", "a.pgn", "--repairs", "a.pgn"],
    &["check", "a.pgn", "--config", "none"],
    &["check", "a.pgn", "--config", "directory"],
    &["check", "a.pgn", "--config", "latin1.toml"],
    &["check", "a.pgn", "--eco", "none"],
    &["check", "a.pgn", "--eco", "a.pgn"],
    &["check", "a.pgn", "--select", "MOV99"],
    &["check", "a.pgn", "--baseline", "none"],
    &["check", "a.pgn", "--baseline", "directory"],
    &["check", "a.pgn", "--baseline", "lengths.csv"],
    &["check", "a.pgn", "--baseline", "fingerprints.csv"],
    &["check", "a.pgn", "--baseline", "column.csv"],
    &["check", "a.pgn", "--baseline", "until.csv"],
    &["check", "a.pgn", "--engine", "none/none"],
    &["fen", "8/8/8/8/8/8/8/8 w - -", "--engine", "sh", "--engine-cache", "file"],
    &["check", "a.pgn", "--syzygy", "none"],
    &["check", "a.pgn", "--syzygy", "file"],
    &["check", "a.pgn", "--syzygy", "directory"],
    &["check", "--plan", "none", "--shard", "1", "-o", "parts"],
    &["shards", "plan", "a.pgn", "-o", "none/plan"],
    &["shards", "plan", "a.pgn", "-o", "directory"],
    &["shards", "merge", "none", "parts"],
    &["shards", "merge", "directory", "parts"],
    &["shards", "merge", "a.pgn", "parts"],
    &["shards", "merge", "broken.json", "parts"],
    &["compare", "report", "none"],
    &["compare", "report", "directory"],
    &["compare", "report", "report", "-o", "file"],
    &["baseline", "write", "none"],
    &["baseline", "write", "lengths.csv"],
    &["baseline", "write", "report", "-o", "lengths.csv"],
    &["baseline", "write", "report", "-o", "none/known.csv"],
    &["baseline", "write", "report", "-o", "directory"],
    &["baseline", "prune", "report", "-o", "none"],
    &["fix", "a.pgn", "--repairs", "none", "-o", "fixed.pgn"],
    &["fix", "a.pgn", "--repairs", "directory", "-o", "fixed.pgn"],
    &["fix", "a.pgn", "--repairs", "lengths.csv", "-o", "fixed.pgn"],
    &["fix", "a.pgn", "--repairs", "short.csv", "-o", "fixed.pgn"],
    &["fix", "a.pgn", "--repairs", "number.csv", "-o", "fixed.pgn"],
    &["fix", "none", "--repairs", "repairs.csv", "-o", "fixed.pgn"],
    &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "none/fixed.pgn"],
    &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "file/"],
    &["fix", "--repairs", "repairs.csv", "-o", "file"],
    &["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--svg", "none/board.svg"],
    &["fen", "8/8/8/8/8/8/8/8 w - - 0 1", "--svg", "directory"],
    &["man", "file"],
    &["man", "file/pages"],
    &["init", "file"],
];

/// A part of a message that stands in it twice, if there is one.
fn repeated(message: &str) -> Option<&str> {
    const SHORTEST: usize = 8;
    let parts = message.trim_end().split([':', ';']).map(str::trim).filter(|part| part.len() >= SHORTEST);
    parts.into_iter().find(|part| message.matches(part).count() > 1)
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
fn no_reason_stands_in_a_message_twice() -> Outcome {
    let home = home()?;
    for arguments in FAILING {
        let message = message(home.path(), arguments)?;
        assert_eq!(repeated(&message), None, "{arguments:?}: {message}");
        // As Rust prints values for programmers.
        assert!(!["Some(", "Error {", "pos:", "CSV error"].iter().any(|code| message.contains(code)), "{message}");
    }
    Ok(())
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_named_once() -> Outcome {
    let home = home()?;
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        not_run("there is no /dev/full");
        return Ok(());
    };
    for arguments in [
        ["rules"].as_slice(),
        &["settings"],
        &["fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["check", "a.pgn", "-o", "report"],
        &["check", "a.pgn", "--format", "csv"],
        &["check", "a.pgn", "--format", "jsonl"],
        &["check", "a.pgn", "--format", "sarif"],
        &["compare", "report", "report"],
        &["shards", "plan", "a.pgn", "-o", "games.plan"],
        &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "-"],
    ] {
        let output = Command::new(PROGRAM).current_dir(home.path()).args(arguments).stdout(full.try_clone()?).output()?;
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        let errors: Vec<&str> = message.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{arguments:?}: {message}");
        assert!(errors[0].ends_with("cannot write to standard output: No space left on device (os error 28)"), "{message}");
        assert_eq!(repeated(errors[0]), None, "{arguments:?}");
    }
    Ok(())
}
