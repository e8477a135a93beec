//! SYN17: texts without chess.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN17"),
    name: "not-chess",
    severity: Severity::Warning,
    summary: "A file found by a search contains no chess",
    what: "The text contains no tag pair, no playable move and no piece placement, or an archive \
           contains no game or position files. Or the file is an HTML page, rich text, a pointer of \
           Git LFS, a database of ChessBase or Scid, a table without positions and games, or JSON \
           without positions. This is a warning if the name ends with \
           `.pgn`, `.epd` or `.fen`. Otherwise it is an info, and most of the text has to be chess: tag \
           pairs, moves or positions. Only files found in directories, in archives or by globs are reported \
           here. If a file without chess is named on the command line, the audit fails.",
    why: "A failed download or export leaves a file without games. Licences, notes and documentation \
          are often next to the games. Their text is not checked.",
    fix: "Get the games again, or convert the file to PGN. Skip other files with `--exclude`.",
    source: "PGN standard 8 (a game has a tag pair section and a movetext section)",
    fires: &[
        Sample::Pgn("⟦⟧These games were collected by hand.\nPlease send corrections to the editor.\n"),
        Sample::Pgn("⟦⟧<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1></body></html>\n"),
        Sample::Pgn("⟦⟧{\\rtf1\\ansi [Event \"Sample\"]\\\n1. d4 Nf6 *\\\n}\n"),
        Sample::Positions("⟦⟧version https://git-lfs.github.com/spec/v1\nsize 16226533\n"),
    ],
    silent: &[Sample::Tags(""), Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - - 0 40")],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that the input contains no chess. `message` says what it is or what it lacks.
pub fn report(findings: &mut Findings, message: &str, should_be_chess: bool) {
    let severity = if should_be_chess { Severity::Warning } else { Severity::Info };
    findings.add(&RULE, Span::new(0, 0)).severity(severity).message(message);
}
