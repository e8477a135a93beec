//! MOV14: mate marks on moves that are not checkmate.

use shakmaty::Position;

use super::{misspelled, mover, target};
use crate::chess::{CheckMark, san_of};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV14"),
    name: "mate-mark-false",
    severity: Severity::Warning,
    summary: "The move is marked as checkmate but is not",
    what: "The move has `#` or the word mate, but the opponent has a legal move or is stalemated. \
           If one of the next two moves cannot be played, the finding about that move mentions the \
           `#` instead.",
    why: "The person who wrote the mark saw a checkmate. Often another move was played, or an earlier \
          move is missing.",
    fix: "Compare with another source. If the move is right, write `+` for check, or remove the \
          mark.",
    source: "PGN standard 8.2.3.5; FIDE Laws 5.1.1",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves("1. e4 d5 2. ⟦Bb5#⟧ *"), Sample::Moves("1. ⟦e4#⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. Bb5+ *"), Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if facts.written.mark != CheckMark::Mate || facts.mates() {
        return;
    }
    let answer = facts.after.legal_moves().first().map(|&answer| san_of(facts.after, answer));
    let message = match answer {
        // Perhaps by another piece.
        Some(answer) if facts.checkers().any() => {
            format!("the move is marked as checkmate, but it gives only check: {answer} is legal")
        }
        Some(_) => format!("the move is marked as checkmate, but {} does not even give check", mover(played)),
        None => format!("the move is marked as checkmate, but {} gives stalemate", mover(played)),
    };
    misspelled(&RULE, facts, findings).once_if_usual("").message(message).squares(target(played));
}
