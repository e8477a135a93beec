//! SYN16: inputs without a record.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN16"),
    name: "empty-input",
    severity: Severity::Warning,
    summary: "The input contains no game and no position",
    what: "The input is empty, contains only whitespace, a byte order mark and comment lines, or is \
           an archive without files. \
           An input with a single tag pair, move or termination marker is not empty.",
    why: "A failed export can leave an empty file, and a job that reads it reports success.",
    fix: "Run the export again, or leave the file out.",
    source: "PGN standard 18 (a database may contain zero games)",
    fires: &[Sample::Pgn("⟦⟧")],
    silent: &[Sample::Moves("*")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that the input contains no record.
pub fn report(findings: &mut Findings, is_archive: bool) {
    let message = if is_archive { "the archive is empty" } else { "the input contains no game and no position" };
    findings.add(&RULE, Span::new(0, 0)).message(message);
}
