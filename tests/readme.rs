//! The table of rules in README.md is made from the rules. `UPDATE=1 cargo test --test readme` writes it anew.

use std::{error::Error, fs};

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
