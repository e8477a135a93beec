//! SYN09: variations that are empty, misplaced or contain a termination marker.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity, Yield,
    facts::{RavFault, SyntaxFault, SyntaxFaultKind},
    shown,
};

pub static RULE: Rule = Rule {
    code: code!("SYN09"),
    name: "bad-rav",
    severity: Severity::Warning,
    summary: "A variation is empty, misplaced or contains a termination marker",
    what: "A variation contains no move, comes before the first move of its line, or contains a \
           game termination marker. The marker `*` inside a variation is an info.",
    why: "Some readers silently drop the variation. Others end the game at the marker.",
    fix: "Put the variation after the move that it replaces, or turn it into a comment. Remove the \
           marker.",
    source: "PGN standard 8.2.5",
    yields: &[Yield::InRecord(code!("SYN07"))],
    fires: &[
        Sample::Moves("1. e4 ⟦()⟧ 1... e5 *"),
        Sample::Moves("⟦(⟧1. d4) 1. e4 e5 *"),
        Sample::Moves("1. e4 (1. d4 d5 ⟦1-0⟧) 1... e5 *"),
        Sample::Moves("1. e4 (1. d4 d5 ⟦1-0⟧ (1... Nf6) 2. c4) 1... e5 2. Nf3 *"),
    ],
    silent: &[Sample::Moves("1. e4 (1. d4 d5) (1. c4) 1... e5 *"), Sample::Moves("1. e4 (1. d4 {1-0}) 1... e5 *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::BadVariation(fault) = facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place);
    match fault {
        RavFault::Empty => finding.message("the variation contains no move"),
        RavFault::ReplacesNothing => finding.message("the variation comes before the first move, so it replaces nothing"),
        RavFault::Marker => {
            if found == "*" {
                finding.severity(Severity::Info);
            }
            finding.message(format!("`{found}` is inside a variation, but only games end with a termination marker"))
        }
    };
    finding.found(found);
}
