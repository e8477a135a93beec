//! RES15: flags that fell out of turn.

use shakmaty::Position;

use super::{Stated, final_fen, side};
use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Ending},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES15"),
    name: "forfeit-side",
    severity: Severity::Info,
    summary: "The side that lost on time was not to move",
    what: "The Termination tag says `time forfeit`, and in the final position the winner is to move. The last move may not have been recorded, or the clock was stopped late.",
    why: "The result may stand the wrong way round.",
    fix: "Compare the game with its source.",
    source: "PGN standard 9.8.1; Laws of Chess 6.8",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
         [Termination \"Time forfeit\"]\n\n1. e4 e5 ⟦1-0⟧\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\
         [Termination \"Time forfeit\"]\n\n1. e4 e5 0-1\n",
    )],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let by_time = facts.tags.value(KnownTag::Termination).is_some_and(|value| value.eq_ignore_ascii_case(b"time forfeit"));
    let Some(position) = facts.position.filter(|_| by_time && facts.plies > 0) else { return };
    let winners =
        || Stated::of(facts).each().map(|(place, kind)| (place, kind.outcome().and_then(|outcome| outcome.known()?.winner())));
    let Some((place, Some(winner))) = winners().next() else { return };
    if position.turn() != winner || winners().any(|(_, other)| other != Some(winner)) || position.legal_moves().is_empty() {
        return;
    }
    let message = format!("{} lost on time, but {} is to move in the final position", side(!winner), side(winner));
    findings.add(&RULE, place).ply(facts.plies).fen(final_fen(facts)).message(message);
}
