//! Variations that are none.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity, Yield,
    facts::{RavFault, SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN09`
pub static RULE: Rule = Rule {
    code: code!("SYN09"),
    name: "bad-rav",
    severity: Severity::Warning,
    summary: "A variation has no move, replaces none, or holds a game termination marker",
    what: "Between ( and ) stands no move at all, or the ( stands before the first move of its line, so that there is none \
           to replace, or a game termination marker other than * stands inside. A * inside is an info.",
    why: "Readers drop the variation without a word, or end the game at the marker.",
    fix: "Make a remark a comment; put the variation behind the move that it replaces; remove the marker.",
    source: "PGN standard 8.2.5",
    yields: &[Yield::InRecord(code!("SYN07"))],
    fires: &[
        Sample::Moves("1. e4 ⟦()⟧ 1... e5 *"),
        Sample::Moves("⟦(⟧1. d4) 1. e4 e5 *"),
        Sample::Moves("1. e4 (1. d4 d5 ⟦1-0⟧) 1... e5 *"),
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
        RavFault::Empty => finding.message("the variation has no move"),
        RavFault::ReplacesNothing => finding.message("the variation stands before the first move, and replaces none"),
        RavFault::Marker => {
            if found == "*" {
                finding.severity(Severity::Info);
            }
            finding.message(format!("{found} stands inside a variation: only the game ends with a termination marker"))
        }
    };
    finding.found(found);
}
