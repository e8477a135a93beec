//! FEN02: the piece placement is not eight ranks of eight squares.

use crate::chess::fen::{PlacementNotes, WrittenRank, written_ranks};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN02"),
    name: "board-shape",
    severity: Severity::Error,
    summary: "The piece placement is not eight ranks of eight squares",
    what: "Ranks are separated by `/`, starting with rank 8. In each rank, the pieces and the \
        digits from 1 to 8, which count empty squares, add up to eight squares. The finding points \
        to the first wrong rank, and the message names all of them. A board of another size, such \
        as that of xiangqi or shogi, is reported once per input, and the rest of the line is not \
        checked.",
    why: "It is unknown which squares the pieces are on. Some programs shift the rest of the \
        board, others crash.",
    fix: "Correct the ranks that the message names.",
    source: "PGN standard 16.1.3.1",
    yields: &in_record([code!("FEN03")]),
    fires: &[
        Sample::Positions("4k3/8/⟦9⟧/8/8/8/8/4K3 w - - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/8/⟦4K2⟧ w - - 0 1"),
        Sample::Positions("⟦4k3/8/8/8/8/8/4K3⟧ w - - 0 1"),
        Sample::Positions("⟦rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR⟧ w - - 0 1"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/7P/4K3 w - - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

/// Reports a board whose ranks all have another number of squares than eight: that of another game.
/// Returns whether it is one.
pub fn report_other_game(facts: &PositionFacts<'_>, findings: &mut Findings) -> bool {
    let Some(placement) = facts.fen.placement().filter(|_| facts.board.is_none()) else { return false };
    let ranks = || written_ranks(facts.text, placement);
    let squares = |rank: WrittenRank| {
        // In shogi, `+` marks a promoted piece.
        rank.squares - rank.place.of(facts.text).iter().filter(|byte| **byte == b'+').count() as u32
    };
    let Some(files) = ranks().next().map(squares).filter(|files| *files > 4 && *files != 8) else { return false };
    let count = ranks().count();
    if count < 5 || !ranks().all(|rank| squares(rank) == files) {
        return false;
    }
    let game = match (count, files) {
        (10, 9) => "xiangqi",
        (9, 9) => "shogi",
        _ => "another game",
    };
    findings
        .add(&RULE, placement)
        .once_per_input_and(game)
        .found(shown(placement.of(facts.text)))
        .message(format!("the board has {count} ranks of {files} squares: this is {game}, not chess"));
    true
}

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::SHAPE)) else { return };
    let ranks = || written_ranks(facts.text, placement);
    let count = ranks().count();
    if count != 8 {
        findings
            .add(&RULE, placement)
            .once_if_usual(count.to_string())
            .found(shown(placement.of(facts.text)))
            .message(format!("the board has {} instead of 8", quantity(count, "rank", "ranks")));
        return;
    }
    let wrong = |bytes: &[u8]| bytes.iter().any(|byte| matches!(byte, b'0' | b'9'));
    let mut place = None;
    let mut faults = Vec::new();
    for rank in ranks() {
        if rank.squares != 8 {
            faults.push(format!("rank {} has {} instead of 8", rank.number, quantity(rank.squares, "square", "squares")));
        } else if wrong(rank.place.of(facts.text)) {
            faults.push(format!("rank {} contains a digit other than 1 to 8", rank.number));
        } else {
            continue;
        }
        place = place.or(Some(rank.place));
    }
    let place = place.unwrap_or(placement);
    findings.add(&RULE, place).found(shown(place.of(facts.text))).message(join_and(&faults));
}
