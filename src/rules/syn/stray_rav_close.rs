//! Parentheses out of place.

use crate::rules::{
    Check, Code, Family, Findings, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN08`
pub static RULE: Rule = Rule {
    code: Code::new(Family::Syn, 8),
    name: "stray-rav-close",
    severity: Severity::Error,
    summary: "A closing parenthesis stands where no variation is open",
    what: "A ) stands in the main line. Parentheses inside comments are text and do not count.",
    why: "Either a variation was closed twice, or the parenthesis that opens it is lost and its moves have been read as \
           moves of the game.",
    fix: "Remove the parenthesis, or open the variation where it begins.",
    source: "PGN standard 8.2.5",
    reachability: false,
    layout: false,
    yields: &[],
    fires: &[Sample::Moves("1. e4 ⟦)⟧ e5 *")],
    silent: &[Sample::Moves("1. e4 (1. d4 (1. c4)) 1... e5 *"), Sample::Moves("1. e4 {:)} 1... e5 *")],
    check: Check::Syntax(check),
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    if facts.kind != SyntaxFaultKind::StrayVariationClose {
        return;
    }
    findings.add(&RULE, facts.place).found(shown(facts.place.of(facts.text))).message("a variation is closed, and none is open");
}
