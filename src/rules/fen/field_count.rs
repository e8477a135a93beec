//! FEN01: the position has too few fields.

use crate::{
    chess::fen::Tail,
    rules::{
        Certainty, Check, Findings, Patch, Rule, Sample, Severity, Span, Yield,
        facts::{Origin, PositionFacts},
        shown,
    },
};

pub static RULE: Rule = Rule {
    code: code!("FEN01"),
    name: "field-count",
    severity: Severity::Error,
    summary: "The position has too few fields",
    what: "A FEN has six fields. An EPD record has four fields, followed by operations. Fewer than \
        four fields are an error, and so is a line or FEN tag without a piece placement. If only counters are missing, this is a warning, and the counter \
        rules do not apply. In a table, a row without a position column is an error, and a \
        row with neither a position nor a game is a warning.",
    why: "Programs fill in missing fields in different ways, or reject the position.",
    fix: "Add the missing fields. If the counters are unknown, write `0 1`.",
    source: "PGN standard 16.1.3, 16.2",
    repairs: Some(Certainty::Likely),
    yields: &[Yield::InRecord(code!("FEN10")), Yield::InRecord(code!("FEN07"))],
    fires: &[
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - -\n⟦These positions are taken from games.⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w -⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w - - 0⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 ;⟧"),
    ],
    silent: &[
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - -"),
        Sample::Positions("% These positions are taken from games.\n8/8/4k3/8/8/4K3/4P3/8 w - -"),
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - - fmvn 40; hmvc 0;"),
    ],
    check: Check::FieldCount(check),
    ..Rule::DEFAULTS
};

/// Reports a table row that ends at `place`, before the position column (`column`, from 1).
pub fn report_short_row(findings: &mut Findings, place: Span, column: usize) {
    findings.add(&RULE, place).message(format!("the row ends before column {column}, the position column"));
}

/// Reports a table cell at `place` whose text, `found`, is empty or is not a position.
pub fn report_no_position(findings: &mut Findings, place: Span, found: &[u8]) {
    let finding = findings.add(&RULE, place);
    if found.trim_ascii().is_empty() {
        finding.severity(Severity::Warning).once_if_usual("row").message("this row has no position");
    } else {
        finding.found(shown(found)).message("this cell does not contain a position");
    }
}

/// Whether only a semicolon, which ends an EPD operation, follows the piece placement.
pub fn ends_after_placement(facts: &PositionFacts<'_>) -> bool {
    facts.fen.count() == 2 && facts.fen.turn().is_some_and(|field| field.of(facts.text) == b";")
}

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let count = facts.fen.count() - usize::from(ends_after_placement(facts));
    let message = match facts.origin {
        Origin::Line => Some("this line does not contain a position"),
        Origin::FenTag if count > 0 => Some("this FEN tag does not contain a position"),
        _ => None,
    };
    if let Some(message) = message.filter(|_| !facts.has_placement()) {
        findings.add(&RULE, facts.place).once_if_usual("line").found(shown(facts.place.of(facts.text))).message(message);
        return;
    }
    let severity = match (count, facts.origin) {
        (6, _) | (4, Origin::Line) => return,
        (4 | 5, _) => Severity::Warning,
        _ => Severity::Error,
    };
    // A halfmove clock that is not a number is reported by FEN07 or FEN08.
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
    let finding = findings
        .add(&RULE, place)
        .severity(severity)
        .once_if_usual(count.to_string())
        .message(format!("{count} of {needed} required fields found; missing: {missing}"));
    if severity == Severity::Warning {
        // The usual counters where the real ones are unknown.
        let counters = if count == 4 { " 0 1" } else { " 1" };
        finding.expected(format!("{found}{counters}"));
        if facts.fen.tail_kind == Tail::Nothing && facts.halfmove_clock.is_none_or(|clock| clock <= 1) {
            finding.repair(Certainty::Likely, Patch::insert(place.end, counters));
        }
    }
    finding.found(found);
}
