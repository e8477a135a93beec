//! SYN16: an input without a record.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("SYN16"),
    name: "empty-input",
    severity: Severity::Info,
    summary: "The input holds no game and no position",
    what: "The input has no bytes, or nothing but blanks, a byte order mark and comment lines. \
           One that holds a single tag pair, move or termination marker is not empty.",
    why: "An export that failed leaves such a file behind, and a job that reads it reports success.",
    fix: "Run the export again, or leave the file out.",
    source: "PGN standard 18: a PGN database is a sequential collection of zero or more games",
    fires: &[Sample::Pgn("⟦⟧")],
    silent: &[Sample::Moves("*")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Notes that the input holds no record.
pub fn report(findings: &mut Findings) {
    findings.add(&RULE, Span::new(0, 0)).message("the input holds no game and no position");
}
