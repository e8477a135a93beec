//! Braces out of place.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{BraceFault, SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN06`
pub static RULE: Rule = Rule {
    code: code!("SYN06"),
    name: "stray-brace",
    severity: Severity::Warning,
    summary: "A closing brace stands outside a comment",
    what: "A } stands where no comment is open; where what stands around it tells more, the finding is at the brace that \
           is missing, swapped or typed as another bracket, and the text is read as the comment or variation that was \
           meant. So is a comment inside a comment. A { alone inside a comment is an info: braces do not nest, so that \
           the comment ends at the first }. Braces in a comment that runs to the end of its line are spared.",
    why: "The brace shows that a comment was closed twice or never opened; in the latter case text has been read as moves.",
    fix: "Remove the brace, or open the comment where it begins.",
    source: "PGN standard 5",
    fires: &[
        Sample::Moves("1. e4 ⟦}⟧ e5 *"),
        Sample::Moves("1. e4 {the king's ⟦{⟧ pawn} 1... e5 *"),
        Sample::Moves("1. e4 {the king's ⟦{⟧e4} pawn} 1... e5 *"),
        Sample::Moves("1. e4 ⟦the king's pawn}⟧ 1... e5 *"),
        Sample::Moves("1. e4 ⟦(⟧the king's pawn} 1... e5 *"),
        Sample::Moves("1. e4 ⟦}the king's pawn{⟧ 1... e5 *"),
        Sample::Moves("1. e4 (1. d4 d5⟦}⟧ 1... e5 *"),
    ],
    silent: &[Sample::Moves("1. e4 {the king's ( pawn} 1... e5 *"), Sample::Moves("1. e4 e5 ; } the open game {\n*")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::Brace(fault) = facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let (message, expected) = match fault {
        BraceFault::Stray => ("a brace closes, and no comment is open", String::new()),
        BraceFault::Nested => ("a brace opens inside a comment; the comment ends at the first closing brace", String::new()),
        BraceFault::NestedComment => {
            ("a comment stands inside a comment: readers end both at the first closing brace", "(".to_owned())
        }
        BraceFault::MissingOpen => ("the comment has no opening brace", format!("{{{found}")),
        BraceFault::Swapped => {
            let remark = facts.place.of(facts.text);
            ("the braces of the comment are swapped", format!("{{{}}}", shown(&remark[1..remark.len() - 1])))
        }
        BraceFault::MeantOpeningBrace => ("a brace closes the comment that this bracket opens", "{".to_owned()),
        BraceFault::MeantClosingParenthesis => ("the brace stands where a variation ends", ")".to_owned()),
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place).message(message).found(found);
    if fault == BraceFault::Nested {
        finding.severity(Severity::Info);
    }
    if !expected.is_empty() {
        finding.expected(expected).repair = Some(Repair::Likely);
    }
}
