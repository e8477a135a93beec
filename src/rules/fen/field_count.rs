//! `field-count`.

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity, Span, Yield,
    facts::{Origin, PositionFacts},
    shown,
};

/// FEN01: the position has not the number of fields that its kind of record has.
pub static RULE: Rule = Rule {
    code: code!("FEN01"),
    name: "field-count",
    severity: Severity::Error,
    summary: "The position has not the number of fields that its kind of record has",
    what: "A FEN has six fields; an EPD record has four, then operations. Fewer than four fields are an error. A FEN without one or both counters is a warning: the moves can be replayed, the counters are not judged. Four fields are right in a line of an EPD file. In a table, a row that ends before the column of positions is an error, a cell of that column in which nothing stands a warning.",
    why: "Readers fill in missing fields each in its own way, or refuse the position.",
    fix: "Add the missing fields; `0 1` is usual where the counters are unknown.",
    source: "PGN standard 1994, sections 16.1.3 and 16.2",
    yields: &[Yield::InRecord(code!("FEN10")), Yield::InRecord(code!("FEN07"))],
    fires: &[Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w -⟧"), Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w - - 0⟧")],
    silent: &[
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - -"),
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - - fmvn 40; hmvc 0;"),
    ],
    check: Check::FieldCount(check),
    ..Rule::DEFAULTS
};

/// Notes that a row of a table holds no position: it ends at `place`, before the column of that number (from 1).
pub fn report_short_row(findings: &mut Findings, place: Span, column: usize) {
    findings.add(&RULE, place).message(format!("the row ends before column {column}, where its position would stand"));
}

/// Notes that nothing, or nothing of a position, stands in the cell at `place` of a table, `found`.
pub fn report_no_position(findings: &mut Findings, place: Span, found: &[u8]) {
    let finding = findings.add(&RULE, place);
    if found.trim_ascii().is_empty() {
        finding.severity(Severity::Warning).message("no position stands in this row");
    } else {
        finding.found(shown(found)).message("what stands in this cell is no position");
    }
}

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let count = facts.fen.count();
    let severity = match (count, facts.origin) {
        (6, _) | (4, Origin::Line) => return,
        (4 | 5, _) => Severity::Warning,
        _ => Severity::Error,
    };
    // A clock that is no number at all is reported as such.
    if count == 5 && facts.halfmove_clock.is_none() {
        return;
    }
    let names = [
        "piece placement",
        "side to move",
        "castling availability",
        "en passant target square",
        "halfmove clock",
        "fullmove number",
    ];
    let needed = if severity == Severity::Error && facts.origin == Origin::Line { 4 } else { 6 };
    let missing = names.get(count..needed).unwrap_or_default().join(", ");
    let place = if count == 0 { facts.place } else { facts.fen.position() };
    let found = shown(place.of(facts.text));
    let finding =
        findings.add(&RULE, place).severity(severity).message(format!("{count} of 6 fields are there; missing: {missing}"));
    if severity == Severity::Warning {
        // What is usual where the counters are unknown.
        finding.expected(format!("{found}{}", if count == 4 { " 0 1" } else { " 1" }));
        finding.repair = Some(Repair::Likely);
    }
    finding.found(found);
}
