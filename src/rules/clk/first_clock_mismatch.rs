//! CLK03: first clocks that are not what the time control gives.

use super::{TOLERANCE, side, time};
use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{ClockFacts, ClockQuestion},
};

/// With so much time, in milliseconds, a player may come late to the board.
const SLOW: u64 = 15 * 60 * 1000;

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("CLK03"),
    name: "clock-over-initial",
    severity: Severity::Warning,
    summary: "The first clock of a side is not what the time control gives",
    what: "The `%clk` behind a side's first move is higher than the time of the TimeControl tag and its increment, by more than two seconds; or it is less than half of it. \
           An info where it is half of it, as after berserk on Lichess, or where so much time can have passed: from a quarter of an hour on a player may come late. Games that begin later than on move 1 are spared.",
    why: "The clock or the TimeControl tag belongs to another game.",
    fix: "Compare both with the source.",
    source: "PGN standard 9.6.1; PGN supplement of 2001",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+0\"]\n\n\
             1. e4 {⟦[%clk 0:00:30]⟧} e5 {[%clk 0:05:00]} *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+3\"]\n\n\
             1. e4 {[%clk 0:05:00]} e5 {⟦[%clk 0:10:00]⟧} *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"60+0\"]\n\n\
             1. e4 {⟦[%clk 0:00:30]⟧} e5 {[%clk 0:01:00]} *\n",
        ),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+3\"]\n\n\
             1. e4 {[%clk 0:05:03]} e5 {[%clk 0:04:30]} *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"40/7200:3600\"]\n\n\
             1. e4 {[%clk 1:59:00]} e5 {[%clk 2:00:00]} *\n",
        ),
    ],
    check: Check::Clock(check),
    ..Rule::DEFAULTS
};

fn check(facts: &ClockFacts<'_>, findings: &mut Findings) {
    let (ClockQuestion::First, Some(control)) = (facts.question, facts.control) else { return };
    let (now, stage) = (facts.now, control.first());
    let most = stage.base.saturating_add(stage.increment);
    let (severity, what) = if now.time > most.saturating_add(TOLERANCE) {
        (Severity::Warning, "more than")
    } else if now.time.saturating_mul(2).abs_diff(stage.base) <= 2 * TOLERANCE {
        (Severity::Info, "half of")
    } else if now.time.saturating_mul(2) < stage.base {
        (if stage.base >= SLOW { Severity::Info } else { Severity::Warning }, "far less than")
    } else {
        return;
    };
    let (side, shows, gives) = (side(facts.color), time(now.time), time(stage.base));
    let message = format!("the clock of {side} shows {shows} after the first move, {what} the {gives} of the time control");
    findings.add(&RULE, now.place).severity(severity).found(shows).expected(gives).message(message);
}
