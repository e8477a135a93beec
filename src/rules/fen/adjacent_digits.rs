//! FEN04: two digits in a row in the piece placement.

use crate::{
    chess::fen::PlacementNotes,
    rules::{Check, Findings, Rule, Sample, Severity, Span, Yield, facts::PositionFacts, shown},
};

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
    yields: &[Yield::InRecord(code!("FEN02")), Yield::InRecord(code!("FEN03"))],
    fires: &[Sample::Positions("4k3/⟦44⟧/8/8/8/8/4P3/4K3 w - - 0 1")],
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
    let Some(offset) = bytes.windows(2).position(|pair| pair.iter().all(u8::is_ascii_digit)) else { return };
    let length = bytes[offset..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let place = Span::new(placement.start + offset, placement.start + offset + length);
    let sum: u32 = place.of(facts.text).iter().map(|digit| u32::from(digit - b'0')).sum();
    let _finding = findings
        .add(&RULE, place)
        .found(shown(place.of(facts.text)))
        .expected(sum.to_string())
        .message(format!("{sum} empty squares are written with {length} digits instead of one"));
}
