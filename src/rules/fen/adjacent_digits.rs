//! `adjacent-digits`.

use crate::{
    chess::fen::PlacementNotes,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, Yield, facts::PositionFacts, shown},
};

/// FEN04: two digits follow each other in the piece placement.
pub static RULE: Rule = Rule {
    code: code!("FEN04"),
    name: "adjacent-digits",
    severity: Severity::Warning,
    summary: "Two digits follow each other in the piece placement",
    what: "Empty squares are counted by one digit from 1 to 8 for each run of them: `44` stands for `8`. The board is known all the same.",
    why: "Strict readers refuse such a position, and equal positions differ as text.",
    fix: "Replace the digits by their sum.",
    source: "PGN standard 1994, section 16.1.3.1",
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
    let finding = findings
        .add(&RULE, place)
        .found(shown(place.of(facts.text)))
        .expected(sum.to_string())
        .message(format!("{sum} empty squares are counted by {length} digits"));
    finding.repair = Some(Repair::Certain);
}
