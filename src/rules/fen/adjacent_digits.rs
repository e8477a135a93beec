//! FEN04: two digits in a row in the piece placement.

use crate::chess::fen::PlacementNotes;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN04"),
    name: "adjacent-digits",
    severity: Severity::Warning,
    summary: "Two digits in a row in the piece placement",
    what: "A run of empty squares is counted by a single digit, so `44` has to be `8`. The board \
        can still be read.",
    why: "Strict parsers reject the position. Equal positions also differ as text.",
    fix: "Replace the digits by their sum.",
    source: "PGN standard 16.1.3.1",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("FEN02"), code!("FEN03")]),
    fires: &[
        Sample::Positions("4k3/⟦44⟧/8/8/8/8/4P3/4K3 w - - 0 1"),
        Sample::Positions("4k3/⟦11111111⟧/8/8/8/8/4P111/4K3 w - - 0 1"),
    ],
    silent: &[Sample::Positions("4k3/8/3P4/8/8/8/8/4K3 w - - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::ADJACENT_DIGITS))
    else {
        return;
    };
    let bytes = placement.of(facts.text);
    let mut runs =
        bytes.chunk_by(|one, other| one.is_ascii_digit() && other.is_ascii_digit()).scan(placement.start, |end, run| {
            let start = *end;
            *end += run.len();
            Some(Span::new(start, *end))
        });
    let sum = |run: Span| run.of(facts.text).iter().map(|digit| u32::from(digit - b'0')).sum::<u32>().to_string();
    let Some(place) = runs.by_ref().find(|run| run.end - run.start > 1) else { return };
    let (squares, length) = (sum(place), place.end - place.start);
    let finding = findings
        .add(&RULE, place)
        .once_if_usual("")
        .found(shown(place.of(facts.text)))
        .expected(squares.as_str())
        .message(format!("{squares} empty squares are written with {length} digits instead of one"));
    // A digit and a piece may have been swapped.
    finding.repair(Certainty::Likely, Patch::replace(facts.text, place, squares));
    for run in runs.filter(|run| run.end - run.start > 1) {
        finding.repair(Certainty::Likely, Patch::replace(facts.text, run, sum(run)));
    }
}
