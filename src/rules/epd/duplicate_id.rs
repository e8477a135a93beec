//! EPD17: ids that are used for different positions.

use crate::{
    rules::{Check, Findings, Rule, Sample, Severity, Span, shown},
    text::wording::quantity,
};

pub static RULE: Rule = Rule {
    code: code!("EPD17"),
    name: "duplicate-id",
    severity: Severity::Warning,
    summary: "The same id is used for different positions",
    what: "Within an input, two records with the same `id` have different positions. Pieces, side \
           to move, castling rights and legal en passant captures are compared. Each id is \
           reported once, at the first record whose position differs from that of the first \
           record with this id.",
    why: "Results are looked up by id, so they are assigned to the wrong position.",
    fix: "Give one of the positions an id of its own.",
    source: "PGN standard 16.2.5.15",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"⟦a.1⟧\";")],
    silent: &[Sample::Positions(
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"a.2\";",
    )],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports the `id` at `place`, which belongs to the position `fen` here and to another one in line
/// `first_line`. In all, `records` records have it.
pub fn report(findings: &mut Findings, place: Span, id: &[u8], fen: &[u8], first_line: u64, records: u64) {
    let found = shown(id);
    let count = quantity(records, "record", "records");
    let message =
        format!("the id `{found}` is already used for another position in line {first_line}; {count} of this input have it");
    findings.add(&RULE, place).found(found).fen(shown(fen)).message(message);
}
