//! `duplicate-opcode`.

use crate::rules::{Check, Code, Family, Findings, Rule, Sample, Severity, facts::OperationFacts, shown};

/// EPD05: an opcode stands twice in one record.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Epd, 5),
    name: "duplicate-opcode",
    severity: Severity::Warning,
    summary: "An opcode stands twice in one record",
    what: "An opcode is used once in a record at most.",
    why: "Most readers keep the last one only.",
    fix: "Join the operands, or take one out.",
    source: "PGN standard 1994, section 16.2.4",
    reachability: false,
    yields: &[],
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦bm⟧ e3;")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; am e3;")],
    check: Check::Operations(check),
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let list = &facts.operations.list;
    if list.len() < 2 {
        return;
    }
    let mut seen = std::collections::HashSet::new();
    for operation in list {
        let opcode = operation.opcode.of(facts.text);
        if !seen.insert(opcode) {
            let found = shown(opcode);
            findings.add(&RULE, operation.opcode).message(format!("`{found}` stands more than once in this record")).found(found);
        }
    }
}
