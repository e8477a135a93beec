//! A file that a run reads is never overwritten, not even with `--force`, and no two outputs are
//! one file.
#![cfg(unix)]

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use crate::common::{
    packs::gzip,
    program::{GAMES, Outcome, Running, names, parts, run, run_in_shell, stderr},
};

/// All files below a directory with their content, and all links with their targets.
fn snapshot(directory: &Path) -> Outcome<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_symlink() {
            files.insert(path.clone(), fs::read_link(&path)?.into_os_string().into_encoded_bytes());
        } else if path.is_dir() {
            files.insert(path.clone(), Vec::new());
            files.extend(snapshot(&path)?);
        } else {
            files.insert(path.clone(), fs::read(&path)?);
        }
    }
    Ok(files)
}

/// A directory with everything that a command can read.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    let at = |name: &str| home.path().join(name);
    for directory in ["games", "d", "old"] {
        fs::create_dir(at(directory))?;
    }
    let settings =
        "baseline = \"known.csv\"\ndeny-games = \"denied.txt\"\n[expect]\ncounts = \"counts.txt\"\ndigests = \"sums.txt\"\n";
    for (name, content) in [
        ("a.pgn", GAMES.as_bytes()),
        ("b.pgn", GAMES.as_bytes()),
        ("games/c.pgn", GAMES.as_bytes()),
        ("d/diff.csv", b"FEN,Moves\n"),
        ("a.pgn.gz", &gzip(GAMES.as_bytes())),
        ("s.toml", settings.as_bytes()),
        ("list.txt", b"a.pgn\n"),
        ("denied.txt", b"https://lichess.org/abcdefgh\n"),
        ("counts.txt", b"a.pgn 2\n"),
        ("sums.txt", b""),
        ("eco.tsv", b"eco\tname\tpgn\nA00\tPolish Opening\t1. b4\n"),
        ("names.ssp", b"@PLAYER\nKasparov, Garry\n = Kasparov\n"),
        ("only.csv", b"fingerprint\n"),
        ("empty.pgn", b""),
    ] {
        fs::write(at(name), content)?;
    }
    symlink("a.pgn", at("link.pgn"))?;
    symlink("games", at("linked"))?;
    symlink("new.csv", at("dangling"))?;
    fs::hard_link(at("a.pgn"), at("hard.pgn"))?;
    for (arguments, code) in [
        (["check", "-q", "a.pgn", "-o", "report", "--repairs", "repairs.csv", "--no-config"].as_slice(), 1),
        (&["baseline", "write", "report", "-o", "known.csv"], 0),
        (&["shards", "plan", "a.pgn", "-o", "games.plan"], 0),
        (&["check", "-q", "--plan", "games.plan", "--shard", "1", "-o", "parts", "--no-config"], 0),
        (&["nightly", "games", "--store", "store", "--as-of", "2026-11-28", "--no-config"], 1),
    ] {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    }
    symlink("../report/moves.csv", at("old/compare.csv"))?;
    Ok(home)
}

/// Checks that a command is refused with this message, and that nothing changes.
fn assert_refused(home: &Path, before: &str, arguments: &[&str], expected: &str) -> Outcome {
    let all = snapshot(home)?;
    let output = run_in_shell(home, before, arguments)?;
    let message = stderr(&output);
    assert_eq!((output.status.code(), &*message), (Some(2), &*format!("error: {expected}\n")), "{arguments:?}");
    assert!(snapshot(home)? == all, "{arguments:?}: something was written");
    Ok(())
}

#[test]
fn what_an_audit_reads_is_not_overwritten() -> Outcome {
    let home = home()?;
    let check = ["check", "-q", "-o", "new", "--force"];
    for (arguments, file, read_as) in [
        (["a.pgn"].as_slice(), "a.pgn", "an input"),
        (&["a.pgn"], "./link.pgn", "an input"),
        (&["link.pgn"], "a.pgn", "an input"),
        (&["a.pgn"], "hard.pgn", "an input"),
        (&["a.pgn.gz"], "a.pgn.gz", "an input"),
        (&["games"], "linked/c.pgn", "an input"),
        (&["linked/*.pgn"], "games/c.pgn", "an input"),
        (&["--files-from", "list.txt"], "list.txt", "a list of inputs"),
        (&["a.pgn", "--config", "s.toml"], "s.toml", "the settings file"),
        (&["a.pgn", "--config", "s.toml"], "known.csv", "the baseline"),
        (&["a.pgn", "--config", "s.toml"], "denied.txt", "a list in the settings"),
        (&["a.pgn", "--config", "s.toml"], "counts.txt", "a list in the settings"),
        (&["a.pgn", "--config", "s.toml"], "sums.txt", "a list in the settings"),
        (&["a.pgn", "--baseline", "known.csv"], "known.csv", "the baseline"),
        (&["a.pgn", "--baseline", "report"], "report/moves.csv", "part of a report"),
        (&["a.pgn", "--eco", "eco.tsv"], "eco.tsv", "the classification of openings"),
        (&["a.pgn", "--duplicates", "--spelling", "names.ssp"], "names.ssp", "the list of spellings"),
    ] {
        for (option, with) in [
            ("--games", ["--repairs", "x"]),
            ("--repairs", ["--games", "x"]),
            ("--good", ["--bad", "x"]),
            ("--bad", ["--good", "x"]),
            ("--history", ["--games", "x"]),
        ] {
            let expected = format!("`{file}` is {read_as} of this run; nothing was written; choose another file with {option}");
            assert_refused(home.path(), ":", &[&check, arguments, &with, &[option, file]].concat(), &expected)?;
        }
    }
    // GitHub names a file to which a summary is added.
    let expected = "`a.pgn` is an input of this run; nothing was written; choose another file with GITHUB_STEP_SUMMARY";
    assert_refused(home.path(), "export GITHUB_STEP_SUMMARY=a.pgn", &["check", "a.pgn", "--format", "github"], expected)?;
    // Standard input may be a file.
    let expected = "`a.pgn` is an input of this run; nothing was written; choose another file with --games";
    assert_refused(home.path(), "exec < a.pgn", &[&check[..], &["-", "--games", "a.pgn"]].concat(), expected)?;
    let expected = "`list.txt` is a list of inputs of this run; nothing was written; choose another file with --games";
    let listed = [&check[..], &["--files-from", "-", "--games", "list.txt"]].concat();
    assert_refused(home.path(), "exec < list.txt", &listed, expected)
}

#[test]
fn what_other_commands_read_is_not_overwritten() -> Outcome {
    let home = home()?;
    let part = names(&home.path().join("parts"))?.pop().ok_or("no part")?;
    let part = format!("parts/{}", part.to_string_lossy());
    for (arguments, file, read_as, option) in [
        (["diff", "a.pgn", "d/diff.csv", "-o", "d", "--force"].as_slice(), "d/diff.csv", "an input", "--output"),
        (&["compare", "report", "report", "-o", "old", "--force"], "old/compare.csv", "part of a report", "--output"),
        (
            &["baseline", "write", "report", "-o", "report/moves.csv", "--force"],
            "report/moves.csv",
            "part of a report",
            "--output",
        ),
        (
            &["baseline", "prune", "report", "-o", "report/moves.csv", "--force"],
            "report/moves.csv",
            "part of a report",
            "--output",
        ),
        (
            &["baseline", "update", "report", "report", "-o", "report/moves.csv", "--force"],
            "report/moves.csv",
            "part of a report",
            "--output",
        ),
        (
            &["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "repairs.csv", "--force"],
            "repairs.csv",
            "the list of repairs",
            "--output",
        ),
        (
            &["fix", "a.pgn", "--repairs", "repairs.csv", "--only", "only.csv", "-o", "only.csv", "--force"],
            "only.csv",
            "the list of findings",
            "--output",
        ),
        (&["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "link.pgn", "--force"], "link.pgn", "an input", "--output"),
        (&["shards", "plan", "a.pgn", "empty.pgn", "-o", "empty.pgn"], "empty.pgn", "an input", "--output"),
        (&["shards", "plan", "--files-from", "list.txt", "-o", "list.txt"], "list.txt", "a list of inputs", "--output"),
        (
            &["shards", "merge", "games.plan", "parts", "-o", "new", "--repairs", "games.plan", "--force", "-q"],
            "games.plan",
            "the plan",
            "--repairs",
        ),
        (
            &["shards", "merge", "games.plan", "parts", "-o", "new", "--repairs", &part, "--force", "-q"],
            &part,
            "a part",
            "--repairs",
        ),
        (
            &["shards", "merge", "games.plan", "parts", "-o", "new", "--repairs", "a.pgn", "--force", "-q"],
            "a.pgn",
            "an input",
            "--repairs",
        ),
        (&["nightly", "games", "--store", "store", "--games", "games/c.pgn", "--force"], "games/c.pgn", "an input", "--games"),
    ] {
        let expected = format!("`{file}` is {read_as} of this run; nothing was written; choose another file with {option}");
        assert_refused(home.path(), ":", arguments, &expected)?;
    }
    fs::write(home.path().join("fens"), "8/8/8/8/8/8/8/8 w - - 0 1\n")?;
    let expected = "`fens` is an input of this run; nothing was written; choose another file with --svg";
    assert_refused(home.path(), "exec < fens", &["fen", "-", "--svg", "fens", "--force"], expected)?;
    let expected = "`parts/../parts` contains the parts; choose another directory for the report with --output";
    assert_refused(home.path(), ":", &["shards", "merge", "games.plan", "parts", "-o", "parts/../parts", "-q"], expected)
}

#[test]
fn outputs_are_different_files() -> Outcome {
    let home = home()?;
    symlink("report", home.path().join("to-report"))?;
    for (arguments, expected) in [
        (
            ["--repairs", "x", "--games", "x"].as_slice(),
            "`x` and `x` are the same file; choose different files with --repairs and --games",
        ),
        (
            &["--repairs", "./x", "--games", "games/../x"],
            "`./x` and `games/../x` are the same file; choose different files with --repairs and --games",
        ),
        (
            &["--repairs", "new.csv", "--games", "dangling"],
            "`new.csv` and `dangling` are the same file; choose different files with --repairs and --games",
        ),
        (&["--games", "x", "--history", "x"], "`x` and `x` are the same file; choose different files with --games and --history"),
        (&["--good", "x", "--bad", "x"], "`x` and `x` are the same file; choose different files with --good and --bad"),
        (
            &["--good", "x", "--bad", "y", "--games", "y.csv"],
            "`y.csv` and `y.csv` are the same file; choose different files with --games and --bad",
        ),
        (
            &["--games", "new/x"],
            "`new/x` is inside `new`, which contains nothing but the report; choose a file in another directory with --games",
        ),
        (
            &["--games", "y", "--history", "new/x"],
            "`new/x` is inside `new`, which contains nothing but the report; choose a file in another directory with --history",
        ),
    ] {
        assert_refused(home.path(), ":", &[&["check", "-q", "b.pgn", "-o", "new", "--force"], arguments].concat(), expected)?;
    }
    let night = ["nightly", "games", "--store", "store", "--force", "--games"];
    for (file, expected) in [
        ("store/history.csv", "`store/history.csv` and `store/history.csv` are the same file; choose different files with --games and --store".to_owned()),
        ("store/reports/x", "`store/reports/x` is inside `store/reports`, which contains nothing but the reports of nights; choose a file in another directory with --games".to_owned()),
        ("store/tonight/x", "`store/tonight/x` is inside `store/tonight`, which contains nothing but the report; choose a file in another directory with --games".to_owned()),
    ] {
        assert_refused(home.path(), ":", &[&night[..], &[file]].concat(), &expected)?;
    }
    // A hard link to a file of the report that is replaced.
    fs::remove_file(home.path().join("report/moves.csv"))?;
    fs::hard_link(home.path().join("a.pgn"), home.path().join("report/moves.csv"))?;
    let expected = "this run reads `to-report/moves.csv`, which the report in `to-report` would replace; choose another directory with --output";
    assert_refused(home.path(), ":", &["check", "-q", "a.pgn", "-o", "to-report"], expected)
}

#[test]
fn what_is_read_to_be_written_again_is_written() -> Outcome {
    let home = home()?;
    for (arguments, code) in [
        (["check", "-q", "a.pgn", "-o", "report", "--baseline", "report"].as_slice(), 0),
        (&["check", "-q", "a.pgn", "-o", "report", "--history", "h.csv", "--fail-on", "never"], 0),
        (&["check", "-q", "a.pgn", "-o", "report", "--history", "h.csv", "--fail-on", "never"], 0),
        (&["baseline", "write", "report", "-o", "known.csv"], 0),
        (&["baseline", "prune", "report", "-o", "known.csv"], 0),
        (&["nightly", "games", "--store", "store", "--as-of", "2026-11-29", "--repairs", "store/repairs.csv"], 0),
        (&["compare", "report", "report", "-o", "report"], 0),
        (&["compare", "report", "report", "-o", "report"], 0),
        (&["check", "-q", "a.pgn", "--good", "/dev/null", "--bad", "/dev/null", "--games", "/dev/null", "-o", "new"], 1),
        (&["fix", "--repairs", "repairs.csv", "--in-place", "-q"], 0),
    ] {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    }
    Ok(())
}

#[test]
fn an_input_that_gets_the_name_of_an_output_during_the_run_stays() -> Outcome {
    for (output, message) in [
        ("games.csv", "cannot write the games to `games.csv`: it is an input of this run now"),
        ("repairs.csv", "cannot write the repairs to `repairs.csv`: it is an input of this run now"),
        ("report/moves.csv", "cannot move the report to `"),
    ] {
        let home = tempfile::tempdir()?;
        fs::write(home.path().join("a.pgn"), GAMES)?;
        assert_eq!(run(home.path(), &["check", "-q", "a.pgn", "-o", "report"])?.status.code(), Some(1));
        let outputs: &[&str] = match output {
            "games.csv" => &["--games", "games.csv", "--force"],
            "repairs.csv" => &["--repairs", "repairs.csv", "--force"],
            _ => &[],
        };
        // The first input is audited when standard input ends.
        let arguments = [&["check", "-q", "-", "a.pgn", "-o", "report"], outputs].concat();
        let mut running = Running::ready(home.path(), &arguments)?;
        running.until(|_| parts(home.path()) > usize::from(!outputs.is_empty()))?;
        fs::rename(home.path().join("a.pgn"), home.path().join(output))?;
        let mut stdin = running.0.stdin.take().ok_or("no standard input")?;
        stdin.write_all(GAMES.as_bytes())?;
        drop(stdin);
        let (code, stderr) = running.end()?;
        assert_eq!((code, stderr.contains(message)), (Some(2), true), "{output}: {stderr}");
        assert_eq!(fs::read_to_string(home.path().join(output))?, GAMES, "{output}");
    }
    Ok(())
}

#[test]
fn a_command_that_fails_leaves_no_directory() -> Outcome {
    let home = home()?;
    let full = "trap '' XFSZ; ulimit -f 0";
    for (before, arguments) in [
        (full, ["fix", "a.pgn", "--repairs", "repairs.csv", "-o", "x/y/"].as_slice()),
        (full, &["diff", "a.pgn", "games", "-o", "x/y"]),
        (full, &["compare", "report", "report", "-o", "x/y"]),
        (full, &["man", "x/y"]),
        (full, &["demo", "-o", "x/y"]),
        (":", &["diff", "a.pgn", "none.pgn", "-o", "x/y"]),
        (":", &["compare", "report", "none", "-o", "x/y"]),
        (":", &["check", "--plan", "games.plan", "--shard", "7", "-o", "x/y", "--no-config"]),
    ] {
        let all = snapshot(home.path())?;
        let output = run_in_shell(home.path(), before, arguments)?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        let message = stderr(&output);
        assert!(!message.contains(".chess-audit-part-") && !message.contains(".shard-"), "{arguments:?}: {message}");
        assert!(snapshot(home.path())? == all, "{arguments:?}: something is left");
    }
    // A signal, while the program waits for standard input.
    let all = snapshot(home.path())?;
    let running = Running::ready(home.path(), &["diff", "-", "a.pgn", "-o", "x/y"])?;
    running.until(|_| home.path().join("x/y").exists())?;
    running.send("TERM")?;
    assert_eq!(running.end()?.0, Some(143));
    assert!(snapshot(home.path())? == all, "something is left after a signal");
    // Those of others, and those with files, stay.
    fs::create_dir_all(home.path().join("x/y"))?;
    assert_eq!(run_in_shell(home.path(), full, &["man", "x/y/z"])?.status.code(), Some(2));
    assert_eq!(names(&home.path().join("x/y"))?, [""; 0]);
    assert_eq!(run(home.path(), &["diff", "a.pgn", "a.pgn", "-o", "x/y/z"])?.status.code(), Some(0));
    assert_eq!(names(&home.path().join("x/y/z"))?.len(), 3);
    Ok(())
}

#[test]
fn the_demo_does_not_write_into_a_report() -> Outcome {
    let home = home()?;
    let expected = "`report` contains a report; choose another directory with --output";
    assert_refused(home.path(), ":", &["demo", "-o", "report"], expected)?;
    for _ in 0..2 {
        assert_eq!(run(home.path(), &["demo", "-o", "x/demo"])?.status.code(), Some(0));
    }
    assert_eq!(names(&home.path().join("x/demo"))?, ["report", "showcase.epd", "showcase.pgn"]);
    Ok(())
}
