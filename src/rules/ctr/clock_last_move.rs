//! CTR03: the halfmove clock contradicts every possible last move.

use shakmaty::{Bitboard, Move};

use crate::chess::Arrow;
use crate::chess::retro::LastMoves;
use crate::rules::placeholders::COUNTERS_REAL;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR03"),
    name: "clock-last-move",
    severity: Severity::Warning,
    summary: "The halfmove clock contradicts every possible last move",
    what: "Captures and pawn moves set the clock to 0. All other moves, including castling, \
        increase it. The clock is reported if every possible last move contradicts it. Checked \
        only if the counters of this input are real values, and never in the starting position.",
    why: "The clock was copied from another position, or the program does not count correctly.",
    fix: "Correct the clock. If it is right, correct the piece placement or the side to move.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    repairs: Some(Certainty::Likely),
    reachability: true,
    yields: &in_record([code!("POS11"), code!("CTR01"), code!("CTR02"), code!("CTR04")]),
    fires: &[
        Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - ⟦3⟧ 60"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/8/4K1N1 b - - ⟦0⟧ 60"),
    ],
    silent: &[
        Sample::Positions("4R3/R3k3/8/8/8/8/8/4K3 b - - 0 60"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/8/4K1N1 b - - 3 60"),
        Sample::Positions("rnbqkbn1/pppppppp/8/8/8/8/8/4K1N1 b - - 0 60"),
    ],
    check: Check::LastMove(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, last: &LastMoves, findings: &mut Findings) {
    let (Some(clock), Some(place)) = (facts.halfmove_clock, facts.clock_place()) else { return };
    if facts.has_default_counters() {
        return;
    }
    let contradicts = if clock == 0 { !last.zeroing() && !last.is_starting_position() } else { !last.quiet() };
    if !contradicts || !last.exist() {
        return;
    }
    let wanted = |played: &Move| played.is_zeroing() == (clock > 0);
    let mut possible = last.at_first_sight();
    possible.retain(wanted);
    // The pieces that can have moved last.
    let moved: Bitboard = possible.iter().filter_map(|played| Arrow::of(*played)).map(|arrow| arrow.to).collect();
    // The notation of a capture does not name the captured piece, so several moves can read the
    // same.
    let mut written: Vec<String> = possible.iter().map(Move::to_string).collect();
    written.dedup();
    let which = match written.as_slice() {
        [only] => format!("the only possible last move, {only},"),
        [first, ..] => format!("every possible last move, such as {first},"),
        [] => return,
    };
    let finding = findings.add(&RULE, place).only_if(COUNTERS_REAL).found(shown(place.of(facts.text)));
    finding.squares(moved);
    if clock == 0 {
        finding
            .expected("at least 1")
            .message(format!("{which} is neither a capture nor a pawn move, but the halfmove clock is 0"));
    } else {
        finding
            .expected("0")
            .repair(Certainty::Likely, Patch::replace(facts.text, place, *b"0"))
            .message(format!("{which} is a capture or a pawn move, but the halfmove clock is {clock} instead of 0"));
    }
}
