//! SYN17: texts without chess.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span};

pub static RULE: Rule = Rule {
    code: code!("SYN17"),
    name: "not-chess",
    severity: Severity::Info,
    summary: "A file found by a search contains no chess",
    what: "The text contains no tag pair, no playable move and no piece placement, or an archive \
           contains no game or position files. Only files found in directories, in archives or by \
           globs are reported here. If such a file is named on the command line, the audit fails.",
    why: "Licences, notes and documentation are often next to the games. Their text is not checked.",
    fix: "Nothing has to be done. Skip such files with `--exclude`.",
    source: "PGN standard 8 (a game has a tag pair section and a movetext section)",
    fires: &[Sample::Pgn("⟦⟧These games were collected by hand.\nPlease send corrections to the editor.\n")],
    silent: &[Sample::Tags(""), Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - - 0 40")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that the input contains no chess. `message` says what it lacks.
pub fn report(findings: &mut Findings, message: &str) {
    findings.add(&RULE, Span::new(0, 0)).message(message);
}
