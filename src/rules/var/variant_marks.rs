//! VAR05: marks of variants in positions of standard chess.

use shakmaty::{Bitboard, Square};

use crate::chess::fen::PlacementNotes;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("VAR05"),
    name: "variant-marks",
    severity: Severity::Warning,
    summary: "A position of standard chess contains marks of a variant",
    what: "`~` after a promoted piece, and pieces in hand in brackets or after an extra `/`, \
           belong to crazyhouse and similar variants. Check counts (`3+3`, `+0+0`) belong to \
           three-check. Games whose Variant tag names such a variant are not checked. In position \
           files, which have no tags, the rule reports once per input.",
    why: "Readers of standard chess reject the position, or take the marks for pieces or counters.",
    fix: "Remove the marks, or name the variant in a Variant tag.",
    source: "Crazyhouse and three-check FEN as written by Lichess, chess.com and XBoard",
    fires: &[
        Sample::Positions("rnb1kbnr/ppp1pppp/8/3⟦q~⟧4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 9"),
        Sample::Positions("rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR⟦[Pp]⟧ w KQkq - 0 9"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR⟦/⟧ w KQkq - 0 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ⟦3+3⟧ 0 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ⟦+0+0⟧"),
    ],
    silent: &[Sample::Game {
        tags: "[SetUp \"1\"]\n\
               [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1\"]\n\
               [Variant \"Crazyhouse\"]",
        moves: "*",
    }],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let marked = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::VARIANT_MARKS));
    let (place, what) = match (marked.and_then(|placement| mark_in(facts.text, placement)), facts.fen.checks) {
        (Some(found), _) => found,
        (None, Some(place)) => (place, "counts checks, as in three-check"),
        (None, None) => return,
    };
    let found = shown(place.of(facts.text));
    let is_marked = |square: &Square| place.covers(facts.square_place(*square));
    let marked: Bitboard =
        facts.board.as_ref().map_or(Bitboard::EMPTY, |board| board.occupied().into_iter().filter(is_marked).collect());
    let finding = findings.add(&RULE, place).message(format!("`{found}` {what}, but no variant is declared")).squares(marked);
    finding.found(found);
    if facts.origin == Origin::Line {
        finding.once_per_input();
    }
}

/// The first mark in a piece placement, and what it means.
fn mark_in(text: &[u8], placement: Span) -> Option<(Span, &'static str)> {
    let bytes = placement.of(text);
    let to_end = |offset: usize| Span::new(placement.start + offset, placement.end);
    if let Some(offset) = bytes.iter().position(|byte| *byte == b'~') {
        let start = placement.start + offset.checked_sub(1)?;
        return Some((Span::new(start, start + 2), "marks a promoted piece, as in crazyhouse"));
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == b'[') {
        return Some((to_end(offset), "lists pieces in hand, as in crazyhouse"));
    }
    let offset = bytes.iter().rposition(|byte| *byte == b'/')?;
    Some((to_end(offset), "follows the last rank, as in crazyhouse before the pieces in hand"))
}
