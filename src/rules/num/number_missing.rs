//! NUM04: moves without the number that PGN export format puts before them.

use shakmaty::Color;

use crate::{
    chess::WrittenSan,
    pgn::Token,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Layout, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("NUM04"),
    name: "number-missing",
    severity: Severity::Info,
    summary: "A move number indication is missing where PGN export format has one",
    what: "A number stands before every move of White, and before a move of Black that begins the game or a variation or follows a comment or a variation. \
           One finding for each game, at the first move without its number; games in which a token cannot be read are spared.",
    why: "PGN export format has one spelling for each game; readers themselves need no numbers.",
    fix: "Write the game anew in PGN export format.",
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
    // Who is to move, and whether Black's number is needed; in the variations around as well.
    let (mut turn, mut interrupted, mut numbered) = (facts.turn, true, false);
    let mut around = Vec::new();
    for (token, place) in facts.tokens() {
        match token {
            Token::Number { dots: 1.., .. } => numbered = true,
            Token::Comment | Token::UnclosedComment => interrupted = true,
            Token::Open => {
                around.push(turn);
                (turn, interrupted, numbered) = (!turn, true, false);
            }
            Token::Close => {
                turn = around.pop().unwrap_or(turn);
                (interrupted, numbered) = (true, false);
            }
            Token::Word => {
                let word = place.of(facts.text);
                if WrittenSan::read(word).is_none() {
                    return;
                }
                if !numbered && (turn == Color::White || interrupted) {
                    let whose = match turn {
                        Color::White => "before every move of White",
                        Color::Black => "before a move of Black that opens a line or follows a comment or a variation",
                    };
                    let word = shown(word);
                    let message = format!("no number stands before {word}; PGN export format has one {whose}");
                    findings.add(&RULE, place).message(message).found(word);
                    return;
                }
                (turn, interrupted, numbered) = (!turn, false, false);
            }
            _ => {}
        }
    }
}
