//! Text between games.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN01`
pub static RULE: Rule = Rule {
    code: code!("SYN01"),
    name: "stray-text",
    severity: Severity::Warning,
    summary: "Text that is neither tag pair, comment nor movetext stands between games",
    what: "Behind a game termination marker, or before the first tag section, stands text that is no comment, no escape \
           line and no movetext; or lines of a mail header stand in the midst of the movetext. Blank lines, comments and lines that begin with % are spared.",
    why: "Readers skip such text, take it for moves, or begin a game in the midst of it; which one, each decides for \
           itself.",
    fix: "Remove the text, or make it a comment.",
    source: "PGN standard 8 and 6",
    fires: &[Sample::Pgn(concat!(
        game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
        "\n⟦Games of the second week⟧\n\n",
        game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")
    ))],
    silent: &[Sample::Pgn(concat!(
        game!("First", "1-0", "1. e4 e5 2. Nf3 1-0 {Games of the second week}"),
        "\n",
        game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")
    ))],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind != SyntaxFaultKind::StrayText {
        return;
    }
    let text = shown(facts.place.of(facts.text));
    findings.add(&RULE, facts.place).message(format!("no tag pair, comment or movetext: {text}")).found(text);
}
