//! SYN05: comments that are not closed.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{BraceFault, SyntaxFault, SyntaxFaultKind},
    shown,
};

pub static RULE: Rule = Rule {
    code: code!("SYN05"),
    name: "unclosed-comment",
    severity: Severity::Error,
    summary: "A brace comment is not closed",
    what: "A `{` has no matching `}`, or the header of another game comes before the first `}`. \
           Comments do not nest: a comment ends at its first `}`. A comment that quotes a game \
           header and is then closed is allowed.",
    why: "The rest of the game is lost. Most readers also lose all games up to the next closing \
           brace.",
    fix: "Add `}` where the comment ends.",
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
    let not_closed = |consequence: &str| (line(), format!("the comment is not closed; {consequence}"), "");
    let (found, message, expected) = match facts.kind {
        SyntaxFaultKind::UnclosedComment { at_header: true } => not_closed("reading continues at the header of the next game"),
        SyntaxFaultKind::UnclosedComment { at_header: false } => not_closed("the rest of the text is lost in it"),
        SyntaxFaultKind::Brace(BraceFault::Unclosed) => not_closed("the moves in it were read as moves of the game"),
        SyntaxFaultKind::Brace(BraceFault::MeantBrace) => {
            (found(), format!("the comment ends with `{}` instead of `}}`", found()), "}")
        }
        SyntaxFaultKind::Brace(BraceFault::MeantParenthesis) => {
            (found(), "the variation begins with `{` instead of `(`".to_owned(), "(")
        }
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place).found(found).message(message);
    if !expected.is_empty() {
        finding.expected(expected).repair = Some(Repair::Likely);
    }
}
