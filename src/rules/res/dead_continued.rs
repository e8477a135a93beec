//! RES11: games that go on when neither side can mate.

use shakmaty::Position;

use super::place_of_ply;
use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::Ending};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES11"),
    name: "dead-continued",
    severity: Severity::Info,
    summary: "Moves follow a position in which neither side has the material to mate",
    what: "Two kings alone, or with one knight, or with bishops that all stand on squares of one colour, and moves are still made.",
    why: "The game was drawn as soon as that position stood on the board; moves behind it were added, or made by programs that do not know the rule.",
    fix: "Take the moves out, or leave them.",
    source: "Laws of Chess 5.2.2",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
         [FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 ⟦Ke4⟧ 2. Kd2 Kd4 1/2-1/2\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
         [FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 1/2-1/2\n",
    )],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if !facts.position.is_some_and(|position| position.is_insufficient_material()) {
        return;
    }
    // Only a capture or a promotion can have led there.
    let quiet = facts.line.iter().rev().take_while(|played| played.is_none_or(|played| !played.is_zeroing())).count();
    if quiet == 0 {
        return;
    }
    let more = if quiet == 1 { "1 ply follows".to_owned() } else { format!("{quiet} plies follow") };
    let since = facts.line.len() - quiet;
    let message = format!("neither side has had the material to mate since ply {since}, and {more}");
    let next = since as u32 + 1;
    findings.add(&RULE, place_of_ply(facts, next)).ply(next).message(message);
}
