//! Audits the PGN files that are named on the command line, with the library:
//! `cargo run --example library games.pgn`.

use std::{env, error::Error, fs};

use chess_audit::{Auditor, Severity};

fn main() -> Result<(), Box<dyn Error>> {
    let auditor = Auditor::new()
        .ignore(["TAG01"])?
        .severity("check-mark-missing", Severity::Warning)?
        .ratings(1000..=3000)
        .dates("1990.01.01"..="2026.12.31")?;
    for path in env::args().skip(1) {
        for finding in auditor.audit_pgn(fs::read(&path)?)? {
            println!("{path}:{finding}");
            if let Some(expected) = finding.expected_text() {
                println!("  expected: {expected}");
            }
        }
    }
    Ok(())
}
