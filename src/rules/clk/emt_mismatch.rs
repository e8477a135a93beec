//! CLK04: contradictory times of one move.

use super::{TOLERANCE, time};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK04"),
    name: "emt-mismatch",
    severity: Severity::Info,
    summary: "Two times of one move contradict each other",
    what: "A move of the main line has two different `%clk`. Or its `%emt` differs by more than \
           two seconds from the time that the clock lost, increment included. Elapsed time is \
           checked only if the TimeControl tag gives the increment and no new period has begun. \
           One finding about elapsed time per game.",
    why: "One of the two was rounded, measured elsewhere, or belongs to another move.",
    fix: "Compare both with the source.",
    source: "PGN supplement of 2001: clock and time commands",
    yields: &in_record([code!("CLK16")]),
    fires: &[
        Sample::Game {
            tags: "[TimeControl \"300+2\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {⟦[%clk 0:04:52]⟧ \
                    [%emt 0:00:05]} Nc6 {[%clk 0:04:50]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300+2\"]", moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00] ⟦[%clk 0:04:00]⟧} *"
        },
    ],
    silent: &[Sample::Game {
        tags: "[TimeControl \"300+2\"]",
        moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%emt 0:00:10] [%clk 0:04:52]} \
                Nc6 {[%clk 0:04:50]} *",
    }],
    check: Check::Clock(check),
    wakes: Wakes::Signs(&[Sign::ElapsedTime]),
    ..Rule::DEFAULTS
};

fn check(facts: &ClockFacts<'_>, findings: &mut Findings) {
    let now = facts.now;
    match facts.question {
        ClockQuestion::Twice(other) => {
            let (shows, other) = (time(now.time), time(other.time));
            let message = format!("the move has two clocks: {other} and {shows}");
            findings.add(&RULE, now.place).found(shows).expected(other).message(message);
        }
        ClockQuestion::Elapsed(elapsed, before) => {
            let Some((increment, 0)) = facts.control.map(|control| control.gains(now.moves)) else { return };
            let Some(used) = before.time.saturating_add(increment).checked_sub(now.time) else { return };
            if before.moves + 1 != now.moves || used.abs_diff(elapsed) <= TOLERANCE {
                return;
            }
            let (stated, used) = (time(elapsed), time(used));
            let message = format!("the move took {stated} according to %emt, but {used} according to %clk");
            findings.add(&RULE, now.place).found(stated).expected(used).message(message);
        }
        ClockQuestion::Gain(_) | ClockQuestion::First => {}
    }
}
