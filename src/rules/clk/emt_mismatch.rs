//! CLK04: times used that the clocks do not bear out.

use super::{TOLERANCE, time};
use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{ClockFacts, ClockQuestion},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("CLK04"),
    name: "emt-mismatch",
    severity: Severity::Info,
    summary: "Two statements about the time of one move contradict each other",
    what: "Behind one move of the main line stand two `%clk` that are not the same, or the `%emt` is not what the clock went down by, the increment of the TimeControl tag included, by more than two seconds. \
           Time used is judged only where the tag says what the increment is and no new period has begun; only the first one of a game.",
    why: "One of the two was rounded, measured elsewhere or belongs to another move.",
    fix: "Compare both with the source.",
    source: "PGN supplement of 2001: clock and time commands",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+2\"]\n\n\
             1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {⟦[%clk 0:04:52]⟧ [%emt 0:00:05]} Nc6 {[%clk 0:04:50]} *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+2\"]\n\n\
             1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00] ⟦[%clk 0:04:00]⟧} *\n",
        ),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+2\"]\n\n\
         1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%emt 0:00:10] [%clk 0:04:52]} Nc6 {[%clk 0:04:50]} *\n",
    )],
    check: Check::Clock(check),
    ..Rule::DEFAULTS
};

fn check(facts: &ClockFacts<'_>, findings: &mut Findings) {
    let now = facts.now;
    match facts.question {
        ClockQuestion::Twice(other) => {
            let (shows, other) = (time(now.time), time(other.time));
            let message = format!("a clock of {other} stands behind this move already");
            findings.add(&RULE, now.place).found(shows).expected(other).message(message);
        }
        ClockQuestion::Elapsed(elapsed, before) => {
            let Some((increment, 0)) = facts.control.map(|control| control.gains(now.moves)) else { return };
            let Some(used) = before.time.saturating_add(increment).checked_sub(now.time) else { return };
            if before.moves + 1 != now.moves || used.abs_diff(elapsed) <= TOLERANCE {
                return;
            }
            let (said, used) = (time(elapsed), time(used));
            let message = format!("the move is said to have taken {said}, but by the clock it took {used}");
            findings.add(&RULE, now.place).found(said).expected(used).message(message);
        }
        ClockQuestion::Gain(_) | ClockQuestion::First => {}
    }
}
