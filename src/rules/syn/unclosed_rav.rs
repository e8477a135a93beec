//! Variations that never end.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity, Yield,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN07`
pub static RULE: Rule = Rule {
    code: code!("SYN07"),
    name: "unclosed-rav",
    severity: Severity::Error,
    summary: "A variation is never closed",
    what: "The game ends while a ( has no ) to close it. Parentheses inside comments are text and do not count.",
    why: "The moves that follow are read as part of the variation: the game is cut short, or rejected.",
    fix: "Close the variation behind its last move.",
    source: "PGN standard 8.2.5",
    yields: &[Yield::InRecord(code!("SYN05"))],
    fires: &[Sample::Moves("1. e4 ⟦(⟧1. d4 d5 *")],
    silent: &[Sample::Moves("1. e4 (1. d4 d5) *"), Sample::Moves("1. e4 {(} *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind != SyntaxFaultKind::UnclosedVariation {
        return;
    }
    findings
        .add(&RULE, facts.place)
        .found(shown(facts.place.of(facts.text)))
        .message("the variation that opens here is never closed");
}
