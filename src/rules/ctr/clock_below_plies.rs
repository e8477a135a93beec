//! CTR05: the halfmove clock is too low: nothing has reset it.

use shakmaty::{Bitboard, Rank};

use crate::rules::placeholders::COUNTERS_REAL;
use crate::rules::prelude::*;
use crate::rules::variant_shown::STANDARD_CHESS;

pub static RULE: Rule = Rule {
    code: code!("CTR05"),
    name: "clock-below-plies",
    severity: Severity::Warning,
    summary: "The halfmove clock is too low: nothing has reset it",
    what: "All 32 pieces and pawns are on the board and all pawns are at home, so there was no \
        capture and no pawn move. The clock has therefore counted every ply. Checked only if the \
        counters of this input are real values and nothing in it is Chess960. A clock that is too \
        high is reported by CTR04.",
    why: "One of the counters was reset, or copied from another position.",
    fix: "Correct the halfmove clock or the fullmove number.",
    source: "PGN standard 16.1.3.5, 16.1.3.6",
    repairs: Some(Certainty::Likely),
    reachability: true,
    fires: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ⟦0⟧ 5")],
    silent: &[
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 5"),
    ],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock), Some(place), Some(moves)) = (facts.halfmove_clock, facts.clock_place(), facts.moves_made()) else {
        return;
    };
    let Some(board) = &facts.board else { return };
    let (second, seventh) = (Bitboard::from_rank(Rank::Second), Bitboard::from_rank(Rank::Seventh));
    if board.pawns() != second | seventh || board.pawns() & board.white() != second {
        return;
    }
    let plies = moves.white.saturating_add(moves.black);
    if clock < plies && board.occupied().count() == 32 && !facts.has_default_counters() {
        findings
            .add(&RULE, place)
            .only_if(COUNTERS_REAL)
            .only_if(STANDARD_CHESS)
            .found(shown(place.of(facts.text)))
            .expected(plies.to_string())
            .repair(Certainty::Likely, Patch::replace(facts.text, place, plies.to_string()))
            .message(format!(
                "no pawn has moved and nothing was captured, so the halfmove clock counts all \
                 {plies} plies, not {clock}"
            ));
    }
}
