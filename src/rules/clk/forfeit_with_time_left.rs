//! CLK09: losses on time with time left.

use super::time;
use crate::pgn::MarkerKind;
use crate::rules::prelude::*;

/// Maximum time left that is plausible when a player loses on time, in milliseconds.
pub const MAX_LEFT: u64 = 30_000;

pub static RULE: Rule = Rule {
    code: code!("CLK09"),
    name: "forfeit-with-time-left",
    severity: Severity::Info,
    summary: "The side that lost on time had time left",
    what: "The Termination tag says `time forfeit`, but the last `%clk` of the losing side shows \
           more than 30 seconds.",
    why: "The player may have left the board, or the game ended differently.",
    fix: "Compare the game with its source.",
    source: "PGN standard 9.8.1; FIDE Laws 6.8",
    fires: &[Sample::Game {
        tags: "[TimeControl \"300\"]\n[Termination \"Time forfeit\"]",
        moves: "1. e4 {⟦[%clk 0:05:00]⟧} e5 {[%clk 0:05:00]} 0-1",
    }],
    silent: &[Sample::Game {
        tags: "[TimeControl \"30\"]\n[Termination \"Time forfeit\"]",
        moves: "1. e4 {[%clk 0:00:30]} e5 {[%clk 0:00:29]} 0-1",
    }],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if !facts.tags.value(KnownTag::Termination).is_some_and(|value| value.eq_ignore_ascii_case(b"time forfeit")) {
        return;
    }
    let Some(MarkerKind::Standard(outcome)) = facts.marker.map(|marker| marker.kind) else { return };
    let Some(loser) = outcome.known().and_then(|known| known.winner()).map(|winner| !winner) else { return };
    let Some(last) = facts.clocks.last_of(loser).filter(|last| last.time > MAX_LEFT) else { return };
    let message = format!("{0} lost on time, but {0}'s last clock shows {1}", color_name(loser), time(last.time));
    findings.add(&RULE, last.place).found(time(last.time)).message(message);
}
