//! SYN07: variations that are not closed.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity, Yield,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

pub static RULE: Rule = Rule {
    code: code!("SYN07"),
    name: "unclosed-rav",
    severity: Severity::Error,
    summary: "A variation is not closed",
    what: "The game ends, but a `(` has no matching `)`. Parentheses inside comments do not count.",
    why: "The moves after the variation are read as part of it. The game is cut short or rejected.",
    fix: "Add `)` after the last move of the variation.",
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
        .message("the variation that begins here is not closed");
}
