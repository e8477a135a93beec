//! CLK02: clocks that go up.

use super::{TOLERANCE, side, time};
use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{ClockFacts, ClockQuestion},
};

/// Servers let a player give so much time to the other one, in milliseconds.
const GIFT: u64 = 15_000;

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("CLK02"),
    name: "clock-gain",
    severity: Severity::Warning,
    summary: "A clock shows more time than before the move, and the time control does not give as much",
    what: "In the main line, a side's `%clk` is higher than its last one by more than the increments of the moves between, the time that a new period of the TimeControl tag may have added, and two seconds. \
           A gain of 15 seconds or a multiple is an info: servers let the opponent give that. Judged only where the TimeControl tag says how much time there is; only the first one of a game.",
    why: "The clock or the TimeControl tag is wrong, unless an arbiter has added time.",
    fix: "Compare the clocks with the source, and the TimeControl tag with the rules of the event.",
    source: "PGN standard 9.6.1; PGN supplement of 2001",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"3600\"]\n\n\
             1. e4 {[%clk 1:00:00]} e5 {[%clk 1:00:00]} 2. Nf3 {[%clk 0:01:00]} Nc6 {[%clk 0:59:00]}\n3. Bb5 {⟦[%clk 0:55:00]⟧} *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300\"]\n\n\
             1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:50]} Nc6 {[%clk 0:04:58]}\n3. Bb5 {⟦[%clk 0:05:03]⟧} *\n",
        ),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300+2\"]\n\n\
             1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:05:02]} Nc6 {[%clk 0:05:01.9]} *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"2/60:60\"]\n\n\
             1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:01:50]} Nc6 {[%clk 0:00:50]} *\n",
        ),
    ],
    check: Check::Clock(check),
    ..Rule::DEFAULTS
};

fn check(facts: &ClockFacts<'_>, findings: &mut Findings) {
    let (ClockQuestion::Gain(before), Some(control)) = (facts.question, facts.control) else { return };
    let now = facts.now;
    let (increment, bonus) = control.gains(now.moves);
    let moves = u64::from(now.moves.saturating_sub(before.moves)).max(1);
    let most = before.time.saturating_add(increment.saturating_mul(moves)).saturating_add(bonus);
    if now.time <= most.saturating_add(TOLERANCE) {
        return;
    }
    let beyond = now.time - most;
    // The move itself has taken a few seconds.
    let used = (GIFT - beyond % GIFT) % GIFT;
    let given = beyond >= TOLERANCE && used <= 10_000 && beyond <= 20 * GIFT;
    let (side, gained, before) = (side(facts.color), time(now.time - before.time), time(before.time));
    let finding = findings.add(&RULE, now.place);
    if given {
        finding.severity(Severity::Info);
    }
    let gives = match (increment, bonus) {
        (0, 0) => "the time control adds nothing".to_owned(),
        (increment, 0) => format!("the time control adds {} for each move", time(increment)),
        (increment, bonus) => {
            format!("the time control adds {} for each move and {} for the next period", time(increment), time(bonus))
        }
    };
    finding.found(time(now.time)).message(format!("the clock of {side} went up by {gained} from {before}, but {gives}"));
}
