//! SYN07: variations that are not closed.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN07"),
    name: "unclosed-rav",
    severity: Severity::Error,
    summary: "A variation is not closed",
    what: "The game ends, but a `(` has no matching `)`. Parentheses inside comments do not count.",
    why: "The moves after the variation are read as part of it. The game is cut short or rejected.",
    fix: "Add `)` after the last move of the variation.",
    source: "PGN standard 8.2.5",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("SYN05")]),
    fires: &[Sample::Moves("1. e4 ⟦(⟧1. d4 d5 *"), Sample::Moves("1. e4 ⟦(⟧1. d4 d5 2. c4 1... e5 2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 (1. d4 d5) *"), Sample::Moves("1. e4 {(} *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::UnclosedVariation { end } = facts.kind else { return };
    let finding = findings.add(&RULE, facts.place).once_if_usual("").found(shown(facts.place.of(facts.text)));
    finding.message("the variation that begins here is not closed");
    if let Some((end, count)) = end {
        finding.repair(Certainty::Likely, Patch::insert(end, ")".repeat(count)));
    }
}
