//! SYN06: braces in the wrong place.

use crate::rules::MAX_PATCHES;
use crate::rules::patches::without_token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN06"),
    name: "stray-brace",
    severity: Severity::Warning,
    summary: "A brace is in the wrong place",
    what: "There is a `}` outside a comment, or a `{` inside one. If the text around it shows what \
           was meant, the finding is at the brace that is missing, swapped or mistyped, and the \
           text is read as it was meant. A single `{` inside a comment is an info. Comments that \
           begin with `;` may contain braces.",
    why: "A comment was closed twice, or never opened. In the second case, its text may be read as \
           moves.",
    fix: "Remove the brace, or add `{` where the comment begins.",
    source: "PGN standard 5",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 ⟦}⟧ e5 *"),
        Sample::Moves("1. e4 {the king's ⟦{⟧ pawn} 1... e5 *"),
        Sample::Moves("1. e4 {the king's ⟦{⟧e4} pawn} 1... e5 *"),
        Sample::Moves("1. e4 ⟦the king's pawn}⟧ 1... e5 *"),
        Sample::Moves("1. e4 ⟦(⟧the king's pawn} 1... e5 *"),
        Sample::Moves("1. e4 ⟦}the king's pawn{⟧ 1... e5 *"),
        Sample::Moves("1. e4 (1. d4 d5⟦}⟧ 1... e5 *"),
        Sample::Moves("1. e4 (1. d4 d5⟦]⟧ 1... e5 *"),
        Sample::Moves("1. e4 ⟦the idea (e4) or 1-0}⟧ 1... e5 *"),
        Sample::Moves("1. e4 ⟦(⟧the idea (e4) or 1-0} 1... e5 *"),
    ],
    silent: &[Sample::Moves("1. e4 {the king's ( pawn} 1... e5 *"), Sample::Moves("1. e4 e5 ; } the open game {\n*")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let SyntaxFaultKind::Brace(fault) = facts.kind else { return };
    let found = shown(facts.place.of(facts.text));
    let (message, expected) = match fault {
        BraceFault::Stray => ("`}` closes a comment, but no comment is open".to_owned(), String::new()),
        BraceFault::Nested => {
            ("the comment contains `{`, but comments do not nest: it ends at the first `}`".to_owned(), String::new())
        }
        BraceFault::NestedComment => {
            ("a comment is nested in another one: readers end both at the first `}`".to_owned(), "(".to_owned())
        }
        BraceFault::MissingOpen => ("the comment has no opening brace".to_owned(), format!("{{{found}")),
        BraceFault::Swapped => {
            let remark = facts.place.of(facts.text);
            ("the braces of the comment are swapped".to_owned(), format!("{{{}}}", shown(&remark[1..remark.len() - 1])))
        }
        BraceFault::MeantOpeningBrace => (format!("the comment begins with `{found}` instead of `{{`"), "{".to_owned()),
        BraceFault::MeantClosingParenthesis => (format!("the variation ends with `{found}` instead of `)`"), ")".to_owned()),
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place).once_if_usual(message.as_str()).message(message).found(found);
    if fault == BraceFault::Nested {
        finding.severity(Severity::Info);
    }
    if !expected.is_empty() {
        finding.expected(expected);
    }
    for patch in patches(facts, fault) {
        finding.repair(Certainty::Likely, patch);
    }
}

/// Puts the braces right: removes one, adds one, or replaces them by parentheses.
fn patches(facts: &SyntaxFault<'_>, fault: BraceFault) -> Vec<Patch> {
    let (text, place) = (facts.text, facts.place);
    let replace = |at: usize, new: &str| Patch::replace(text, Span::new(at, at + 1), new);
    match fault {
        BraceFault::Stray | BraceFault::Nested => vec![without_token(text, place)],
        BraceFault::NestedComment => {
            let mut depth = 1;
            let mut patches = Vec::new();
            for at in memchr::memchr2_iter(b'{', b'}', &text[place.start..]).map(|at| place.start + at) {
                match text[at] {
                    b'{' => {
                        depth += 1;
                        patches.push(replace(at, "("));
                    }
                    _ if depth > 1 => {
                        depth -= 1;
                        patches.push(replace(at, ")"));
                    }
                    _ => return patches,
                }
                if patches.len() > MAX_PATCHES {
                    break;
                }
            }
            // Not all of them can be listed.
            Vec::new()
        }
        BraceFault::MissingOpen => vec![Patch::insert(place.start, *b"{")],
        BraceFault::Swapped => vec![replace(place.start, "{"), replace(place.end - 1, "}")],
        BraceFault::MeantOpeningBrace => vec![replace(place.start, "{")],
        BraceFault::MeantClosingParenthesis => vec![replace(place.start, ")")],
        _ => Vec::new(),
    }
}
