//! NUM04: moves without the number that export format requires.

use shakmaty::Color;

use crate::chess::WrittenSan;
use crate::pgn::Token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NUM04"),
    name: "number-missing",
    severity: Severity::Info,
    summary: "A move number required by export format is missing",
    what: "Export format has a number before every move of White. It also has one before a move of \
           Black that starts the game or a variation, or follows a comment or a variation. \
           Reported once per game, at the first move without its number. Games with errors or \
           unreadable moves are not checked.",
    why: "Export format has exactly one spelling for each game. Readers themselves do not need the \
          numbers.",
    fix: "Export the game again in PGN export format.",
    source: "PGN standard 8.2.2.2",
    layout: true,
    fires: &[
        Sample::Moves("1. e4 e5 ⟦Nf3⟧ *"),
        Sample::Moves("1. e4 {best by test} ⟦e5⟧ *"),
        Sample::Moves("1. e4 (1. d4 d5) ⟦e5⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 $1 e5 (1... c5 2. Nf3) 2. Nf3 {c} 2... Nc6 *")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    if findings.all().iter().any(|finding| finding.severity == Severity::Error) {
        return;
    }
    // Who is to move, whether a move of Black needs a number, and whether a number was read.
    let (mut turn, mut interrupted, mut numbered) = (facts.turn, true, false);
    let mut outer_turns = Vec::new();
    for (token, place) in facts.tokens() {
        match token {
            Token::Number { dots: 1.., .. } => numbered = true,
            Token::Comment | Token::UnclosedComment => interrupted = true,
            Token::Open => {
                outer_turns.push(turn);
                (turn, interrupted, numbered) = (!turn, true, false);
            }
            Token::Close => {
                turn = outer_turns.pop().unwrap_or(turn);
                (interrupted, numbered) = (true, false);
            }
            Token::Word => {
                let word = place.of(facts.text);
                if WrittenSan::read(word).is_none() {
                    return;
                }
                if !numbered && (turn == Color::White || interrupted) {
                    let required = match turn {
                        Color::White => "before every move of White",
                        Color::Black => "before a move of Black that starts a line or follows a comment or a variation",
                    };
                    let word = shown(word);
                    let message = format!("{word} has no move number: export format has one {required}");
                    findings.add(&RULE, place).once_if_usual(required).message(message).found(word);
                    return;
                }
                (turn, interrupted, numbered) = (!turn, false, false);
            }
            _ => {}
        }
    }
}
