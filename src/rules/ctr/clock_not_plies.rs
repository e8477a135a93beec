//! `clock-not-plies`.

use shakmaty::{Bitboard, Rank};

use crate::rules::{Check, Condition, Findings, Rule, Sample, Severity, facts::PositionFacts, shown};

/// CTR05: nothing has set the clock to 0, and it does not count all plies.
pub static RULE: Rule = Rule {
    code: code!("CTR05"),
    name: "clock-not-plies",
    severity: Severity::Warning,
    summary: "The halfmove clock is not the number of plies, although nothing has been captured and no pawn has moved",
    what: "All 32 men are there and all pawns are at home: no pawn has moved, for pawns do not go back, and nothing was captured. So nothing has set the clock to 0, and it has counted every ply since the start. A clock that is greater than the number of plies is the business of clock-over-plies. Judged where the counters of the input are no fillers and nothing in it is Chess960.",
    why: "One of the counters was reset or copied from elsewhere.",
    fix: "Correct the clock or the number.",
    source: "PGN standard 1994, sections 16.1.3.5 and 16.1.3.6",
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
    let (Some(clock), Some(place), Some(moves)) = (facts.halfmove_clock, facts.fen.halfmove_clock(), facts.moves_made()) else {
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
            .only_if(Condition::CountersTrusted)
            .only_if(Condition::StandardChess)
            .found(shown(place.of(facts.text)))
            .expected(plies.to_string())
            .message(format!(
                "no pawn has moved and nothing was captured in {plies} plies, so that the clock counts all of them"
            ));
    }
}
