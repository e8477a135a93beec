//! What the settings expect of a run, `[expect]`, is checked whatever else a run does.

use std::{fs, path::Path};

use sha2::{Digest, Sha256};

use crate::common::program::{GAMES, Outcome, run, stderr};

/// A game without faults.
const CLEAN: &str = "[Event \"A\"]\n[Site \"?\"]\n[Date \"2021.03.06\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n\n1. e4 *\n";

/// Three games in two files without faults, two with faults in another one, and a settings file.
fn home(settings: &str) -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("games"))?;
    for (name, text) in [("a.pgn", CLEAN.to_owned()), ("b.pgn", format!("{CLEAN}\n{CLEAN}")), ("c.pgn", GAMES.to_owned())] {
        fs::write(home.path().join("games").join(name), text)?;
    }
    fs::write(home.path().join("chess-audit.toml"), settings)?;
    Ok(home)
}

/// The findings about expectations that a command prints, as `place: message`.
fn unmet(home: &Path, more: &[&str]) -> Outcome<Vec<String>> {
    let arguments = ["check", "games", "--format", "csv", "-q", "--select", "EXP,MOV01"];
    let output = run(home, &[&arguments, more].concat())?;
    let mut unmet = Vec::new();
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    let headers = rows.headers()?.clone();
    for row in rows.records() {
        let row = row?;
        let cell = |name: &str| headers.iter().position(|header| header == name).and_then(|at| row.get(at)).unwrap_or_default();
        if cell("rule").starts_with("EXP") {
            unmet.push(format!("{}:{} {}: {}", cell("input"), cell("line"), cell("rule"), cell("message")));
        }
    }
    Ok(unmet)
}

const EXPECTING: &str = "[expect]\ngames = { min = 6 }\npositions = 0\nillegal-move = 0\nMOV = \"200001 per million\"\n\
                         \"games/b.pgn\" = { games = 3 }\n\"?.pgn\" = { games = { max = 2 } }\n\"d.pgn\" = {}\n";

const UNMET: [&str; 4] = [
    "games/b.pgn:1 EXP01: the input has 2 games instead of exactly 3 (chess-audit.toml:6)",
    "chess-audit.toml:8 EXP02: no input matches `d.pgn`",
    "chess-audit.toml:2 EXP01: the run has 5 games instead of at least 6",
    "chess-audit.toml:4 EXP03: illegal-move has 1 finding in 5 records instead of at most 0",
];

#[test]
fn inputs_without_other_findings_are_checked_too() -> Outcome {
    let home = home(EXPECTING)?;
    assert_eq!(unmet(home.path(), &[])?, UNMET);
    assert_eq!(unmet(home.path(), &["--duplicates"])?, UNMET, "copies are reported before");
    assert_eq!(unmet(home.path(), &["--no-config"])?, [""; 0]);
    assert_eq!(unmet(home.path(), &["--ignore", "EXP"])?, [""; 0]);
    Ok(())
}

#[test]
fn what_was_not_read_is_not_missed() -> Outcome {
    let home = home(EXPECTING)?;
    fs::write(home.path().join("games/e.pgn.gz"), b"\x1F\x8B\x08\x00damaged")?;
    let unmet = unmet(home.path(), &["games/e.pgn.gz"])?;
    assert_eq!(unmet, [UNMET[0], UNMET[1], UNMET[3]]);
    Ok(())
}

#[test]
fn published_counts_are_those_of_files_with_this_name() -> Outcome {
    let home = home("expect.counts = \"lists/counts.txt\"\n")?;
    fs::create_dir(home.path().join("lists"))?;
    let list = home.path().join("lists/counts.txt");
    fs::write(&list, "# games\na.pgn 1\n\nb.pgn\t3\nz.pgn 5\n")?;
    assert_eq!(
        unmet(home.path(), &[])?,
        ["games/b.pgn:1 EXP01: the input has 2 games instead of exactly 3 (lists/counts.txt:4)"]
    );
    fs::write(&list, "a.pgn one\n")?;
    let output = run(home.path(), &["check", "games"])?;
    assert_eq!(output.status.code(), Some(2));
    let message = "lists/counts.txt:1: expected the name of a file and its number of games";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    Ok(())
}

#[test]
fn a_merged_report_says_the_same() -> Outcome {
    let home = home(EXPECTING)?;
    let done = |arguments: &[&str]| {
        let output = run(home.path(), arguments)?;
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
        Outcome::Ok(())
    };
    done(&["check", "games", "-q", "-o", "whole"])?;
    done(&["shards", "plan", "games", "--target-size", "200", "-o", "plan"])?;
    let shards = fs::read_to_string(home.path().join("plan"))?.lines().count() - 1;
    assert!(shards > 1, "{shards}");
    for shard in 1..=shards {
        done(&["check", "--plan", "plan", "--shard", &shard.to_string(), "-o", "parts", "-q"])?;
    }
    done(&["shards", "merge", "plan", "parts", "-q", "-o", "merged"])?;
    for file in ["expectations.csv", "inputs.csv", "summary.csv"] {
        let read = |report: &str| fs::read_to_string(home.path().join(report).join(file));
        assert_eq!(read("merged")?, read("whole")?, "{file}");
    }
    Ok(())
}

#[test]
fn an_accepted_expectation_stays_known() -> Outcome {
    let home = home(EXPECTING)?;
    run(home.path(), &["check", "games", "-q", "-o", "report"])?;
    run(home.path(), &["baseline", "write", "report", "--reason", "known", "-o", "known.csv"])?;
    let check = |name: &str| {
        let arguments = ["check", "games", "-q", "--baseline", "known.csv", "-o", name];
        Outcome::Ok(run(home.path(), &arguments)?.status.code())
    };
    assert_eq!(check("second")?, Some(0));
    // Fewer games than before do not meet the same expectation. Another one is not known.
    fs::write(home.path().join("games/a.pgn"), format!("{CLEAN}\n{CLEAN}"))?;
    fs::remove_file(home.path().join("games/b.pgn"))?;
    fs::write(home.path().join("chess-audit.toml"), EXPECTING.replace("\"games/b.pgn\"", "\"games/a.pgn\""))?;
    assert_eq!(check("third")?, Some(1), "another input is expected to have 3 games");
    Ok(())
}

#[test]
fn published_digests_are_those_of_files_as_they_are_stored() -> Outcome {
    let home = home("expect.digests = \"sums.txt\"\n")?;
    let digest = Sha256::digest(CLEAN).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let other = "0".repeat(64);
    fs::write(home.path().join("sums.txt"), format!("{digest}  a.pgn\n# games\n{other} *lists/b.pgn\n{other}  z.pgn\n"))?;
    let found = Sha256::digest(format!("{CLEAN}\n{CLEAN}")).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(
        unmet(home.path(), &[])?,
        [format!("sums.txt:3 EXP04: `b.pgn` has the SHA-256 digest {found} instead of {other}")]
    );
    fs::write(home.path().join("sums.txt"), "a.pgn\n")?;
    let refused = run(home.path(), &["check", "games"])?;
    assert!(stderr(&refused).contains("sums.txt:1: expected a SHA-256 digest and the name of a file"), "{refused:?}");
    Ok(())
}
