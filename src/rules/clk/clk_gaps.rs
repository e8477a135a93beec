//! CLK05: clocks that are missing or unexplained.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK05"),
    name: "clk-gaps",
    severity: Severity::Info,
    summary: "Some moves have no clock, or TimeControl is missing",
    what: "In the main line moves without `%clk` are followed by a move with one. Moves after the \
           last clock do not count, because many broadcasts end that way. Or a game with clocks \
           has no TimeControl tag, which is reported once per input.",
    why: "The time spent on moves cannot be calculated.",
    fix: "Copy the clocks from the source. Add a TimeControl tag.",
    source: "PGN standard 9.6.1; PGN supplement of 2001",
    fires: &[
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 2. Nf3 {⟦[%clk 0:04:58]⟧} Nc6 {[%clk 0:04:50]} *",
        },
        Sample::Game { tags: "[TimeControl \"300\"]", moves: "1. e4 {[%clk 0:05:00]} e5 2. Nf3 Nc6 {⟦[%clk 0:04:50]⟧} *" },
        Sample::Moves("1. e4 ; ⟦[%clk 0:05:00]⟧\n1... e5 {[%clk 0:05:00]} *"),
        Sample::Moves("1. e4 {⟦[%clk 0:05:00]⟧} e5 {[%clk 0:05:00]} *"),
    ],
    silent: &[Sample::Game {
        tags: "[TimeControl \"300\"]",
        moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:58]} Nc6 *",
    }],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(first) = facts.clocks.first else { return };
    if let Some((from, to, place)) = facts.clocks.gap {
        let message = match (from, to) {
            (from, to) if from == to => format!("ply {from} has no clock, but ply {} has one", to + 1),
            (from, to) => format!("plies {from} to {to} have no clock, but ply {} has one", to + 1),
        };
        findings.add(&RULE, place).ply(to + 1).message(message);
    }
    if facts.tags.pair(KnownTag::TimeControl).is_none() {
        let message = "the game has clocks, but no TimeControl tag";
        findings.add(&RULE, first).once_per_input().message(message);
    }
}
