//! A file that this program did not write is overwritten only with `--force`.

use std::{fs, path::Path};

use crate::common::program::{GAMES, Outcome, names, run, stderr};

/// A directory with games, their report, a list of repairs, a plan and its part.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAMES)?;
    for (arguments, code) in [
        (["check", "-q", "a.pgn", "-o", "report", "--repairs", "repairs.csv"].as_slice(), 1),
        (&["shards", "plan", "a.pgn", "-o", "games.plan"], 0),
        (&["check", "-q", "--plan", "games.plan", "--shard", "1", "-o", "parts"], 0),
    ] {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    }
    for directory in ["changes", "pages"] {
        fs::create_dir(home.path().join(directory))?;
    }
    Ok(home)
}

const FEN: &str = "8/8/8/8/8/8/8/8 w - - 0 1";

/// The commands that write files besides reports, their exit code, and a file that each writes.
const COMMANDS: [(&[&str], i32, &str); 10] = [
    (&["check", "-q", "a.pgn", "-o", "new", "--repairs", "list.csv"], 1, "list.csv"),
    (&["shards", "merge", "-q", "games.plan", "parts", "-o", "merged", "--repairs", "list.csv"], 1, "list.csv"),
    (&["compare", "report", "report", "-o", "changes"], 0, "changes/compare.csv"),
    (&["compare", "report", "report", "-o", "changes"], 0, "changes/compare_inputs.csv"),
    (&["compare", "report", "report", "-o", "changes"], 0, "changes/compare.md"),
    (&["man", "pages"], 0, "pages/chess-audit-fix.1"),
    (&["fen", FEN, "--svg", "board.svg", "--fail-on", "never"], 0, "board.svg"),
    (&["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "fixed.pgn"], 0, "fixed.pgn"),
    (&["check", "-q", "a.pgn", "-o", "new", "--good", "good.pgn", "--bad", "/dev/null"], 1, "good.pgn"),
    (&["check", "-q", "a.pgn", "-o", "new", "--good", "/dev/null", "--bad", "bad.pgn"], 1, "bad.pgn"),
];

/// Whether the command writes the file without `--force`.
fn is_replaced(home: &Path, arguments: &[&str], code: i32, file: &str, content: &[u8]) -> Outcome<bool> {
    let path = home.join(file);
    fs::write(&path, content)?;
    let before = (names(home)?, names(path.parent().unwrap_or(home))?);
    let output = run(home, arguments)?;
    if output.status.code() == Some(code) {
        assert_ne!(fs::read(&path)?, b"", "{arguments:?}");
        return Ok(true);
    }
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.starts_with(&format!("error: `{file}` exists")), "{arguments:?}: {message}");
    assert!(message.ends_with("use --force to overwrite it\n"), "{arguments:?}: {message}");
    assert_eq!((output.stdout.as_slice(), message.lines().count()), (&b""[..], 1), "{arguments:?}");
    assert_eq!(fs::read(&path)?, content, "{arguments:?}");
    assert_eq!((names(home)?, names(path.parent().unwrap_or(home))?), before, "nothing is written: {arguments:?}");
    Ok(false)
}

#[test]
fn a_file_of_somebody_else_is_overwritten_only_with_force() -> Outcome {
    for (arguments, code, file) in COMMANDS {
        let home = home()?;
        let table = fs::read(home.path().join("report/moves.csv"))?;
        for foreign in [&b"precious"[..], b"\n", b"\xFF\xFE\0", &table, GAMES.as_bytes()] {
            assert!(!is_replaced(home.path(), arguments, code, file, foreign)?, "{arguments:?}, {file}");
        }
        assert!(is_replaced(home.path(), arguments, code, file, b"")?, "an empty file: {arguments:?}, {file}");
        let own = fs::read(home.path().join(file))?;
        let shows_its_origin = !file.ends_with(".pgn");
        assert_eq!(is_replaced(home.path(), arguments, code, file, &own)?, shows_its_origin, "{arguments:?}, {file}");
        fs::write(home.path().join(file), "precious")?;
        let forced = [arguments, &["--force"]].concat();
        assert_eq!(run(home.path(), &forced)?.status.code(), Some(code), "{forced:?}");
        assert_eq!(fs::read(home.path().join(file))?, own, "{forced:?}");
    }
    Ok(())
}

#[test]
fn a_table_with_fingerprints_is_not_replaced_with_a_baseline() -> Outcome {
    let home = home()?;
    let table = fs::read(home.path().join("report/moves.csv"))?;
    for arguments in
        [["baseline", "write", "report", "-o", "known.csv"].as_slice(), &["baseline", "prune", "report", "-o", "known.csv"]]
    {
        assert!(!is_replaced(home.path(), arguments, 0, "known.csv", &table)?, "{arguments:?}");
        let forced = [arguments, &["--force"]].concat();
        assert_eq!(run(home.path(), &forced)?.status.code(), Some(0), "{forced:?}");
        let own = fs::read(home.path().join("known.csv"))?;
        assert!(own.starts_with(b"fingerprint,rule,"), "{forced:?}");
        // As a spreadsheet saves it.
        let edited = [b"\xEF\xBB\xBF", &own[..]].concat();
        for baseline in [own, edited] {
            assert!(is_replaced(home.path(), arguments, 0, "known.csv", &baseline)?, "{arguments:?}");
        }
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_link_is_judged_by_the_file_that_it_refers_to() -> Outcome {
    let home = home()?;
    std::os::unix::fs::symlink("there.svg", home.path().join("board.svg"))?;
    let arguments = ["fen", FEN, "--svg", "board.svg", "--fail-on", "never"];
    assert!(!is_replaced(home.path(), &arguments, 0, "board.svg", b"precious")?);
    fs::write(home.path().join("there.svg"), "")?;
    assert_eq!(run(home.path(), &arguments)?.status.code(), Some(0));
    assert!(fs::read_to_string(home.path().join("there.svg"))?.starts_with("<svg "));
    Ok(())
}

#[cfg(unix)]
#[test]
fn an_input_is_never_overwritten_with_its_repairs() -> Outcome {
    let home = home()?;
    std::os::unix::fs::symlink("a.pgn", home.path().join("link"))?;
    for list in ["a.pgn", "link", "./a.pgn"] {
        for arguments in [
            ["check", "-q", "a.pgn", "-o", "new", "--repairs", list, "--force"].as_slice(),
            &["shards", "merge", "-q", "games.plan", "parts", "-o", "merged", "--repairs", list, "--force"],
        ] {
            let output = run(home.path(), arguments)?;
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
            let expected =
                format!("error: `{list}` is an input of this run; nothing was written; choose another file with --repairs\n");
            assert_eq!(stderr(&output), expected, "{arguments:?}");
            assert_eq!(fs::read_to_string(home.path().join("a.pgn"))?, GAMES, "{arguments:?}");
        }
    }
    Ok(())
}
