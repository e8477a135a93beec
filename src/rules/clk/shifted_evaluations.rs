//! CLK12: evaluations that belong to the ply before or after.

use shakmaty::Position;

use super::swings::Swings;
use crate::rules::main_line::{captured, locate, shown_value, written};
use crate::rules::prelude::*;

/// The points of a piece whose capture explains a gain.
const PIECE: u32 = 3;

pub static RULE: Rule = Rule {
    code: code!("CLK12"),
    name: "shifted-evaluations",
    severity: Severity::Info,
    summary: "The evaluations are one ply early or late",
    what: "A good move keeps the evaluation, and a mistake worsens it for the side that moved. \
           Here it improves by two pawns or more in at least three places, and rarely worsens. The \
           evaluations favour the side with more material; otherwise see CLK13. Engines that play \
           are not checked, because they evaluate before they move.",
    why: "Every mistake is attributed to the wrong side.",
    fix: "Move all evaluations by one ply, or evaluate the game again.",
    source: "Convention of Lichess: the evaluation of the position after the move",
    yields: &in_record([code!("CLK13")]),
    fires: &[
        Sample::Moves(
            "1. e4 e5 {[%eval 0.30]} 2. Qh5 {[%eval 0.30]} Nf6 {[%eval -0.20]} 3. Qxf7+ {[%eval -0.30]}\n\
             Kxf7 {⟦[%eval -8.00]⟧} 4. d4 {[%eval -8.00]} Nd5 {[%eval -8.10]} 5. exd5 {[%eval -4.90]}\n\
             Ke8 {[%eval -4.90]} 6. Bh6 {[%eval -4.80]} gxh6 {[%eval -8.10]} *",
        ),
        Sample::Moves(
            "1. e4 {[%eval 0.30]} e5 {[%eval -0.20]} 2. Qh5 {[%eval -0.30]} Nf6 {⟦[%eval -8.00]⟧}\n\
             3. Qxf7+ {[%eval -8.00]} Kxf7 {[%eval -8.10]} 4. d4 {[%eval -4.90]} Nd5 {[%eval -4.90]}\n\
             5. exd5 {[%eval -4.80]} Ke8 {[%eval -8.10]} 6. Bh6 {[%eval -8.10]} gxh6 *",
        ),
    ],
    silent: &[
        Sample::Moves(
            "1. e4 {[%eval 0.30]} e5 {[%eval 0.30]} 2. Qh5 {[%eval -0.20]} Nf6 {[%eval -0.30]}\n\
             3. Qxf7+ {[%eval -8.00]} Kxf7 {[%eval -8.00]} 4. d4 {[%eval -8.10]} Nd5 {[%eval -4.90]}\n\
             5. exd5 {[%eval -4.90]} Ke8 {[%eval -4.80]} 6. Bh6 {[%eval -8.10]} gxh6 {[%eval -8.10]} *",
        ),
        // Engines evaluate before they move.
        Sample::Moves(
            "1. e4 e5 {-0.30/9 0.5s} 2. Qh5 {+0.30/9 0.5s} Nf6 {+0.20/9 0.5s} 3. Qxf7+ {-0.30/9 0.5s}\n\
             Kxf7 {+8.00/9 0.5s} 4. d4 {-8.00/9 0.5s} Nd5 {+8.10/9 0.5s} 5. exd5 {-4.90/9 0.5s}\n\
             Ke8 {+4.90/9 0.5s} 6. Bh6 {-4.80/9 0.5s} gxh6 {+8.10/9 0.5s} *",
        ),
        // One mistake shows nothing.
        Sample::Moves(
            "1. e4 e5 {[%eval 0.30]} 2. Qh5 {[%eval 0.30]} Nf6 {[%eval -0.20]} 3. Qxf7+ {[%eval -0.30]}\n\
             Kxf7 {[%eval -8.00]} *",
        ),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

/// It is only an info because programs that play two engines against each other may write `%eval`
/// without a depth.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(swings) = Swings::of(facts).filter(|swings| swings.fit_material) else { return };
    let Some(first) = swings.gains.first() else { return };
    let gains = quantity(swings.gains.len(), "move", "moves");
    let shift = direction(facts, &swings);
    let message = format!(
        "the evaluations are one ply {shift}: they improve by two pawns or more with each of {gains}, first with {}",
        written(facts, first.ply)
    );
    let finding = findings.add(&RULE, first.place).found(shown_value(first.value)).message(message);
    locate(finding, facts, first.ply);
}

/// Whether the evaluations are early or late.
///
/// A late evaluation improves when a piece is captured. Checkmate needs no evaluation, every other
/// last position has one.
fn direction(facts: &Ending<'_>, swings: &Swings<'_>) -> &'static str {
    let captures = |later: u32| swings.gains.iter().filter(|gain| captured(facts, gain.ply + later) >= PIECE).count();
    let last = facts.annotations.evaluations.last().map_or(0, |reading| reading.ply);
    let expected = facts.plies - u32::from(facts.position.is_some_and(|position| position.is_checkmate()));
    if captures(0) > captures(2) + 1 || last > expected {
        "late"
    } else if last + 1 == expected {
        "early"
    } else {
        "early or late"
    }
}
