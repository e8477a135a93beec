//! EPS03: a piece blocks the double step of the pawn.

use super::impossible;
use shakmaty::Bitboard;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPS03"),
    name: "ep-occupied",
    severity: Severity::Error,
    summary: "A piece blocks the double step of the pawn",
    what: "A piece is on the en passant square, or on the square from which the pawn made its \
        double step. After a double step both are empty.",
    why: "The field is left over from an earlier position.",
    fix: "Write `-` in the en passant field.",
    source: "PGN standard 16.1.3.4; FIDE Laws 3.7.4",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("EPS01"), code!("EPS02")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/3pP3/8/4N3/4K3 b - ⟦e3⟧ 0 1"),
        Sample::Positions("4k3/8/8/8/3pP3/4N3/8/4K3 b - ⟦e3⟧ 0 1"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(en_passant), Some(place)) = (&facts.board, facts.en_passant(), facts.fen.en_passant()) else { return };
    let blockers = board.occupied() & (Bitboard::from(en_passant.target) | Bitboard::from(en_passant.origin));
    if en_passant.right_rank && blockers.any() && board.by_piece((!en_passant.turn).pawn()).contains(en_passant.pawn) {
        let finding = impossible(&RULE, facts, place, findings).message(format!(
            "the pawn on {} cannot have come from {} over {}: {} in the way",
            en_passant.pawn,
            en_passant.origin,
            en_passant.target,
            if blockers.count() == 1 {
                format!("{} is", facts.names_of(blockers))
            } else {
                format!("{} are", facts.names_of(blockers))
            }
        ));
        finding.squares(en_passant.pawn).squares(en_passant.origin).squares(en_passant.target);
    }
}
