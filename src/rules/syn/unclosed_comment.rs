//! Comments that never end.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{BraceFault, SyntaxFault, SyntaxFaultKind},
    shown,
};

/// `SYN05`
pub static RULE: Rule = Rule {
    code: code!("SYN05"),
    name: "unclosed-comment",
    severity: Severity::Error,
    summary: "A brace comment is never closed",
    what: "A { is followed by no }, or by the header of another game before any } that could close it. Braces do not nest, \
           so that the first } closes a comment. A comment that quotes a header and is then closed is spared.",
    why: "Whatever stands behind the brace is lost: the rest of the game, and in most readers every game up to the next \
           closing brace.",
    fix: "Close the comment where it ends.",
    source: "PGN standard 5",
    fires: &[
        Sample::Moves("1. e4 e5 ⟦{⟧ the open game 2. Nf3 *"),
        Sample::Pgn(concat!(
            game!("First", "1-0", "1. e4 e5 2. Nf3 ⟦{⟧ the open game 1-0"),
            "\n",
            game!("Second", "0-1", "1. d4 Nf6 2. c4 {a fair move} 0-1")
        )),
    ],
    silent: &[Sample::Moves("1. e4 e5 { the open game } 2. Nf3 *"), Sample::Moves("1. e4 e5 ; { the open game\n2. Nf3 *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let line = || {
        let rest = facts.text.get(facts.place.start..).unwrap_or_default();
        shown(rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default())
    };
    let found = || shown(facts.place.of(facts.text));
    let (found, message, expected) = match facts.kind {
        SyntaxFaultKind::UnclosedComment { at_header: true } => {
            (line(), "the comment is never closed; reading goes on at the next game's header", "")
        }
        SyntaxFaultKind::UnclosedComment { at_header: false } => {
            (line(), "the comment is never closed; everything up to the end of the text is lost in it", "")
        }
        SyntaxFaultKind::Brace(BraceFault::Unclosed) => {
            (line(), "the comment is not closed, and moves of the game stand in it; they were read as such", "")
        }
        SyntaxFaultKind::Brace(BraceFault::MeantBrace) => (found(), "the bracket stands where a comment ends", "}"),
        SyntaxFaultKind::Brace(BraceFault::MeantParenthesis) => (found(), "the brace stands where a variation begins", "("),
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place).found(found).message(message);
    if !expected.is_empty() {
        finding.expected(expected).repair = Some(Repair::Likely);
    }
}
