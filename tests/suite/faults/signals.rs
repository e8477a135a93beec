//! Signals: one ends every command, and nothing is left behind.
#![cfg(target_os = "linux")]

use std::{
    ffi::OsString,
    fs, io,
    path::Path,
    process::{Command, Output},
};

use crate::common::program::{Outcome, Running, names};

const GAME: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                    [Result \"*\"]\n\n1. e4 *\n";

const SIGNALS: [(&str, u32, i32); 3] = [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 129)];

/// A directory with a game and its report.
fn home() -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAME)?;
    audit(home.path())?;
    Ok(home)
}

fn audit(home: &Path) -> Outcome<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chess-audit"));
    let output = command.current_dir(home).args(["check", "a.pgn", "-o", "report"]).output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(output)
}

/// Whether the report and the list of repairs have been started.
fn has_started(home: &Path) -> bool {
    let is_part = |name: &OsString| name.to_string_lossy().starts_with(".chess-audit-part-");
    names(home).is_ok_and(|names| names.iter().filter(|name| is_part(name)).count() == 2)
}

const CHECK: [&str; 6] = ["check", "-", "-o", "report", "--repairs", "repairs.csv"];

#[test]
fn one_signal_ends_an_audit_that_waits_for_a_silent_pipe() -> Outcome {
    let home = home()?;
    let report = fs::read(home.path().join("report/run.json"))?;
    for (signal, _, code) in SIGNALS {
        let running = Running::ready(home.path(), &CHECK)?;
        running.until(|_| has_started(home.path()))?;
        running.send(signal)?;
        assert_eq!(running.end()?, (Some(code), "error: interrupted; no report was written\n".to_owned()), "{signal}");
        assert_eq!(names(home.path())?, ["a.pgn", "report"], "{signal}");
        assert_eq!(fs::read(home.path().join("report/run.json"))?, report, "{signal}");
    }
    Ok(())
}

#[test]
fn one_signal_ends_commands_that_wait_for_a_named_pipe() -> Outcome {
    let home = home()?;
    let made = Command::new("mkfifo").arg(home.path().join("pipe")).output()?;
    assert!(made.status.success(), "{made:?}");
    let before = names(home.path())?;
    for arguments in [
        ["check", "pipe", "-o", "report"].as_slice(),
        &["check", "pipe", "a.pgn", "-o", "report"],
        &["fen", "-"],
        &["check", "--files-from", "pipe", "-o", "report"],
        &["shards", "plan", "--files-from", "pipe", "-o", "plan"],
    ] {
        for (signal, _, code) in SIGNALS {
            let running = Running::ready(home.path(), arguments)?;
            running.send(signal)?;
            let (ended, stderr) = running.end()?;
            assert_eq!(ended, Some(code), "{arguments:?} {signal}: {stderr}");
            assert!(stderr.starts_with("error: interrupted"), "{arguments:?} {signal}: {stderr}");
            assert_eq!(names(home.path())?, before, "{arguments:?} {signal}");
        }
    }
    Ok(())
}

#[test]
fn a_second_signal_leaves_nothing_behind_either() -> Outcome {
    let home = home()?;
    // Signals that come close together reach the program in any order. Once it removes its files,
    // it has noticed the first.
    for (second, is_late, codes) in [("TERM", false, &[143][..]), ("INT", false, &[143, 130]), ("INT", true, &[143])] {
        let running = Running::ready(home.path(), &CHECK)?;
        running.until(|_| has_started(home.path()))?;
        running.send("TERM")?;
        if is_late {
            running.until(|_| !has_started(home.path()))?;
        }
        // The program may have ended already.
        let _ = running.send(second);
        let code = running.end()?.0;
        assert!(code.is_some_and(|code| codes.contains(&code)), "the first signal decides: {code:?} after TERM and {second}");
        assert_eq!(names(home.path())?, ["a.pgn", "report"], "TERM and {second}");
    }
    Ok(())
}

#[test]
fn a_program_started_with_nohup_survives_its_terminal() -> Outcome {
    let home = home()?;
    let mut running = Running::start(home.path(), "--ignore-signal=HUP", &CHECK)?;
    running.until(|_| has_started(home.path()))?;
    running.send("HUP")?;
    let mut input = running.0.stdin.take().ok_or("no standard input")?;
    io::Write::write_all(&mut input, GAME.as_bytes())?;
    drop(input);
    assert_eq!(running.end()?.0, Some(0));
    assert_eq!(names(home.path())?, ["a.pgn", "repairs.csv", "report"]);
    Ok(())
}

#[test]
fn the_next_run_removes_what_a_killed_run_left_but_nothing_of_a_run_that_goes_on() -> Outcome {
    let home = home()?;
    let mut running = Running::ready(home.path(), &CHECK)?;
    running.until(|_| has_started(home.path()))?;
    // This one may take a file that is not locked yet for a leftover. The run then creates another
    // one.
    audit(home.path())?;
    running.until(|_| has_started(home.path()))?;
    let started = names(home.path())?;
    audit(home.path())?;
    assert_eq!(names(home.path())?, started);
    running.0.kill()?;
    running.0.wait()?;
    assert_eq!(names(home.path())?, started, "nobody can clean up after a kill");
    audit(home.path())?;
    assert_eq!(names(home.path())?, ["a.pgn", "report"]);
    Ok(())
}
