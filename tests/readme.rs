//! The table of rules in README.md is made from the rules. `UPDATE=1 cargo test --test readme` writes it anew.

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
        assert_eq!(table, expected, "run `UPDATE=1 cargo test --test readme`");
    }
    Ok(())
}

/// What the first command prints stands in README.md as it is, indented; the line that names the report apart.
#[test]
fn the_excerpt_is_what_the_main_command_prints() -> Result<(), Box<dyn Error>> {
    const OPEN: &str = "<!-- excerpt -->\n";
    const CLOSE: &str = "<!-- /excerpt -->";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let text = fs::read_to_string(path)?;
    let (before, rest) = text.split_once(OPEN).ok_or("no opening marker")?;
    let (excerpt, after) = rest.split_once(CLOSE).ok_or("no closing marker")?;
    let folder = tempfile::tempdir()?;
    let run = Command::new(env!("CARGO_BIN_EXE_chess-audit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--fail-on", "never", "--color", "never", "fixtures/showcase.pgn", "fixtures/showcase.epd", "-o"])
        .arg(folder.path().join("report"))
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    let mut expected = String::from("\n");
    for line in printed.lines() {
        let line = if line.starts_with("Report ") { "Report       chess-audit-report" } else { line };
        expected.push_str(&if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") });
    }
    expected.push('\n');
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, format!("{before}{OPEN}{expected}{CLOSE}{after}"))?;
    } else {
        assert_eq!(excerpt, expected, "run `UPDATE=1 cargo test --test readme -- --test-threads 1`");
    }
    Ok(())
}
