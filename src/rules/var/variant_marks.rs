//! `variant-marks`.

use crate::{
    chess::fen::PlacementNotes,
    rules::{
        Check, Findings, Rule, Sample, Severity, Span,
        facts::{Origin, PositionFacts},
        shown,
    },
};

/// VAR05: a record of standard chess bears marks of a variant.
pub static RULE: Rule = Rule {
    code: code!("VAR05"),
    name: "variant-marks",
    severity: Severity::Warning,
    summary: "A record of standard chess bears marks of a variant",
    what: "`~` behind a promoted man and men in hand, in brackets or behind a ninth `/`, belong to crazyhouse and its kin, counts of checks (`3+3`, `+0+0`) to three-check. Games whose Variant tag names such a variant are spared; in files of positions, which have no tags, the rule reports once per input. The board and the other fields are judged without the marks.",
    why: "Readers of standard chess refuse the position, or take the marks for men or counters.",
    fix: "Take the marks out, or name the variant in a Variant tag.",
    source: "Crazyhouse and three-check FEN as Lichess, chess.com and XBoard write them",
    fires: &[
        Sample::Positions("rnb1kbnr/ppp1pppp/8/3⟦q~⟧4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 9"),
        Sample::Positions("rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR⟦[Pp]⟧ w KQkq - 0 9"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR⟦/⟧ w KQkq - 0 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ⟦3+3⟧ 0 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ⟦+0+0⟧"),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1\"]\n[Variant \"Crazyhouse\"]\n\n*\n",
    )],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let marked = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::VARIANT_MARKS));
    let (place, what) = match (marked.and_then(|placement| mark_in(facts.text, placement)), facts.fen.checks) {
        (Some(found), _) => found,
        (None, Some(place)) => (place, "counts checks, as three-check does"),
        (None, None) => return,
    };
    let found = shown(place.of(facts.text));
    let finding =
        findings.add(&RULE, place).message(format!("`{found}` {what}, and nothing says that this is no standard chess"));
    finding.found(found);
    if facts.origin == Origin::Line {
        finding.once_per_input();
    }
}

/// The first mark in a placement, and what it means.
fn mark_in(text: &[u8], placement: Span) -> Option<(Span, &'static str)> {
    let bytes = placement.of(text);
    let to_end = |offset: usize| Span::new(placement.start + offset, placement.end);
    if let Some(offset) = bytes.iter().position(|byte| *byte == b'~') {
        let start = placement.start + offset.checked_sub(1)?;
        return Some((Span::new(start, start + 2), "marks a promoted man, as crazyhouse does"));
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == b'[') {
        return Some((to_end(offset), "holds the men in hand, as crazyhouse does"));
    }
    let offset = bytes.iter().rposition(|byte| *byte == b'/')?;
    Some((to_end(offset), "stands behind the eighth rank, where crazyhouse has the men in hand"))
}
