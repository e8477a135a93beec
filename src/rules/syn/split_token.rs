//! Tokens with white space inside.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN11`
pub static RULE: Rule = Rule {
    code: code!("SYN11"),
    name: "split-token",
    severity: Severity::Warning,
    summary: "White space stands inside a token",
    what: "Neighbouring tokens mean something only when they are put together, such as a move and its check mark, the parts \
           of castling or of a termination marker.",
    why: "Readers see two tokens, drop one or both, and play another move or none.",
    fix: "Remove the white space.",
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
    let written = shown(facts.place.of(facts.text));
    let finding =
        findings.add(&RULE, facts.place).message(format!("{written} is {joined} with white space inside")).found(written);
    finding.expected(joined.as_str()).repair = Some(Repair::Likely);
}
