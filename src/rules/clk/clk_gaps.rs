//! CLK05: games with clocks here and there.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Ending},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("CLK05"),
    name: "clk-gaps",
    severity: Severity::Info,
    summary: "Clocks stand behind some moves only, or without a TimeControl tag",
    what: "In the main line, moves without `%clk` stand before a move with one; or no TimeControl tag says what the clocks mean, once per input. Moves behind the last clock are spared: many broadcasts end so.",
    why: "Time spent on moves cannot be told.",
    fix: "Take the clocks from the source; add a TimeControl tag.",
    source: "PGN standard 9.6.1; PGN supplement of 2001",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300\"]\n\n\
             1. e4 {[%clk 0:05:00]} e5 2. Nf3 {⟦[%clk 0:04:58]⟧} Nc6 {[%clk 0:04:50]} *\n",
        ),
        Sample::Moves("1. e4 {⟦[%clk 0:05:00]⟧} e5 {[%clk 0:05:00]} *"),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[TimeControl \"300\"]\n\n\
         1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:58]} Nc6 *\n",
    )],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(first) = facts.clocks.first else { return };
    if let Some((from, to, place)) = facts.clocks.gap {
        let message = match (from, to) {
            (from, to) if from == to => format!("ply {from} has no clock, but this one has"),
            (from, to) => format!("plies {from} to {to} have no clock, but this one has"),
        };
        findings.add(&RULE, place).ply(to + 1).message(message);
    }
    if facts.tags.pair(KnownTag::TimeControl).is_none() {
        let message = "there are clocks, but no TimeControl tag says how much time the players had";
        findings.add(&RULE, first).once_per_input().message(message);
    }
}
