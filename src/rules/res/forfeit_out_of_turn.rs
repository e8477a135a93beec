//! RES15: losses on time by the side that was not to move.

use shakmaty::Position;

use super::{Stated, final_fen};
use crate::chess::has_legal_move;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES15"),
    name: "forfeit-out-of-turn",
    severity: Severity::Info,
    summary: "The side that lost on time was not to move",
    what: "The Termination tag is `time forfeit`, but in the final position the winner is to move.",
    why: "The result may be reversed. Or the last move is missing, or the clock was stopped late.",
    fix: "Compare the result and the last move with another source.",
    source: "PGN standard 9.8.1; FIDE Laws 6.8",
    fires: &[Sample::Game { tags: "[Termination \"Time forfeit\"]", moves: "1. e4 e5 ⟦1-0⟧" }],
    silent: &[Sample::Game { tags: "[Termination \"Time forfeit\"]", moves: "1. e4 e5 0-1" }],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let is_loss_on_time =
        facts.tags.value(KnownTag::Termination).is_some_and(|value| value.eq_ignore_ascii_case(b"time forfeit"));
    let Some(position) = facts.position.filter(|_| is_loss_on_time && facts.plies > 0) else { return };
    let winners =
        || Stated::of(facts).each().map(|(place, kind)| (place, kind.outcome().and_then(|outcome| outcome.known()?.winner())));
    let Some((place, Some(winner))) = winners().next() else { return };
    if position.turn() != winner || winners().any(|(_, other)| other != Some(winner)) || !has_legal_move(position) {
        return;
    }
    let message = format!("{} lost on time, but {} is to move in the final position", color_name(!winner), color_name(winner));
    findings.add(&RULE, place).ply(facts.plies).fen(final_fen(facts)).message(message);
}
