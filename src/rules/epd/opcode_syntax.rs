//! `opcode-syntax`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::OperationFacts, shown};

/// EPD02: an opcode is no identifier.
pub static RULE: Rule = Rule {
    code: code!("EPD02"),
    name: "opcode-syntax",
    severity: Severity::Error,
    summary: "An opcode is no identifier",
    what: "An opcode begins with a letter, goes on with letters, digits and underscores, and has fifteen characters at most.",
    why: "The operation cannot be read.",
    fix: "Correct the opcode; look whether a semicolon stands at the wrong place.",
    source: "PGN standard 1994, section 16.2.4",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦12⟧ 13;")],
    silent: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 "12 13";"#)],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for operation in &facts.operations.list {
        let opcode = operation.opcode.of(facts.text);
        let identifier = opcode.first().is_some_and(u8::is_ascii_alphabetic)
            && opcode.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if identifier && opcode.len() <= 15 {
            continue;
        }
        let reason = if identifier { "is longer than fifteen characters" } else { "is no identifier" };
        let found = shown(opcode);
        findings.add(&RULE, operation.opcode).message(format!("the opcode `{found}` {reason}")).found(found);
    }
}
