//! CLK03: first clocks that do not match the time control.

use super::{TOLERANCE, time};
use crate::rules::prelude::*;

/// Minimum time with which a player may well come late to the board, in milliseconds.
const MIN_SLOW: u64 = 15 * 60 * 1000;

pub static RULE: Rule = Rule {
    code: code!("CLK03"),
    name: "first-clock-mismatch",
    severity: Severity::Warning,
    summary: "The first clock of a side contradicts the time control",
    what: "The `%clk` after a side's first move is higher than the initial time plus increment of \
           the TimeControl tag, or at most half of the initial time. Exactly half is an info, as \
           after berserk on Lichess. With an initial time of 15 minutes or more any low clock is \
           an info, because the player may have been late. Games that start after move 1 are not \
           checked. If the clock shows that TimeControl is in minutes, TAG20 reports that instead.",
    why: "The clock or the TimeControl tag belongs to another game.",
    fix: "Compare both with the source.",
    source: "PGN standard 9.6.1; PGN supplement of 2001",
    fires: &[
        Sample::Game { tags: "[TimeControl \"300+0\"]", moves: "1. e4 {⟦[%clk 0:00:30]⟧} e5 {[%clk 0:05:00]} *" },
        Sample::Game { tags: "[TimeControl \"300+3\"]", moves: "1. e4 {[%clk 0:05:00]} e5 {⟦[%clk 0:10:00]⟧} *" },
        Sample::Game { tags: "[TimeControl \"60+0\"]", moves: "1. e4 {⟦[%clk 0:00:30]⟧} e5 {[%clk 0:01:00]} *" },
        Sample::Game { tags: "[TimeControl \"5400+30\"]", moves: "1. e4 {⟦[%clk 0:40:00]⟧} e5 {[%clk 1:30:00]} *" },
    ],
    silent: &[
        Sample::Game { tags: "[TimeControl \"300+3\"]", moves: "1. e4 {[%clk 0:05:03]} e5 {[%clk 0:04:30]} *" },
        Sample::Game { tags: "[TimeControl \"40/7200:3600\"]", moves: "1. e4 {[%clk 1:59:00]} e5 {[%clk 2:00:00]} *" },
    ],
    check: Check::Clock(check),
    ..Rule::DEFAULTS
};

/// Both limits have the [`TOLERANCE`] of all clock rules.
fn check(facts: &ClockFacts<'_>, findings: &mut Findings) {
    let (ClockQuestion::First, Some(control)) = (facts.question, facts.control) else { return };
    let (now, stage) = (facts.now, control.first());
    let max = stage.base.saturating_add(stage.increment);
    let (severity, what) = if now.time > max.saturating_add(TOLERANCE) {
        (Severity::Warning, "more than")
    } else if now.time.saturating_mul(2).abs_diff(stage.base) <= 2 * TOLERANCE {
        (Severity::Info, "half of")
    } else if now.time.saturating_mul(2) < stage.base {
        (if stage.base >= MIN_SLOW { Severity::Info } else { Severity::Warning }, "less than half of")
    } else {
        return;
    };
    let (side, shows, gives) = (color_name(facts.color), time(now.time), time(stage.base));
    let message = format!("the clock of {side} shows {shows} after the first move: {what} the {gives} of the time control");
    let finding = findings.add(&RULE, now.place).severity(severity).once_if_usual(format!("{side} {what}"));
    finding.found(shows).expected(gives).message(message);
}
