//! Parentheses out of place.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN08`
pub static RULE: Rule = Rule {
    code: code!("SYN08"),
    name: "stray-rav-close",
    severity: Severity::Error,
    summary: "A closing parenthesis stands where no variation is open",
    what: "A ) stands in the main line; where a number and moves before it are those of a variation, the finding is where its \
           ( is missing, and the variation is read as one. Parentheses inside comments are text and do not count.",
    why: "Either a variation was closed twice, or the parenthesis that opens it is lost and its moves have been read as \
           moves of the game.",
    fix: "Remove the parenthesis, or open the variation where it begins.",
    source: "PGN standard 8.2.5",
    fires: &[Sample::Moves("1. e4 ⟦)⟧ e5 *"), Sample::Moves("1. e4 e5 ⟦1...⟧ c5 2. Nf3) 2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 (1. d4 (1. c4)) 1... e5 *"), Sample::Moves("1. e4 {:)} 1... e5 *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let found = || shown(facts.place.of(facts.text));
    match facts.kind {
        SyntaxFaultKind::StrayVariationClose => {
            findings.add(&RULE, facts.place).found(found()).message("a variation is closed, and none is open");
        }
        SyntaxFaultKind::MissingVariationOpen => {
            let finding = findings.add(&RULE, facts.place).found(found()).expected(format!("({}", found()));
            finding.message("a variation begins here without its parenthesis, and is closed further on").repair =
                Some(Repair::Likely);
        }
        SyntaxFaultKind::NumberParenthesis => {
            findings
                .add(&RULE, facts.place)
                .severity(Severity::Warning)
                .found(found())
                .expected(".")
                .message("the move number ends with a parenthesis instead of a period")
                .once_per_input()
                .repair = Some(Repair::Likely);
        }
        _ => {}
    }
}
