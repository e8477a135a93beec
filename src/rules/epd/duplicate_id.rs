//! `duplicate-id`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span, shown};

/// EPD17: an id stands on different positions.
pub static RULE: Rule = Rule {
    code: code!("EPD17"),
    name: "duplicate-id",
    severity: Severity::Warning,
    summary: "An id stands on different positions",
    what: "Within an input an `id` names one position. The same position may bear its id several times; positions are the same where men, side to move, castling and legal en passant captures are. Reported once for each id, at the first record whose position is another one than that of the first record with the id.",
    why: "Results are looked up by the id, and are taken for those of the other position.",
    fix: "Give one of the positions an id of its own.",
    source: "PGN standard 1994, section 16.2.5.15",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"⟦a.1⟧\";")],
    silent: &[Sample::Positions(
        "4k3/8/8/8/8/8/4P3/4K3 w - - id \"a.1\";\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"a.2\";",
    )],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports that `id` stands at `place` on the position `fen`, and before, first in line `first_line`, on another one; `records` bear
/// it in all.
pub fn report(findings: &mut Findings, place: Span, id: &[u8], fen: &[u8], first_line: u64, records: u64) {
    let found = shown(id);
    let message = format!(
        "the id `{found}` stands on another position already, in line {first_line}; {records} records of this input have it"
    );
    findings.add(&RULE, place).found(found).fen(shown(fen)).message(message);
}
