//! `board-shape`.

use crate::{
    chess::fen::{PlacementNotes, written_ranks},
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

/// FEN02: the piece placement does not describe eight ranks of eight squares.
pub static RULE: Rule = Rule {
    code: code!("FEN02"),
    name: "board-shape",
    severity: Severity::Error,
    summary: "The piece placement does not describe eight ranks of eight squares",
    what: "Ranks are separated by `/`, the eighth one first; in each, digits from 1 to 8 count empty squares, and squares add up to eight. The first rank that does not add up is marked, the message names all of them.",
    why: "Nobody can tell which square the men stand on; readers shift the rest of the board or crash.",
    fix: "Correct the rank that is named.",
    source: "PGN standard 1994, section 16.1.3.1",
    yields: &[Yield::InRecord(code!("FEN03"))],
    fires: &[
        Sample::Positions("4k3/8/⟦9⟧/8/8/8/8/4K3 w - - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/8/⟦4K2⟧ w - - 0 1"),
        Sample::Positions("⟦4k3/8/8/8/8/8/4K3⟧ w - - 0 1"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/7P/4K3 w - - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::SHAPE)) else { return };
    let ranks = || written_ranks(facts.text, placement);
    let count = ranks().count();
    if count != 8 {
        findings
            .add(&RULE, placement)
            .found(shown(placement.of(facts.text)))
            .message(format!("the board has {count} ranks instead of 8"));
        return;
    }
    let wrong = |bytes: &[u8]| bytes.iter().any(|byte| matches!(byte, b'0' | b'9'));
    let mut place = None;
    let mut faults = Vec::new();
    for rank in ranks() {
        if rank.squares != 8 {
            faults.push(format!("rank {} has {} squares instead of 8", rank.number, rank.squares));
        } else if wrong(rank.place.of(facts.text)) {
            faults.push(format!("rank {} holds a digit that is not 1 to 8", rank.number));
        } else {
            continue;
        }
        place = place.or(Some(rank.place));
    }
    let place = place.unwrap_or(placement);
    findings.add(&RULE, place).found(shown(place.of(facts.text))).message(faults.join(", "));
}
