//! RES02: movetext or markers after the end of a game.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES02"),
    name: "extra-marker",
    severity: Severity::Warning,
    summary: "Movetext or another marker follows the termination marker",
    what: "After the termination marker, a second marker or more movetext follows before the next \
           tag section. If the game continues up to another marker, the first marker is reported and \
           the moves after it are read. Comments are not reported, and neither are further games \
           without tags.",
    why: "Many parsers read what follows as another game without tags, or drop it. Often two \
           sources were merged.",
    fix: "Find out where the game ends. Remove the wrong marker, or everything after the right \
           one.",
    source: "PGN standard 8.2.6",
    fires: &[Sample::Moves("1. e4 e5 1-0 ⟦1-0⟧"), Sample::Moves("1. e4 e5 * ⟦Nf3⟧ *")],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 {1-0} 1-0"), Sample::Moves("1. e4 e5 2. Nf3 (2. Bc4) *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind == SyntaxFaultKind::MarkerInside {
        let found = shown(facts.place.of(facts.text));
        let message = format!("the game continues after `{found}`, up to another termination marker");
        findings.add(&RULE, facts.place).once_if_usual("inside").found(found).message(message);
        return;
    }
    let SyntaxFaultKind::AfterMarker { marker, tokens } = facts.kind else { return };
    let what = if marker { "a second termination marker follows" } else { "movetext follows" };
    let count = if tokens > 1 { format!(" ({})", quantity(tokens, "token", "tokens")) } else { String::new() };
    findings
        .add(&RULE, facts.place)
        .once_if_usual(what)
        .found(shown(facts.place.of(facts.text)))
        .message(format!("{what} the marker that ended the game{count}"));
}
