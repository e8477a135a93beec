//! Texts that end early.

use crate::{
    pgn::TagFault,
    rules::{
        Check, Condition, Findings, Rule, Sample, Severity, Yield,
        facts::{SyntaxFault, SyntaxFaultKind},
        shown,
    },
};

/// `SYN14`
pub static RULE: Rule = Rule {
    code: code!("SYN14"),
    name: "truncated-file",
    severity: Severity::Error,
    summary: "The text ends in the midst of a game",
    what: "The text ends inside a tag section, or before the termination marker of its last game. It is spared where other \
           games of the input lack their markers too: then the missing marker is a habit, not a cut. A text that ends in a \
           comment or variation is SYN05 or SYN07.",
    why: "The file was cut on its way: the last game is not whole, and games that followed are lost.",
    fix: "Get the file again from where it came, and compare sizes.",
    source: "PGN standard 8.1 and 8.2.6",
    yields: &[Yield::InRecord(code!("SYN05")), Yield::InRecord(code!("SYN07"))],
    fires: &[Sample::Pgn(concat!(
        game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
        "\n",
        game!("Second", "0-1", "1. d4 Nf6 2. c4⟦⟧")
    ))],
    silent: &[Sample::Pgn(concat!(
        game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
        "\n",
        game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")
    ))],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    match facts.kind {
        SyntaxFaultKind::Tag(TagFault::Truncated) => {
            let tag = shown(facts.place.of(facts.text));
            findings.add(&RULE, facts.place).found(tag).message("the text ends inside a tag pair");
        }
        SyntaxFaultKind::Truncated { inside } => {
            let message = format!("the text ends inside {inside}, before a game termination marker");
            findings.add(&RULE, facts.place).message(message).only_if(Condition::MarkersKept);
        }
        _ => {}
    }
}
