//! CLK02: clocks that gain more time than the time control gives.

use super::{TOLERANCE, time};
use crate::rules::prelude::*;

/// Time that a player can give the opponent on servers, in milliseconds.
const GIFT: u64 = 15_000;
/// Maximum number of gifts that a gain can consist of.
const MAX_GIFTS: u64 = 20;
/// Maximum time that the move itself has taken off a gift, in milliseconds.
const MAX_USED: u64 = 10_000;

pub static RULE: Rule = Rule {
    code: code!("CLK02"),
    name: "clock-gain",
    severity: Severity::Warning,
    summary: "A clock gained more time than the time control gives",
    what: "In the main line a side's `%clk` is higher than its previous one by more than the \
           increments and new periods of the TimeControl tag explain (tolerance: two seconds). \
           Gains of 15 seconds or a multiple are infos, because opponents can give time on \
           servers. Games without a complete TimeControl tag are not checked. One finding per \
           game.",
    why: "The clock or the TimeControl tag is wrong, unless an arbiter added time.",
    fix: "Compare the clocks with the source, and the TimeControl tag with the regulations of the \
           event.",
    source: "PGN standard 9.6.1; PGN supplement of 2001",
    fires: &[
        Sample::Game {
            tags: "[TimeControl \"3600\"]",
            moves: "1. e4 {[%clk 1:00:00]} e5 {[%clk 1:00:00]} 2. Nf3 {[%clk 0:01:00]} Nc6 \
                    {[%clk 0:59:00]}\n3. Bb5 {⟦[%clk 0:55:00]⟧} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:50]} Nc6 \
                    {[%clk 0:04:58]}\n3. Bb5 {⟦[%clk 0:05:03]⟧} *",
        },
        // A gift of 15 seconds, less the three that the move took: an info.
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {⟦[%clk 0:05:12]⟧} Nc6 \
                    {[%clk 0:04:50]} *",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[TimeControl \"300+2\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:05:02]} Nc6 \
                    {[%clk 0:05:01.9]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"2/60:60\"]",
            moves: "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:01:50]} Nc6 \
                    {[%clk 0:00:50]} *",
        },
        // A fragment that begins two moves before a new period.
        Sample::Game {
            tags: "[TimeControl \"40/7200:1800\"]\n[SetUp \"1\"]\n\
                   [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 38\"]",
            moves: "38. e3 {[%clk 0:01:00]} Kd7 {[%clk 0:02:00]} 39. e4 {[%clk 0:00:50]} Kd6 \
                    {[%clk 0:01:50]}\n40. e5+ {[%clk 0:30:40]} Kd5 {[%clk 0:31:40]} *",
        },
    ],
    check: Check::Clock(check),
    ..Rule::DEFAULTS
};

/// Whether `excess`, in milliseconds, can be up to [`MAX_GIFTS`] gifts, minus up to [`MAX_USED`]
/// for the move itself.
pub const fn is_gift(excess: u64) -> bool {
    let used = (GIFT - excess % GIFT) % GIFT;
    excess >= TOLERANCE && used <= MAX_USED && excess <= MAX_GIFTS * GIFT
}

/// A gain that can be a gift is an info.
fn check(facts: &ClockFacts<'_>, findings: &mut Findings) {
    let (ClockQuestion::Gain(before), Some(control)) = (facts.question, facts.control) else { return };
    let now = facts.now;
    let (increment, bonus) = control.gains(now.moves);
    let moves = u64::from(now.moves.saturating_sub(before.moves)).max(1);
    let max = before.time.saturating_add(increment.saturating_mul(moves)).saturating_add(bonus);
    if now.time <= max.saturating_add(TOLERANCE) {
        return;
    }
    let (side, shows, before) = (color_name(facts.color), time(now.time), time(before.time));
    let finding = findings.add(&RULE, now.place);
    if is_gift(now.time - max) {
        finding.severity(Severity::Info);
    }
    let gives = match (increment, bonus) {
        (0, 0) => "the time control adds nothing".to_owned(),
        (increment, 0) => format!("the time control adds only {} per move", time(increment)),
        (increment, bonus) => {
            format!("the time control adds only {} per move and {} for a new period", time(increment), time(bonus))
        }
    };
    let message = format!("the clock of {side} rose from {before} to {shows}, but {gives}");
    finding.found(shows).message(message);
}
