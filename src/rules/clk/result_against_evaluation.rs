//! CLK14: results that the last evaluation contradicts.

use shakmaty::Position;

use crate::rules::main_line::{ended_off_board, locate, shown_value, winner};
use crate::rules::prelude::*;

/// From this many hundredths of a pawn on, the other side is expected to win.
const WINNING: i64 = 1000;

pub static RULE: Rule = Rule {
    code: code!("CLK14"),
    name: "result-against-evaluation",
    severity: Severity::Info,
    summary: "The last evaluation contradicts the result",
    what: "A side won, but the last evaluation is a mate or more than 10 pawns for the other \
           side. If two engines evaluate in turn, both must agree. Draws are not checked, and \
           neither are games that ended on time, by a lost connection or by an illegal move.",
    why: "The result, the last moves or the evaluations are wrong, unless a player gave up a won game.",
    fix: "Compare the result with the source.",
    source: "Known issues of the Lichess database: results of 12 March 2021",
    yields: &in_record([code!("CLK07"), code!("CLK10"), code!("CLK11"), code!("CLK12"), code!("CLK13"), code!("RES05")]),
    fires: &[
        Sample::Moves("1. e4 {[%eval 0.30]} e5 {⟦[%eval -12.00]⟧} 1-0"),
        Sample::Moves("1. e4 {[%eval 0.30]} e5 {⟦[%eval #7]⟧} 0-1"),
        Sample::Moves("1. e4 {+10.50/9 0.5s} e5 {⟦-11.20/9 0.5s⟧} 0-1"),
        Sample::Moves("1. e4 {d=9, wv=10.50,} e5 {⟦d=9, wv=11.20,⟧} 0-1"),
    ],
    silent: &[
        Sample::Moves("1. e4 {[%eval 0.30]} e5 {[%eval -9.90]} 1-0"),
        Sample::Moves("1. e4 {[%eval 0.30]} e5 {[%eval -12.00]} 1/2-1/2"),
        Sample::Moves("1. e4 {[%eval -12.00]} e5 1-0"),
        Sample::Moves("1. e4 {[%eval 0.30]} e5 {[%eval -12.00]} {White wins on time} 1-0"),
        Sample::Game { tags: "[Termination \"Time forfeit\"]", moves: "1. e4 {[%eval -12.00]} 1-0" },
        Sample::Moves("1. e4 {-10.50/9 0.5s} e5 {+11.20/9 0.5s} 0-1"),
        // The winner does not know that it is winning.
        Sample::Moves("1. e4 {-10.50/9 0.5s} e5 {-11.20/9 0.5s} 0-1"),
    ],
    check: Check::Ending(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

/// The last evaluation must follow the last move, or the move before checkmate.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let (Some(position), Some(winner)) = (facts.position, winner(facts)) else { return };
    let all = facts.annotations.evaluations;
    let Some(last) = all.last() else { return };
    let is_against = |reading: &EvaluationReading| winner.fold_wb(-1, 1) * reading.value.within(WINNING + 1) > WINNING;
    let is_last = last.ply == facts.plies || (last.ply + 1 == facts.plies && position.is_checkmate());
    if !is_against(last) || !is_last || ended_off_board(facts) {
        return;
    }
    if last.by == Evaluator::Player
        && !all.iter().rev().any(|reading| reading.ply + 1 == last.ply && reading.by == last.by && is_against(reading))
    {
        return;
    }
    let value = shown_value(last.value);
    let message = format!("{} won, but the last evaluation is `{value}` from White's point of view", color_name(winner));
    let finding = findings.add(&RULE, last.place).found(value).message(message);
    locate(finding, facts, last.ply);
}
