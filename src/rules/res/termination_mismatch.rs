//! RES13: Termination tags that contradict the result or the board.

use shakmaty::Bitboard;

use super::{Finished, Stated, outcome_if, squares_of_end};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES13"),
    name: "termination-mismatch",
    severity: Severity::Warning,
    summary: "The Termination tag contradicts the result or the final position",
    what: "The Termination tag is `unterminated`, but a result is recorded. Or it is `normal`, \
           but no result is recorded. Or it is `time forfeit` or `abandoned`, but the last move \
           gives checkmate.",
    why: "Often a program filled in the tag from a template.",
    fix: "Compare with another source, and correct the Termination tag or the result.",
    source: "PGN standard 9.8.1",
    yields: &in_record([code!("RES04"), code!("RES05"), code!("RES07")]),
    fires: &[
        Sample::Tags("[Result \"1-0\"]\n[Termination \"⟦unterminated⟧\"]"),
        Sample::Tags("[Termination \"⟦Normal⟧\"]"),
        Sample::Game { tags: "[Termination \"⟦Time forfeit⟧\"]", moves: "1. f3 e5 2. g4 Qh4# 0-1" },
    ],
    silent: &[
        Sample::Tags("[Result \"1-0\"]\n[Termination \"normal\"]"),
        Sample::Tags("[Result \"0-1\"]\n[Termination \"time forfeit\"]"),
        Sample::Tags("[Termination \"unterminated\"]"),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(pair) = facts.tags.pair(KnownTag::Termination) else { return };
    let value = pair.value.of(facts.text);
    let is = |word: &str| value.eq_ignore_ascii_case(word.as_bytes());
    let stated = Stated::of(facts);
    let has_result = || stated.each().any(|(_, kind)| kind.outcome().is_some_and(|outcome| outcome.is_known()));
    let is_open = || stated.each().next().is_some() && !has_result();
    let (contradiction, squares) = if is("unterminated") && has_result() {
        ("a result is recorded", Bitboard::EMPTY)
    } else if is("normal") && is_open() {
        ("no result is recorded", Bitboard::EMPTY)
    } else if (is("time forfeit") || is("abandoned")) && outcome_if(facts, Finished::Mate).is_some() {
        ("the last move gives checkmate", squares_of_end(facts, Finished::Mate))
    } else {
        return;
    };
    let found = shown(value);
    let message = format!("the Termination tag is `{found}`, but {contradiction}");
    findings.add(&RULE, pair.value).found(found).message(message).squares(squares);
}
