//! Several runs that write to the same place at once.

use std::{
    fs,
    process::{Command, Stdio},
};

use crate::common::program::{Outcome, PROGRAM, names, parts, stderr};

/// A game without findings.
const GAME: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                    [Result \"*\"]\n\n1. e4 *\n\n";

#[test]
fn all_runs_that_create_a_report_at_once_succeed() -> Outcome {
    let home = tempfile::tempdir()?;
    fs::write(home.path().join("a.pgn"), GAME)?;
    for round in 0..60 {
        let report = home.path().join("report");
        // Nothing, an empty directory, or the report of the round before.
        if round % 3 < 2 {
            fs::remove_dir_all(&report).or_else(|error| if round == 0 { Ok(()) } else { Err(error) })?;
        }
        if round % 3 == 1 {
            fs::create_dir(&report)?;
        }
        let mut command = Command::new(PROGRAM);
        command.current_dir(home.path()).args(["check", "-q", "a.pgn", "-o", "report"]).stderr(Stdio::piped());
        let running = (0..4).map(|_| command.spawn()).collect::<Result<Vec<_>, _>>()?;
        for running in running {
            let output = running.wait_with_output()?;
            assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "round {round}");
        }
        assert!(report.join("run.json").is_file() && report.join("inputs.csv").is_file(), "round {round}");
        assert_eq!((names(home.path())?.len(), parts(home.path())), (2, 0), "round {round}");
    }
    Ok(())
}
