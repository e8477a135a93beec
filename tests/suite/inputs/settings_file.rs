//! A settings file that is in force is named wherever its effect is seen.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::common::program::{GAMES, Outcome, run, stderr};

/// A directory with games in `corpus/night`, and a settings file with this content above them.
fn home(settings: &str) -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    fs::create_dir_all(home.path().join("corpus/night"))?;
    fs::write(home.path().join("corpus/night/a.pgn"), GAMES)?;
    fs::write(home.path().join("chess-audit.toml"), settings)?;
    Ok(home)
}

/// What the terminal, `run.json` and the page say about settings files.
#[derive(Debug, PartialEq, Eq)]
struct Named {
    terminal: Vec<String>,
    run: Value,
    page: bool,
}

/// Runs a command that writes a report to `report`, and reads what it says. `line` is expected on
/// the page.
fn named(directory: &Path, arguments: &[&str], line: &str) -> Outcome<Named> {
    let output = run(directory, arguments)?;
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let terminal = String::from_utf8(output.stdout)?;
    let terminal = terminal.lines().filter(|line| line.starts_with("Settings")).map(str::to_owned).collect();
    let run: Value = serde_json::from_str(&fs::read_to_string(directory.join("report/run.json"))?)?;
    let page = fs::read_to_string(directory.join("report/report.html"))?;
    assert_eq!(page.contains("<dt>Settings</dt>"), page.contains(&format!("<dt>Settings</dt><dd>{line}</dd>")), "{line}");
    Ok(Named { terminal, run: run["settings"]["settings_file"].clone(), page: page.contains("<dt>Settings</dt>") })
}

const CHECK: [&str; 4] = ["check", "corpus/night/a.pgn", "-o", "report"];

const EXCLUDING: &str =
    "exclude = [\"old\"]\nprofile = \"standard\"\n[severity]\nMOV = \"info\"\nSYN = \"info\"\nRES = \"info\"\n";

#[test]
fn a_settings_file_in_force_is_named() -> Outcome {
    let home = home(EXCLUDING)?;
    let line = "chess-audit.toml (exclude, profile, severity)";
    let expected = |path: &str| Named {
        terminal: vec![format!("Settings     {path}{line}")],
        run: json!({"path": format!("{path}chess-audit.toml"), "settings": ["exclude", "profile", "severity"]}),
        page: true,
    };
    assert_eq!(named(home.path(), &CHECK, line)?, expected(""));
    let below = home.path().join("corpus/night");
    assert_eq!(named(&below, &["check", "a.pgn", "-o", "report"], &format!("../../{line}"))?, expected("../../"));
    // However far away, the path is relative: a report does not depend on absolute paths.
    let deep = below.join("1/2/3");
    fs::create_dir_all(&deep)?;
    let path = "../../../../../";
    assert_eq!(named(&deep, &["check", "../../../a.pgn", "-o", "report"], &format!("{path}{line}"))?, expected(path));
    Ok(())
}

#[test]
fn only_settings_in_effect_are_named() -> Outcome {
    let home = home("profile = \"strict\"\nelo = { from = 1000, to = 3000 }\nfail-on = \"never\"\n")?;
    let args = |more: &[&'static str]| [&CHECK[..], more].concat();
    let profile = named(home.path(), &args(&["--profile", "standard"]), "chess-audit.toml (elo, fail-on)")?;
    assert_eq!(profile.terminal, ["Settings     chess-audit.toml (elo, fail-on)"]);
    let nothing = Named { terminal: Vec::new(), run: Value::Null, page: false };
    assert_eq!(named(home.path(), &args(&["--no-config"]), "")?, nothing);
    fs::write(home.path().join("chess-audit.toml"), "# fail-on = \"never\"\n")?;
    assert_eq!(named(home.path(), &args(&[]), "")?, nothing);
    fs::write(home.path().join("chess-audit.toml"), "profile = \"strict\"\n")?;
    assert_eq!(named(home.path(), &args(&["--profile", "standard"]), "")?, nothing);
    let given = named(home.path(), &args(&["--config", "./chess-audit.toml"]), "./chess-audit.toml (profile)")?;
    assert_eq!(given.terminal, ["Settings     ./chess-audit.toml (profile)"], "as given");
    Ok(())
}

/// A report says what was expected, and a comparison that it was something else.
#[test]
fn what_is_expected_and_demanded_is_recorded() -> Outcome {
    let demands = "require = [\"Annotator\", \"ECO\"]\n[expect]\ngames = { min = 1 }\n[allow]\nResult = [\"*\"]\n";
    let home = home(demands)?;
    named(home.path(), &CHECK, "chess-audit.toml (require, expect, allow)")?;
    let run_json = |report: &str| -> Outcome<Value> {
        Ok(serde_json::from_str(&fs::read_to_string(home.path().join(report).join("run.json"))?)?)
    };
    let expected = json!({"allow.Result": "[\"*\"]", "expect.games": "{ min = 1 }", "require": "[\"Annotator\", \"ECO\"]"});
    assert_eq!(run_json("report")?["settings"]["demands"], expected);
    fs::write(home.path().join("chess-audit.toml"), demands.replace("min = 1", "min = 2"))?;
    run(home.path(), &["check", "corpus/night/a.pgn", "-o", "other"])?;
    let compared = run(home.path(), &["compare", "report", "other"])?;
    let text = String::from_utf8(compared.stdout)?;
    assert!(text.contains("The audits had different settings (demands, see run.json)."), "{text}");
    Ok(())
}

#[test]
fn a_merged_report_names_the_file_that_merge_uses() -> Outcome {
    let home = home(EXCLUDING)?;
    let done = |arguments: &[&str]| {
        let output = run(home.path(), arguments)?;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        Outcome::Ok(())
    };
    done(&["shards", "plan", "corpus", "-o", "games.plan"])?;
    // The same settings from another file: only their values have to agree.
    fs::copy(home.path().join("chess-audit.toml"), home.path().join("same.toml"))?;
    done(&["check", "--plan", "games.plan", "--shard", "1", "-o", "parts", "--config", "same.toml"])?;
    let line = "chess-audit.toml (exclude, profile, severity)";
    let merged = named(home.path(), &["shards", "merge", "games.plan", "parts", "-o", "report"], line)?;
    assert_eq!(merged.terminal, [format!("Settings     {line}")]);
    // Nor does a comparison take the name of the file for a different setting.
    let other = [&CHECK[..3], &["other", "--config", "same.toml"]].concat();
    done(&other)?;
    let compared = run(home.path(), &["compare", "report", "other"])?;
    assert!(!String::from_utf8(compared.stdout)?.contains("different settings"));
    Ok(())
}

#[test]
fn globs_are_relative_to_a_settings_file_above() -> Outcome {
    let home = home("exclude = [\"corpus/night/old/*.pgn\"]\n")?;
    fs::create_dir_all(home.path().join("corpus/night/old"))?;
    fs::write(home.path().join("corpus/night/old/b.pgn"), GAMES)?;
    let output = run(&home.path().join("corpus"), &["check", "night"])?;
    let text = String::from_utf8(output.stdout)?;
    assert!(text.contains(" in 1 input, "), "{text}");
    assert!(text.contains("Skipped      1 excluded file or directory"), "{text}");
    Ok(())
}
