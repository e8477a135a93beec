//! CLK17: more time used than the game lasted.

use super::{TOLERANCE, time};
use crate::pgn::{GameTime, TimeControl};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK17"),
    name: "game-time-mismatch",
    severity: Severity::Warning,
    summary: "The players used more time than the game lasted",
    what: "The clocks of both sides show more time used than the game lasted. The tags \
           GameStartTime and GameEndTime, or UTCTime and EndTime, give that time. Clocks are \
           checked if TimeControl has a single period. Otherwise the sum of `%emt`, or of the \
           times that engines write, is checked, and the finding is an info. An EndTime equal to \
           UTCTime is not checked, because the real start is then unknown.",
    why: "The clocks, the time control or the times in the tags are wrong.",
    fix: "Compare the clocks and the tags with the source.",
    source: "PGN standard 9.5, 9.6.1; tags of cutechess and chess.com",
    fires: &[
        Sample::Game {
            tags: "[TimeControl \"300+2\"]\n[GameStartTime \"2024-01-01T12:00:00.000 CET\"]\n\
                   [GameEndTime \"⟦2024-01-01T12:01:00.000 CET⟧\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:00]} Nc6 \
                    {[%clk 0:04:30]} *",
        },
        Sample::Game {
            tags: "[Date \"2024.01.01\"]\n[TimeControl \"300+2\"]\n[UTCDate \"2024.01.01\"]\n\
                   [UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n[EndDate \"2024.01.01\"]\n\
                   [EndTime \"⟦12:01:00⟧\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:00]} Nc6 \
                    {[%clk 0:04:30]} *",
        },
        Sample::Game {
            tags: "[GameStartTime \"2024-01-01T12:00:00.000 CET\"]\n\
                   [GameEndTime \"⟦2024-01-01T12:01:00.000 CET⟧\"]",
            moves: "1. e4 {+0.15/12 40s} e5 {-0.15/12 20.5s} 2. Nf3 {+0.15/12 4.52s} Nc6 {-0.10/11 \
                    0.5s} *",
        },
        Sample::Game {
            tags: "[GameStartTime \"2024-01-01T12:00:00.000 CET\"]\n\
                   [GameEndTime \"⟦2024-01-01T12:01:00.000 CET⟧\"]",
            moves: "1. e4 {d=12, mt=40000, wv=0.15,} e5 {d=12, mt=30000, wv=0.15,} *",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[TimeControl \"300+2\"]\n[GameStartTime \"2024-01-01T12:00:00.000 CET\"]\n\
                   [GameEndTime \"2024-01-01T12:01:34.000 CET\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:00]} Nc6 \
                    {[%clk 0:04:30]} *",
        },
        Sample::Game {
            tags: "[Date \"2024.01.01\"]\n[TimeControl \"300+2\"]\n[UTCDate \"2024.01.01\"]\n\
                   [UTCTime \"12:00:00\"]\n[StartTime \"12:00:00\"]\n[EndDate \"2024.01.01\"]\n\
                   [EndTime \"12:00:00\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:00]} Nc6 \
                    {[%clk 0:04:30]} *",
        },
        Sample::Game {
            tags: "[GameStartTime \"2024-01-01T12:00:00.000 CET\"]\n\
                   [GameEndTime \"2024-01-01T12:01:04.000 CET\"]",
            moves: "1. e4 {+0.15/12 40s} e5 {-0.15/12 20.5s} 2. Nf3 {+0.15/12 4.52s} Nc6 {-0.10/11 \
                    0.5s} *",
        },
        Sample::Game {
            tags: "[GameStartTime \"2024-01-01T12:00:00.000 CET\"]\n\
                   [GameEndTime \"2024-01-01T12:01:10.000 CET\"]",
            moves: "1. e4 {d=12, mt=40000, wv=0.15,} e5 {d=12, mt=30000, wv=0.15,} *",
        },
    ],
    check: Check::Ending(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

/// The part of the game time by which clocks may differ from those of the server: 1 in 50.
const DRIFT: u64 = 50;
/// The time that a server charges for a move that took none, in milliseconds.
const PREMOVE: u64 = 100;

/// The time used is a minimum, the game time a maximum.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let has_times = facts.clocks.count > 0 || !facts.annotations.times.is_empty();
    if !has_times || facts.position.is_none() {
        return;
    }
    let Some(lasted) = GameTime::read(|tag| facts.tags.value(tag)) else { return };
    let Some(pair) = facts.tags.pair(lasted.end) else { return };
    let (used, severity) = match used_by_clocks(facts) {
        Some(used) => (used, Severity::Warning),
        None => (used_in_sum(facts), Severity::Info),
    };
    if used <= most_used(lasted.max) {
        return;
    }
    let found = shown(pair.value.of(facts.text));
    let message =
        format!("both sides together used {}, but by its tags the game lasted at most {}", time(used), time(lasted.max));
    findings.add(&RULE, pair.value).severity(severity).found(found).message(message);
}

/// The time that both sides together can have used in a game that lasted `lasted` at most, in
/// milliseconds.
pub const fn most_used(lasted: u64) -> u64 {
    lasted + lasted / DRIFT + TOLERANCE
}

/// The time that the clocks of both sides lost between their first and their last reading.
fn used_by_clocks(facts: &Ending<'_>) -> Option<u64> {
    let [stage] = facts.control.map(TimeControl::stages)? else { return None };
    if stage.moves.is_some() {
        return None;
    }
    let mut used = 0;
    for (first, last) in facts.clocks.first_of_side.into_iter().zip(facts.clocks.last) {
        let (first, last) = (first?, last?);
        // With half of the time, a side may play without increment.
        if stage.increment > 0 && first.time.saturating_mul(4) < stage.base.saturating_mul(3) {
            return None;
        }
        let moves = u64::from(last.moves - first.moves);
        let lost = first.time.saturating_add(stage.increment.saturating_mul(moves)).saturating_sub(last.time);
        used += lost.saturating_sub(PREMOVE * moves);
    }
    Some(used)
}

/// The sum of the times used for moves, less what rounding can have added.
fn used_in_sum(facts: &Ending<'_>) -> u64 {
    let elapsed = facts.annotations.times.iter().filter_map(|reading| match reading.time {
        MoveTime::Elapsed(elapsed) => Some(elapsed),
        MoveTime::Clock(_) => None,
    });
    elapsed.fold(0, |sum: u64, elapsed| sum.saturating_add(elapsed.time.saturating_sub(elapsed.unit)))
}
