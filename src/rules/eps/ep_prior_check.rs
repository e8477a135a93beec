//! `ep-prior-check`.

use crate::{
    chess::fen::checkers,
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

/// EPS05: before the double step the side that did not have the move was in check.
pub static RULE: Rule = Rule {
    code: code!("EPS05"),
    name: "ep-prior-check",
    severity: Severity::Error,
    summary: "Before the double step the side to move was in check already",
    what: "The en passant square says that the last move was a double step. With the pawn put back on its square, the king of the side to move now is attacked while the other side has the move: the pawn now stands in the line of a check that it cannot have found there. A check that still stands is the business of ep-check-source.",
    why: "The field is left over from an earlier position, and engines rely on it.",
    fix: "Write `-`.",
    source: "PGN standard 1994, section 16.1.3.4; Laws of Chess, article 3.9",
    yields: &[
        Yield::InRecord(code!("POS02")),
        Yield::InRecord(code!("POS04")),
        Yield::InRecord(code!("POS09")),
        Yield::InRecord(code!("POS10")),
        Yield::InRecord(code!("EPS04")),
    ],
    fires: &[
        Sample::Positions("b6k/8/8/3pP3/8/8/8/7K w - ⟦d6⟧ 0 30"),
        // The pawn gives check itself, and stands in the way of the bishop.
        Sample::Positions("b6k/8/8/3pP3/4K3/8/8/8 w - ⟦d6⟧ 0 30"),
    ],
    silent: &[Sample::Positions("b6k/8/8/3pP3/8/8/8/6K1 w - d6 0 30"), Sample::Positions("b6k/8/8/3pP3/8/8/8/7K w - - 0 30")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(en_passant), Some(place)) = (&facts.board, facts.sound_en_passant(), facts.fen.en_passant()) else {
        return;
    };
    let Some(king) = *facts.kings.get(en_passant.turn) else { return };
    let mut before = board.clone();
    before.discard_piece_at(en_passant.pawn);
    before.set_piece_at(en_passant.origin, (!en_passant.turn).pawn());
    let earlier = checkers(&before, king, en_passant.turn);
    if (earlier & !facts.own_checkers()).is_empty() {
        return;
    }
    findings.add(&RULE, place).found(shown(place.of(facts.text))).message(format!(
        "the last move was {}-{}, but before it {} gave check to the king on {king}, and it was not that side's move",
        en_passant.origin,
        en_passant.pawn,
        facts.names_of(earlier & !facts.own_checkers())
    ));
}
