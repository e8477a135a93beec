//! SYN01: text that is not PGN.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN01"),
    name: "stray-text",
    severity: Severity::Warning,
    summary: "The file contains text that is not PGN",
    what: "There is text before the movetext of a game, or after its termination marker, that is \
           not a tag pair, comment, escape line or movetext. Mail headers in the middle of the \
           movetext are reported as well. If nearly all records have such text, such as a title line, \
           it is reported once. Blank lines and lines that begin with `%` are allowed.",
    why: "Some readers skip such text. Others read it as moves or start a game in the middle of \
           it.",
    fix: "Remove the text, or turn it into a comment.",
    source: "PGN standard 6, 8",
    fires: &[
        Sample::Pgn(concat!(
            game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
            "\n⟦Games of the second week⟧\n\n",
            game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")
        )),
        // A paragraph is one finding.
        Sample::Pgn(concat!(
            game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
            "\n⟦In the next game White again played⟧\ne4, and after\n2. Nf3 the game was equal.\n\n",
            game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")
        )),
    ],
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
    let finding = findings.add(&RULE, facts.place).once_if_usual("");
    finding.message(format!("`{text}` is not a tag pair, comment or movetext")).found(text);
}
