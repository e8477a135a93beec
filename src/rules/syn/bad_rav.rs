//! SYN09: variations that are empty, misplaced or contain a termination marker.

use crate::pgn::{Lexer, Token};
use crate::rules::patches::{as_comment, without_token};
use crate::rules::prelude::*;

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
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("SYN07")]),
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
        RavFault::Empty => finding.message("the variation contains no move").once_if_usual("empty"),
        RavFault::ReplacesNothing => {
            finding.message("the variation comes before the first move, so it replaces nothing").once_if_usual("first")
        }
        RavFault::Marker => {
            if found == "*" {
                finding.severity(Severity::Info);
            }
            finding.once_if_usual("marker");
            finding.message(format!("`{found}` is inside a variation, but only games end with a termination marker"))
        }
    };
    finding.found(found);
    for patch in patches(facts.text, facts.place, fault).unwrap_or_default() {
        finding.repair(Certainty::Likely, patch);
    }
}

/// Removes a marker or an empty variation, and makes a variation that replaces nothing a comment.
fn patches(text: &[u8], place: Span, fault: RavFault) -> Option<Vec<Patch>> {
    match fault {
        RavFault::Marker => Some(vec![without_token(text, place)]),
        RavFault::Empty => {
            let inside = Span::new(place.start + 1, place.end.checked_sub(1)?);
            if inside.of(text).trim_ascii().is_empty() {
                return Some(vec![without_token(text, place)]);
            }
            // Comments stay.
            let mut lexer = Lexer::new(&text[..inside.end], inside.start);
            loop {
                match lexer.next() {
                    Token::Comment => {}
                    Token::End => break,
                    _ => return None,
                }
            }
            let parentheses = [Span::new(place.start, inside.start), Span::new(inside.end, place.end)];
            Some(parentheses.map(|parenthesis| Patch::remove(text, parenthesis)).to_vec())
        }
        RavFault::ReplacesNothing => as_comment(text, place),
    }
}
