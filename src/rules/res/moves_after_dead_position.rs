//! RES11: games that continue when neither side can checkmate.

use shakmaty::Position;

use super::{Finished, plies_follow, squares_of_end};
use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::Ending, main_line::place_of_ply};

pub static RULE: Rule = Rule {
    code: code!("RES11"),
    name: "moves-after-dead-position",
    severity: Severity::Info,
    summary: "The game continued when neither side had mating material",
    what: "Moves follow a position in which neither side had mating material. Apart from the \
           kings, such a position has no pieces, only one knight, or only bishops on squares of \
           one colour.",
    why: "The game was drawn as soon as that position arose. The moves after it were added later, \
           or were made by programs that do not know the rule.",
    fix: "Remove the moves that were not played.",
    source: "FIDE Laws 5.2.2",
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
    // Only a capture or a promotion leads to such a position.
    let quiet = facts.line.iter().rev().take_while(|played| played.is_none_or(|played| !played.is_zeroing())).count();
    if quiet == 0 {
        return;
    }
    let since = facts.line.len() - quiet;
    let message = format!("neither side has had mating material since ply {since}, but {}", plies_follow(quiet));
    let next = since as u32 + 1;
    let finding = findings.add(&RULE, place_of_ply(facts, next));
    finding.ply(next).message(message).squares(squares_of_end(facts, Finished::Dead));
}
