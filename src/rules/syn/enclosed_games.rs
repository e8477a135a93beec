//! SYN20: games inside other text.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN20"),
    name: "enclosed-games",
    severity: Severity::Info,
    summary: "The games are inside other text",
    what: "All games of the input are inside strings of a program, JSON or SQL strings, Markdown \
           fences, or `[pgn]` and `[/pgn]` of a forum, all of one kind. Each game is checked up to the end of its string. The text around it is \
           not checked. These games have no repairs, and `--good` and `--bad` do not copy them. \
           Reported once per input.",
    why: "Readers of PGN take the text around the games for moves or comments.",
    fix: "Nothing, if other text is meant to be there. To repair the games, extract them first.",
    source: "PGN standard 8 (a PGN file contains games)",
    fires: &[
        Sample::Pgn(concat!("const game = `⟦", game!("A", "1-0", "1. e4 e5 1-0⟧"), "`;\nrun({ game });\n")),
        Sample::Pgn(concat!("# A game\n\n```pgn\n⟦", game!("A", "1-0", "1. e4 e5 1-0⟧"), "```\n\nIt was {very} short.\n")),
    ],
    silent: &[Sample::Pgn(concat!(
        game!("First", "1-0", "1. e4 {the `King's Pawn`} e5 1-0"),
        "\n",
        game!("Second", "0-1", "1. d4 Nf6 0-1")
    ))],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports a game inside other text.
pub fn report(findings: &mut Findings, place: Span) {
    let message = "games inside other text: only they are checked, each up to the end of its string, and they have no repairs";
    findings.add(&RULE, place).message(message).once_per_input();
}
