//! Braces out of place.

use crate::rules::{
    Check, Code, Family, Findings, Rule, Sample, Severity,
    facts::{SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN06`
pub static RULE: Rule = Rule {
    code: Code::new(Family::Syn, 6),
    name: "stray-brace",
    severity: Severity::Warning,
    summary: "A closing brace stands outside a comment",
    what: "A } stands where no comment is open. A { inside a comment is an info of this rule: braces do not nest, so that \
           the comment ends at the first }. Braces in a comment that runs to the end of its line are spared.",
    why: "The brace shows that a comment was closed twice or never opened; in the latter case text has been read as moves.",
    fix: "Remove the brace, or open the comment where it begins.",
    source: "PGN standard 5",
    reachability: false,
    layout: false,
    yields: &[],
    fires: &[Sample::Moves("1. e4 ⟦}⟧ e5 *"), Sample::Moves("1. e4 {the king's ⟦{⟧ pawn} 1... e5 *")],
    silent: &[Sample::Moves("1. e4 {the king's ( pawn} 1... e5 *"), Sample::Moves("1. e4 e5 ; } the open game {\n*")],
    check: Check::Syntax(check),
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let nested = match facts.kind {
        SyntaxFaultKind::StrayBrace => false,
        SyntaxFaultKind::NestedBrace => true,
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place).found(shown(facts.place.of(facts.text)));
    if nested {
        finding.severity(Severity::Info).message("a brace opens inside a comment; the comment ends at the first closing brace");
    } else {
        finding.message("a brace closes, and no comment is open");
    }
}
