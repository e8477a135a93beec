//! `ep-wrong-rank`.

use crate::{
    chess::color_name,
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

/// EPS01: the en passant square is on the side of the player to move.
pub static RULE: Rule = Rule {
    code: code!("EPS01"),
    name: "ep-wrong-rank",
    severity: Severity::Error,
    summary: "The en passant square is on the side of the player to move",
    what: "The pawn that has just made a double step is one of the side not to move: the square is on rank 6 with White to move, on rank 3 with Black to move.",
    why: "Most often the side to move is wrong, or the field was left over from the move before.",
    fix: "Check the side to move, else write `-`.",
    source: "PGN standard 1994, section 16.1.3.4; Laws of Chess, article 3.7.4",
    // Both follow from a false side to move.
    yields: &[Yield::InRecord(code!("POS03"))],
    fires: &[Sample::Positions("4k3/8/8/8/4P3/8/8/4K3 w - ⟦e3⟧ 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(en_passant), Some(place)) = (facts.en_passant(), facts.fen.en_passant()) else { return };
    if facts.board.is_some() && !en_passant.right_rank {
        let rank = en_passant.turn.fold_wb(6, 3);
        findings.add(&RULE, place).found(shown(place.of(facts.text))).expected(format!("- or a square of rank {rank}")).message(
            format!("{} is to move, so that the square passed over would be on rank {rank}", color_name(en_passant.turn)),
        );
    }
}
