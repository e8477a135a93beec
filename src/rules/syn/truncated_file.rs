//! SYN14: texts that end too early.

use crate::pgn::TagFault;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN14"),
    name: "truncated-file",
    severity: Severity::Error,
    summary: "The text ends in the middle of a game",
    what: "The text ends inside a tag pair or a token. A text that ends inside a comment or \
           variation is SYN05 or SYN07. A game that is complete but lacks its termination marker is \
           RES01.",
    why: "The file was cut off. The last game is incomplete, and games after it are lost.",
    fix: "Download or export the file again, and compare the sizes.",
    source: "PGN standard 8.1, 8.2.6",
    yields: &in_record([code!("SYN05"), code!("SYN07")]),
    fires: &[Sample::Pgn(concat!(
        game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
        "\n",
        "[Event \"Second\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\n1. d4 Nf6 2. ⟦Nb⟧"
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
        SyntaxFaultKind::Truncated => {
            let token = shown(facts.place.of(facts.text));
            findings.add(&RULE, facts.place).message(format!("the text ends inside the token `{token}`")).found(token);
        }
        _ => {}
    }
}
