//! `separators`.

use crate::{
    chess::fen::PlacementNotes,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, facts::PositionFacts, shown},
};

/// FEN09: the fields or ranks of the position are not separated as the standard wants it.
pub static RULE: Rule = Rule {
    code: code!("FEN09"),
    name: "separators",
    severity: Severity::Warning,
    summary: "The fields or ranks of the position are not separated as the standard wants it",
    what: "Exactly one space stands between two fields and `/` between two ranks. Tabs, underscores, runs of blanks, quotes and `position fen` before the position are a warning. Blanks at the end of the line are an info, once per input.",
    why: "Strict readers refuse such a position.",
    fix: "Put one space between fields.",
    source: "PGN standard 1994, section 16.1.3",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦  ⟧w - - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3⟦_⟧w_-_-_0_1"),
        Sample::Positions("⟦position fen ⟧4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1⟦ ⟧"),
        Sample::Positions("4k3⟦\\⟧8\\8\\8\\8\\8\\4P3\\4K3 w - - 0 1"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - -  bm e4;")],
    check: Check::AnyVariantField(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if let Some(place) = facts.fen.irregular {
        findings
            .add(&RULE, place)
            .found(shown(place.of(facts.text)))
            .expected(if place.start == facts.place.start { "" } else { " " })
            .message(fault_of(place.of(facts.text), place.start == facts.place.start))
            .repair = Some(Repair::Certain);
    }
    if let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::SEPARATOR))
        && let Some(offset) = placement.of(facts.text).iter().position(|byte| matches!(byte, b'\\' | b','))
    {
        let place = Span::new(placement.start + offset, placement.start + offset + 1);
        findings
            .add(&RULE, place)
            .found(shown(place.of(facts.text)))
            .expected("/")
            .message("ranks are separated by `/`")
            .repair = Some(Repair::Certain);
    }
    if let Some(place) = facts.fen.trailing_blanks {
        findings
            .add(&RULE, place)
            .severity(Severity::Info)
            .once_per_input()
            .found(shown(place.of(facts.text)))
            .message("blanks stand at the end of the position");
    }
}

/// What is wrong with a text between two fields, or before the first.
fn fault_of(text: &[u8], before_first: bool) -> &'static str {
    let holds = |byte: u8| text.contains(&byte);
    match before_first {
        true if holds(b'f') => "a command of a log stands before the position",
        true if holds(b'"') || holds(b'\'') => "the position stands in quotes",
        true => "blanks stand before the position",
        false if holds(b'_') => "underscores stand between the fields, as in the address of a page",
        false if holds(b'\t') => "a tab stands between two fields, where one space belongs",
        false => "more than one space stands between two fields",
    }
}
