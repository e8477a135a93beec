//! SYN11: tokens that are split by whitespace.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

pub static RULE: Rule = Rule {
    code: code!("SYN11"),
    name: "split-token",
    severity: Severity::Warning,
    summary: "Whitespace splits a token",
    what: "Neighbouring tokens make sense only when they are joined: a move and its `#`, for \
           example, or the parts of `O - O` or `1 - 0`.",
    why: "Readers see two tokens, drop one or both, and play another move or none.",
    fix: "Remove the whitespace.",
    source: "PGN standard 7",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. ⟦O - O⟧ *"),
        Sample::Moves("1. f3 e5 2. g4 ⟦Qh4 #⟧ 0-1"),
        Sample::Pgn(game!("First", "1-0", "1. e4 e5 2. Nf3 ⟦1 - 0⟧")),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *"), Sample::Moves("1. f3 e5 2. g4 Qh4# $1 0-1")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::SplitToken { joined } = &facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place).message(format!("whitespace splits `{joined}`")).found(found);
    finding.expected(joined.as_str()).repair = Some(Repair::Likely);
}
