//! EPS01: the en passant square is on the wrong rank.

use shakmaty::{Bitboard, Rank, Square};

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPS01"),
    name: "ep-wrong-rank",
    severity: Severity::Error,
    summary: "The en passant square is on the wrong rank",
    what: "The en passant square belongs to a pawn of the side that has just moved. It is on rank \
        6 with White to move, and on rank 3 with Black to move.",
    why: "Usually the side to move is wrong, or the field is left over from the position before.",
    fix: "Correct the side to move. If it is right, write `-` as the en passant square.",
    source: "PGN standard 16.1.3.4; FIDE Laws 3.7.4",
    repairs: Some(Certainty::Likely),
    // Both have one cause: a wrong side to move.
    yields: &in_record([code!("POS03")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/4P3/8/8/4K3 w - ⟦e3⟧ 0 1"),
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - ⟦e6⟧ 0 30"),
        Sample::Positions("4k3/8/8/8/4P3/8/8/4R1K1 w - ⟦e3⟧ 0 30"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(en_passant), Some(place)) = (facts.en_passant(), facts.fen.en_passant()) else { return };
    if facts.board.is_some() && !en_passant.right_rank {
        let rank = en_passant.turn.fold_wb(6, 3);
        let finding = findings.add(&RULE, place);
        if let Some(patch) = patch(facts, en_passant) {
            finding.repair(Certainty::Likely, patch);
        }
        finding
            .found(shown(place.of(facts.text)))
            .expected(format!("- or a square of rank {rank}"))
            .message(format!(
                "the en passant square is {}, but with {} to move it must be on rank {rank}",
                en_passant.target,
                color_name(en_passant.turn)
            ))
            .squares(en_passant.target);
    }
}

/// Gives the move to the other side if its king is in check. Otherwise writes the square on the
/// right rank if a pawn can have crossed it, or `-`.
fn patch(facts: &PositionFacts<'_>, en_passant: EnPassant) -> Option<Patch> {
    let (board, turn) = (facts.board.as_ref()?, en_passant.turn);
    if facts.checkers.get(!turn).any() {
        return Some(Patch::replace(facts.text, facts.fen.turn()?, (!turn).char().to_string()));
    }
    let on = |rank: Rank| Square::from_coords(en_passant.target.file(), turn.fold_wb(rank, rank.flip_vertical()));
    let is_crossed = board.by_piece((!turn).pawn()).contains(on(Rank::Fifth))
        && (board.occupied() & (Bitboard::from(on(Rank::Sixth)) | Bitboard::from(on(Rank::Seventh)))).is_empty();
    let meant = if is_crossed { on(Rank::Sixth).to_string() } else { "-".to_owned() };
    Some(Patch::replace(facts.text, facts.fen.en_passant()?, meant))
}
