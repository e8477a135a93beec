//! MOV16: capture marks on moves that capture nothing.

use super::{misspelled, mover, target};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV16"),
    name: "capture-mark-false",
    severity: Severity::Warning,
    summary: "The move is marked as a capture but captures nothing",
    what: "The move contains `x`, but its target square is empty. En passant captures are not \
           reported. If one of the next two moves cannot be played, the finding about that move \
           mentions the `x` instead.",
    why: "The person who wrote the `x` saw a piece on that square. Often an earlier move is missing or \
          wrong.",
    fix: "Compare with another source. If the move is right, remove the `x`.",
    source: "PGN standard 8.2.3.3",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves("1. ⟦Nxf3⟧ *")],
    silent: &[Sample::Moves("1. Nf3 *"), Sample::Moves("1. e4 Nf6 2. e5 d5 3. exd6 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(played) = facts.played().filter(|played| !played.is_capture()) else { return };
    if !facts.written.capture {
        return;
    }
    misspelled(&RULE, facts, findings)
        .once_if_usual("")
        .message(format!("the move contains `x`, but {} captures nothing", mover(played)))
        .squares(target(played));
}
