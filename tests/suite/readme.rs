//! The table of rules in README.md is made from the rules. `UPDATE=1 cargo test --test suite readme` writes it anew.

use std::{error::Error, fs, process::Command};

use chess_audit::rules::{RULES, catalogue};

const OPEN: &str = "<!-- rules -->\n";
const CLOSE: &str = "<!-- /rules -->";

#[test]
fn the_table_of_rules_is_up_to_date() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let text = fs::read_to_string(path)?;
    let (before, rest) = text.split_once(OPEN).ok_or("no opening marker")?;
    let (table, after) = rest.split_once(CLOSE).ok_or("no closing marker")?;
    let expected = catalogue::markdown_table(RULES);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, format!("{before}{OPEN}{expected}{CLOSE}{after}"))?;
    } else {
        assert_eq!(table, expected, "run `UPDATE=1 cargo test --test suite readme`");
    }
    Ok(())
}

/// Holds what stands between `<!-- name -->` and `<!-- /name -->` in README.md against `printed`, indented; or writes it there.
fn hold_excerpt(name: &str, printed: impl Iterator<Item = String>) -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let text = fs::read_to_string(path)?;
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&open).ok_or("no opening marker")?;
    let (excerpt, after) = rest.split_once(&close).ok_or("no closing marker")?;
    let mut expected = String::from("\n");
    for line in printed {
        expected.push_str(&if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
    }
    expected.push('\n');
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, format!("{before}{open}{expected}{close}{after}"))?;
    } else {
        assert_eq!(excerpt, expected, "run `UPDATE=1 cargo test --test suite readme -- --test-threads 1`");
    }
    Ok(())
}

/// What the first command prints stands in README.md as it is; the line that names the report apart.
#[test]
fn the_excerpt_is_what_the_main_command_prints() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let run = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--fail-on", "never", "--color", "never", "fixtures/showcase.pgn", "fixtures/showcase.epd", "-o"])
        .arg(folder.path().join("report"))
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    let line = |line: &str| if line.starts_with("Report ") { "Report       chess-audit-report" } else { line }.to_owned();
    hold_excerpt("excerpt", printed.lines().map(line))
}

#[test]
fn the_position_is_what_fen_prints() -> Result<(), Box<dyn Error>> {
    let run = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .args(["fen", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30", "--color", "never"])
        .output()?;
    hold_excerpt("position", String::from_utf8(run.stdout)?.lines().map(str::to_owned))
}

/// The script for every night does what is said of it.
#[test]
#[cfg(unix)]
fn the_nightly_script_tells_only_what_is_new() -> Result<(), Box<dyn Error>> {
    const GAME: &str = "[Event \"Club\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
                        [Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))?;
    let (_, rest) = text.split_once("<!-- nightly -->\n").ok_or("no opening marker")?;
    let (script, _) = rest.split_once("<!-- /nightly -->").ok_or("no closing marker")?;
    let folder = tempfile::tempdir()?;
    let script = script.replace("\n    ", "\n").replace("/srv/games", &folder.path().display().to_string());
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_chess-audit"));
    let path = std::env::join_paths(
        program.parent().map(Into::into).into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )?;
    let run = |program: &str, arguments: &[&str]| -> Result<(Option<i32>, String, String), Box<dyn Error>> {
        let output = Command::new(program).args(arguments).env("PATH", &path).current_dir(&folder).output()?;
        Ok((output.status.code(), String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    };
    let write = |name: &str, text: &str| fs::write(folder.path().join("games").join(name), text);
    fs::create_dir(folder.path().join("games"))?;
    let known = GAME.replace("2. Nf3", "2. Ke3");
    write("a.pgn", &known)?;
    assert_eq!(run("chess-audit", &["check", "games", "-o", "report", "-q"])?.0, Some(1));
    assert_eq!(run("chess-audit", &["baseline", "write", "report"])?.0, Some(0));
    let night = || run("sh", &["-c", &script]);
    let silent = (Some(0), String::new(), String::new());
    // Nothing new; then a good game in front, then a bad one, which is told once.
    assert_eq!(night()?, silent);
    write("a.pgn", &format!("{GAME}{known}"))?;
    assert_eq!(night()?, silent);
    write("b.pgn", &GAME.replace("2. Nf3", "2. Qh6"))?;
    let (code, told, wrong) = night()?;
    assert_eq!((code, wrong.as_str()), (Some(1), ""));
    assert!(told.starts_with("# 1 new (1 error), 0 gone\n"), "{told}");
    assert_eq!(night()?, (Some(1), String::new(), String::new()));
    // An audit that fails leaves the report as it is.
    let before = fs::read(folder.path().join("report/moves.csv"))?;
    fs::remove_dir_all(folder.path().join("games"))?;
    assert_eq!(night()?.0, Some(2));
    assert_eq!(fs::read(folder.path().join("report/moves.csv"))?, before);
    Ok(())
}
