//! Reports that are compared are complete and unchanged, and lost data is reported.

use std::{error::Error, fs, path::Path};

use assert_cmd::Command;
use chess_audit::internals::report::{CompareTables, Comparison, InputChange};
use serde_json::Value;

type Outcome = Result<(), Box<dyn Error>>;

fn run(home: &Path, arguments: &[&str]) -> Result<(i32, String, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).current_dir(home).args(arguments).output()?;
    let code = output.status.code().ok_or("killed")?;
    Ok((code, String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
}

/// A game with `moves`.
fn game(moves: &str) -> String {
    let roster =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    format!("{roster}\n{moves} *\n\n")
}

/// A directory with `games/a.pgn` and `games/b.pgn`, with three illegal moves in five games, and
/// the report `old` about them.
fn home() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    fs::create_dir(home.path().join("games"))?;
    fs::write(home.path().join("games/a.pgn"), ["1. e4", "1. Ke2", "1. Ke3"].map(game).concat())?;
    fs::write(home.path().join("games/b.pgn"), ["1. d4", "1. Kd3"].map(game).concat())?;
    audit(home.path(), "old")?;
    Ok(home)
}

fn audit(home: &Path, report: &str) -> Outcome {
    let (code, _, err) = run(home, &["check", "games", "-o", report, "--fail-on", "never", "--quiet"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    Ok(())
}

/// Copies the report `old` to `copy`, without the page.
fn copy(home: &Path, copy: &str) -> std::io::Result<()> {
    fs::create_dir(home.join(copy))?;
    for entry in fs::read_dir(home.join("old"))? {
        let entry = entry?;
        if entry.file_name() != "report.html" {
            fs::copy(entry.path(), home.join(copy).join(entry.file_name()))?;
        }
    }
    Ok(())
}

fn edit(path: &Path, change: impl Fn(&str) -> String) -> std::io::Result<()> {
    fs::write(path, change(&fs::read_to_string(path)?))
}

/// Changes `run.json` in the report `report`.
fn edit_run(home: &Path, report: &str, change: impl Fn(&mut Value)) -> Outcome {
    let path = home.join(report).join("run.json");
    let mut run: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    change(&mut run);
    Ok(fs::write(&path, run.to_string())?)
}

fn without_last_row(text: &str) -> String {
    text.lines().rev().skip(1).collect::<Vec<_>>().into_iter().rev().map(|line| format!("{line}\n")).collect()
}

/// All commands that read findings refuse `report`: with one line that names the file and says what
/// is wrong with it.
fn is_refused(home: &Path, report: &str, file: &str, damage: &str) -> Outcome {
    let commands: [&[&str]; 5] = [
        &["compare", "old", report],
        &["compare", report, "old"],
        &["baseline", "write", report, "-o", "new.csv"],
        &["baseline", "prune", report, "-o", "known.csv"],
        &["check", "games", "--fail-on", "never", "-o", "other", "--baseline", report],
    ];
    run(home, &["baseline", "write", "old", "-o", "known.csv"])?;
    let known = fs::read(home.join("known.csv"))?;
    for command in commands {
        let (code, out, err) = run(home, command)?;
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{command:?}: {err}");
        let expected = format!("`{report}/{file}` {damage}; the report is not as it was written, so run the audit again\n");
        assert!(err.replace('\\', "/").ends_with(&expected), "{command:?}: {err}");
    }
    assert!(!home.join("new.csv").exists() && !home.join("other").exists());
    assert_eq!(fs::read(home.join("known.csv"))?, known);
    Ok(())
}

#[test]
fn a_missing_table_is_an_error() -> Outcome {
    let home = home()?;
    for table in ["moves.csv", "clocks.csv"] {
        copy(home.path(), "damaged")?;
        fs::remove_file(home.path().join("damaged").join(table))?;
        is_refused(home.path(), "damaged", table, "is missing")?;
        fs::remove_dir_all(home.path().join("damaged"))?;
    }
    Ok(())
}

#[test]
fn a_truncated_table_is_an_error() -> Outcome {
    let home = home()?;
    let table = fs::read_to_string(home.path().join("old/moves.csv"))?;
    assert_eq!(table.lines().count(), 4, "{table}");
    let row = table.len() - table.lines().last().ok_or("no row")?.len() - 1;
    let cuts = [
        (0, "has 0 rows, but run.json says 3"),
        (5, "has 0 rows, but run.json says 3"),
        (row, "has 2 rows, but run.json says 3"),
        (row + 20, "was changed after the audit"),
        (table.len() - 5, "was changed after the audit"),
        (table.len() - 1, "was changed after the audit"),
    ];
    for (length, damage) in cuts {
        copy(home.path(), "damaged")?;
        fs::write(home.path().join("damaged/moves.csv"), &table[..length])?;
        is_refused(home.path(), "damaged", "moves.csv", damage)?;
        fs::remove_dir_all(home.path().join("damaged"))?;
    }
    Ok(())
}

#[test]
fn a_changed_table_is_an_error() -> Outcome {
    let home = home()?;
    type Edit = fn(&str) -> String;
    let changes: [(Edit, &str); 4] = [
        (|text| text.replacen("Kd3", "Kd4", 1), "was changed after the audit"),
        (|text| text.replacen(",error,", ",info,", 1), "was changed after the audit"),
        (|text| text.replacen("fingerprint", "fingerprints", 1), "was changed after the audit"),
        (|text| format!("{text}MOV01,\n"), "has 4 rows, but run.json says 3"),
    ];
    for (change, damage) in changes {
        copy(home.path(), "damaged")?;
        edit(&home.path().join("damaged/moves.csv"), change)?;
        is_refused(home.path(), "damaged", "moves.csv", damage)?;
        fs::remove_dir_all(home.path().join("damaged"))?;
    }
    Ok(())
}

/// A row is removed, and `run.json` is changed so that it fits: the number of rows, the digest too,
/// or the list of tables.
#[test]
fn an_adjusted_run_file_does_not_hide_missing_rows() -> Outcome {
    let home = home()?;
    let shorter = |report: &str| edit(&home.path().join(report).join("moves.csv"), without_last_row);
    copy(home.path(), "rows")?;
    shorter("rows")?;
    edit_run(home.path(), "rows", |run| run["tables"]["moves.csv"]["rows"] = 2.into())?;
    is_refused(home.path(), "rows", "moves.csv", "was changed after the audit")?;
    copy(home.path(), "digest")?;
    shorter("digest")?;
    let digest = xxhash_rust::xxh3::xxh3_64(&fs::read(home.path().join("digest/moves.csv"))?);
    let record = serde_json::json!({"rows": 2, "xxh3": format!("{digest:016x}")});
    edit_run(home.path(), "digest", |run| run["tables"]["moves.csv"] = record.clone())?;
    is_refused(home.path(), "digest", "run.json", "says 3 findings, but the tables have 2")?;
    copy(home.path(), "unlisted")?;
    shorter("unlisted")?;
    edit_run(home.path(), "unlisted", |run| drop(run["tables"].as_object_mut().and_then(|tables| tables.remove("moves.csv"))))?;
    is_refused(home.path(), "unlisted", "moves.csv", "is not listed in run.json")
}

#[test]
fn only_tables_that_are_read_matter() -> Outcome {
    let home = home()?;
    copy(home.path(), "copy")?;
    fs::remove_file(home.path().join("copy/summary.csv"))?;
    fs::write(home.path().join("copy/failures.csv"), "")?;
    fs::write(home.path().join("copy/notes.csv"), "mine")?;
    for (old, new) in [("old", "copy"), ("copy", "old")] {
        let (code, out, err) = run(home.path(), &["compare", old, new, "--fail-on-loss"])?;
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.starts_with("# No differences\n\n|"), "{out}");
    }
    // Baselines do not need the inputs, but a comparison does.
    fs::remove_file(home.path().join("copy/inputs.csv"))?;
    assert_eq!(run(home.path(), &["baseline", "write", "copy"])?.0, 0);
    let (code, _, err) = run(home.path(), &["compare", "old", "copy"])?;
    assert_eq!(code, 2);
    assert!(err.contains("inputs.csv` is missing;"), "{err}");
    fs::copy(home.path().join("old/inputs.csv"), home.path().join("copy/inputs.csv"))?;
    edit(&home.path().join("copy/inputs.csv"), without_last_row)?;
    let (code, _, err) = run(home.path(), &["compare", "copy", "old"])?;
    assert_eq!(code, 2);
    assert!(err.contains("inputs.csv` has 1 row, but run.json says 2;"), "{err}");
    Ok(())
}

#[test]
fn a_report_with_limited_rows_is_complete() -> Outcome {
    let home = home()?;
    run(home.path(), &["check", "games", "-o", "few", "--max-rows", "1", "--quiet"])?;
    let (code, out, err) = run(home.path(), &["compare", "old", "few"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("# 0 new, 1 gone (1 error)\n"), "{out}");
    edit(&home.path().join("few/moves.csv"), without_last_row)?;
    assert_eq!(run(home.path(), &["compare", "old", "few"])?.0, 2);
    Ok(())
}

/// Reports of earlier versions have no digests. They can be compared, with a warning, as long as
/// the totals are right.
#[test]
fn a_report_without_digests_is_accepted_with_a_warning() -> Outcome {
    let home = home()?;
    copy(home.path(), "earlier")?;
    edit_run(home.path(), "earlier", |run| drop(run.as_object_mut().and_then(|run| run.remove("tables"))))?;
    let (code, out, err) = run(home.path(), &["compare", "earlier", "old"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("# No differences\n\n> The old report was written by an earlier version, without digests."), "{out}");
    run(home.path(), &["baseline", "write", "old", "-o", "known.csv"])?;
    for command in [
        ["baseline", "write", "earlier", "-o", "new.csv"].as_slice(),
        &["baseline", "prune", "earlier", "-o", "known.csv"],
        &["check", "games", "-o", "other", "--baseline", "earlier", "--quiet"],
    ] {
        let (code, _, err) = run(home.path(), command)?;
        let warning = "warning: `earlier` was written by an earlier version, without digests; only its totals were checked\n";
        assert_eq!((code, err.as_str()), (0, warning), "{command:?}");
    }
    for (lost, gone) in [("newer.csv", false), ("newest.csv", true)] {
        assert!(!home.path().join(lost).exists());
        let path = home.path().join("earlier/moves.csv");
        if gone {
            fs::remove_file(&path)?
        } else {
            edit(&path, without_last_row)?
        }
        let found = if gone { 0 } else { 2 };
        let (code, _, err) = run(home.path(), &["baseline", "write", "earlier", "-o", lost])?;
        assert_eq!(code, 2);
        assert!(err.contains(&format!("run.json` says 3 findings, but the tables have {found};")), "{err}");
    }
    Ok(())
}

#[test]
fn lost_records_are_reported() -> Outcome {
    let home = home()?;
    let games = home.path().join("games");
    let all =
        [("emptied", "1. a3", 3), ("removed", "1. b3", 2), ("shorter", "1. c3", 4), ("same", "1. d3", 1), ("longer", "1. e3", 1)];
    for (name, moves, number) in all {
        fs::write(games.join(name).with_extension("pgn"), game(moves).repeat(number))?;
    }
    fs::write(games.join("empty.pgn"), "")?;
    audit(home.path(), "before")?;
    fs::write(games.join("emptied.pgn"), "\n")?;
    fs::remove_file(games.join("removed.pgn"))?;
    fs::remove_file(games.join("empty.pgn"))?;
    fs::write(games.join("shorter.pgn"), game("1. c3").repeat(3))?;
    fs::write(games.join("longer.pgn"), game("1. e3").repeat(2))?;
    fs::write(games.join("added.pgn"), game("1. f3"))?;
    audit(home.path(), "after")?;

    let (code, out, err) = run(home.path(), &["compare", "before", "after", "-o", "changes"])?;
    assert_eq!((code, err.as_str()), (0, ""));
    let out = out.replace('\\', "/");
    assert_eq!(
        out,
        "No differences in findings; 6 records lost in 3 inputs; see changes/compare.md\n\
         Inputs: 1 new, 2 gone, 1 empty, 1 smaller and 1 changed; 16 records before, 12 after; see changes/compare_inputs.csv\n"
    );
    assert_eq!(
        fs::read_to_string(home.path().join("changes/compare_inputs.csv"))?,
        "change,input,other_input,records_before,records_after,games_removed,games_changed,games_copied,games_added\n\
         new,games/added.pgn,,,1,,,,\n\
         empty,games/emptied.pgn,,3,0,,,,\n\
         changed,games/longer.pgn,,1,2,,,,\n\
         smaller,games/shorter.pgn,,4,3,,,,\n\
         gone,games/empty.pgn,,0,,,,,\n\
         gone,games/removed.pgn,,2,,,,,\n"
    );
    let text = fs::read_to_string(home.path().join("changes/compare.md"))?;
    assert!(text.starts_with("# No differences in findings; 6 records lost in 3 inputs\n"), "{text}");
    let section = "\n## Inputs\n\n1 new, 2 gone, 1 empty, 1 smaller and 1 changed; 16 records before, 12 after.\n\n\
                   | change | input | same text or games | records before | records after |\n|---|---|---|---:|---:|\n\
                   | empty | games/emptied.pgn |  | 3 | 0 |\n\
                   | gone | games/removed.pgn |  | 2 |  |\n\
                   | smaller | games/shorter.pgn |  | 4 | 3 |\n\
                   | new | games/added.pgn |  |  | 1 |\n\
                   | changed | games/longer.pgn |  | 1 | 2 |\n\
                   | gone | games/empty.pgn |  | 0 |  |\n";
    assert!(text.contains(section), "{text}");

    let never = ["compare", "before", "after", "--fail-on", "never"];
    let (code, out, _) = run(home.path(), &never)?;
    assert_eq!((code, out.as_str()), (0, text.as_str()));
    assert_eq!(run(home.path(), &[never.as_slice(), &["--fail-on-loss"]].concat())?.0, 1);
    Ok(())
}

#[test]
fn only_lost_records_are_a_loss() -> Outcome {
    let home = home()?;
    let compare = || run(home.path(), &["compare", "old", "new", "--fail-on-loss"]);
    // An input that is new or longer, and an empty one that comes and goes.
    fs::write(home.path().join("games/c.pgn"), game("1. c4"))?;
    fs::write(home.path().join("games/empty.pgn"), "")?;
    audit(home.path(), "new")?;
    let (code, out, _) = compare()?;
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("\n2 new; 5 records before, 6 after.\n"), "{out}");
    fs::remove_dir_all(home.path().join("old"))?;
    fs::rename(home.path().join("new"), home.path().join("old"))?;
    fs::remove_file(home.path().join("games/empty.pgn"))?;
    audit(home.path(), "new")?;
    let (code, out, _) = compare()?;
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("# 0 new, 1 gone\n") && out.contains("| gone | games/empty.pgn |  | 0 |  |"), "{out}");
    // One game less in one input, even if another one has more.
    fs::write(home.path().join("games/a.pgn"), ["1. Ke2", "1. Ke3"].map(game).concat())?;
    fs::write(home.path().join("games/c.pgn"), game("1. c4").repeat(9))?;
    audit(home.path(), "new")?;
    let (code, out, _) = compare()?;
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("; 1 record lost in 1 input\n") && out.contains("| smaller | games/a.pgn |  | 3 | 2 |"), "{out}");
    Ok(())
}

#[test]
fn inputs_match_by_name() -> Outcome {
    let home = home()?;
    let moved = home.path().join("=moved");
    fs::rename(home.path().join("games"), &moved)?;
    for name in ["a.pgn", "b.pgn"] {
        edit(&moved.join(name), |text| text.to_owned() + &game("1. h3"))?;
    }
    run(home.path(), &["check", "=moved", "-o", "new", "--quiet"])?;
    let (code, out, err) = run(home.path(), &["compare", "old", "new", "--fail-on-loss", "-o", "changes"])?;
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.starts_with("No differences in findings; no input has the same name; see "), "{out}");
    let text = fs::read_to_string(home.path().join("changes/compare.md"))?;
    assert!(text.contains("\n> No input has the same name in both reports."), "{text}");
    assert!(text.contains("| new | =moved/a.pgn |  |  | 4 |"), "{text}");
    let rows = fs::read_to_string(home.path().join("changes/compare_inputs.csv"))?;
    assert!(rows.contains("\nnew,'=moved/a.pgn,,,4,,,,\n"), "{rows}");
    Ok(())
}

#[test]
fn the_library_counts_inputs() -> Outcome {
    let home = home()?;
    fs::write(home.path().join("games/b.pgn"), "")?;
    audit(home.path(), "new")?;
    let compared = Comparison::of(&home.path().join("old"), &home.path().join("new"), CompareTables::default())?;
    let counts = InputChange::ALL.map(|change| compared.inputs.count(change));
    assert_eq!((counts, compared.inputs.lost_records()), ([0, 0, 1, 0, 0, 0, 0, 0, 0, 0], 2));
    Ok(())
}
