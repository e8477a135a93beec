//! EPS02: no pawn can have crossed the en passant square.

use super::impossible;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPS02"),
    name: "ep-no-pawn",
    severity: Severity::Error,
    summary: "No pawn can have crossed the en passant square",
    what: "The en passant square is the one that a pawn has just crossed in a double step. \
        That pawn must be on the next square of the file: on e4 for e3, on e5 for e6.",
    why: "The field is left over from an earlier position.",
    fix: "Write `-`.",
    source: "PGN standard 16.1.3.4; FIDE Laws 3.7.4",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("EPS01")]),
    fires: &[Sample::Positions("4k3/8/8/8/3p4/8/8/4K3 b - ⟦e3⟧ 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(en_passant), Some(place)) = (&facts.board, facts.en_passant(), facts.fen.en_passant()) else { return };
    if en_passant.right_rank && !board.by_piece((!en_passant.turn).pawn()).contains(en_passant.pawn) {
        let finding = impossible(&RULE, facts, place, findings).message(format!(
            "{} has no pawn on {} that can have crossed {}",
            color_name(!en_passant.turn),
            en_passant.pawn,
            en_passant.target
        ));
        finding.squares(en_passant.target).squares(en_passant.pawn);
    }
}
