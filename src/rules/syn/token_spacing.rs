//! SYN11: tokens that are split by whitespace or lack it.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN11"),
    name: "token-spacing",
    severity: Severity::Warning,
    summary: "Whitespace splits a token, or is missing between two tokens",
    what: "Neighbouring tokens make sense only when they are joined: a move and its `#`, for \
           example, or the parts of `O - O` or `1 - 0`. Or a token makes sense only as two: a move \
           with the next number (`d62.`) or with the termination marker (`Bd70-1`). A game has at \
           most one finding about missing spaces. Its repair adds all of them.",
    why: "Readers find other tokens, drop one or both, and play another move or none.",
    fix: "Remove or add the whitespace.",
    source: "PGN standard 7",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. ⟦O - O⟧ *"),
        Sample::Moves("1. f3 e5 2. g4 ⟦Qh4 #⟧ 0-1"),
        Sample::Moves("1. f3 e5 2. g4 ⟦Qh4\n#⟧ 0-1"),
        Sample::Pgn(game!("First", "1-0", "1. e4 e5 2. Nf3 ⟦1 - 0⟧")),
        Sample::Moves("1. e4 ⟦d62.⟧ Nf3 Nf63. Nc3 *"),
        Sample::Pgn(game!("First", "0-1", "1. e4 e5 2. Nf3 ⟦Nc60-1⟧")),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *"), Sample::Moves("1. f3 e5 2. g4 Qh4# $1 0-1")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if let SyntaxFaultKind::GluedTokens { parts } = &facts.kind {
        let found = shown(facts.place.of(facts.text));
        let finding = findings.add(&RULE, facts.place).once_if_usual("missing").expected(parts.as_str());
        finding.message(format!("no space in `{found}`; further missing spaces in this game are not listed")).found(found);
        return;
    }
    let SyntaxFaultKind::SplitToken { joined } = &facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let finding =
        findings.add(&RULE, facts.place).once_if_usual("split").message(format!("whitespace splits `{joined}`")).found(found);
    finding.expected(joined.as_str());
}
