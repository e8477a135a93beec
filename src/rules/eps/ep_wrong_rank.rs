//! EPS01: the en passant square is on the wrong rank.

use crate::{
    chess::color_name,
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

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
    // Both have one cause: a wrong side to move.
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
        findings
            .add(&RULE, place)
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
