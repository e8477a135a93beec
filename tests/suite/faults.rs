//! Faults around the program: files without end, hostile names, limits of the system, and inputs that change.
#![cfg(unix)]

use std::{fs, io, path::Path, process::Output};

use crate::common::program::{Outcome, audited_home, run, run_in_shell, stderr};

/// Creates a file of 10 GB that needs no space on the disk.
fn make_huge(path: &Path) -> io::Result<()> {
    fs::File::create(path)?.set_len(10 << 30)
}

/// Runs the program with memory for its limits, but not for everything.
fn run_with_little_memory(home: &Path, arguments: &[&str]) -> io::Result<Output> {
    run_in_shell(home, "ulimit -d 900000", arguments)
}

#[test]
fn files_that_are_kept_in_memory_have_a_maximum() -> Outcome {
    let home = audited_home()?;
    let huge = home.path().join("huge");
    make_huge(&huge)?;
    for (arguments, expected) in [
        (["check", "a.pgn", "--baseline", "huge"].as_slice(), "--baseline: cannot read `huge`: a row has more than 16 MiB"),
        (&["check", "a.pgn", "--eco", "huge"], "--eco huge: the file has more than 64 MiB"),
        (&["check", "--files-from", "huge"], "cannot read the list `huge`: a list of paths has more than 256 MiB"),
        (&["check", "a.pgn", "--config", "huge"], "cannot read the settings file `huge`: the file has more than 1 MiB"),
        (&["baseline", "write", "huge", "-o", "known.csv"], "cannot read `huge`: a row has more than 16 MiB"),
        (
            &["fix", "a.pgn", "--repairs", "huge", "-o", "b.pgn"],
            "`huge` is not a list of repairs: line 1: a row has more than 16 MiB",
        ),
    ] {
        let output = run_with_little_memory(home.path(), arguments)?;
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), format!("error: {expected}\n")), "{arguments:?}");
    }
    Ok(())
}

#[test]
fn tables_of_a_report_have_a_maximum() -> Outcome {
    let home = audited_home()?;
    fs::rename(home.path().join("report"), home.path().join("old"))?;
    run(home.path(), &["check", "-q", "a.pgn", "-o", "report"])?;
    let compare = ["compare", "old", "report"];
    assert_eq!(run(home.path(), &compare)?.status.code(), Some(0));
    for (file, expected) in [
        ("moves.csv", "cannot read `report/moves.csv`: a row has more than 16 MiB"),
        ("inputs.csv", "cannot read `report/inputs.csv`: a row has more than 16 MiB"),
        ("run.json", "`report` is not a chess-audit report: run.json: the file has more than 16 MiB"),
    ] {
        let path = home.path().join("report").join(file);
        let text = fs::read(&path)?;
        // More of the last row, or blanks after the object.
        fs::write(&path, [text.as_slice(), &vec![b' '; 17 << 20]].concat())?;
        fs::File::options().write(true).open(&path)?.set_len(10 << 30)?;
        let output = run_with_little_memory(home.path(), &compare)?;
        assert_eq!(output.status.code(), Some(2), "{file}: {output:?}");
        assert!(stderr(&output).contains(expected), "{file}: {}", stderr(&output));
        fs::write(&path, text)?;
    }
    Ok(())
}
