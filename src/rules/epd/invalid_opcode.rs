//! EPD02: opcodes that are not identifiers.

use super::unknown_or_unsorted_opcode::{MAX_CORRECTIONS, fits};
use crate::epd::{Closing, Opcode, Operands, Operation, near_opcodes};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD02"),
    name: "invalid-opcode",
    severity: Severity::Error,
    summary: "An opcode is not an identifier",
    what: "The opcode does not start with a letter, or contains something other than ASCII \
           letters, digits and underscores, or has more than 15 characters. A name followed by `:` \
           or `=`, as in `PV:` and `v=-328`, is a warning. If 20 or more records have the same \
           fault, it is reported once per input.",
    why: "The operation cannot be read.",
    fix: "Correct the opcode. Check for a missing or misplaced semicolon before it.",
    source: "PGN standard 16.2.4",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦12⟧ 13;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦v=-328⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦PV:⟧ e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦id\"e4\"⟧;"),
    ],
    silent: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 "12 13";"#)],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Maximum length of an opcode.
const MAX_OPCODE: usize = 15;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut corrections = 0;
    for operation in &facts.operations.list {
        let opcode = operation.opcode.of(facts.text);
        let is_identifier = opcode.first().is_some_and(u8::is_ascii_alphabetic)
            && opcode.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if is_identifier && opcode.len() <= MAX_OPCODE {
            continue;
        }
        // The opcode of another dialect, such as `PV:` or `v=-328`, or something else, such as
        // `12`.
        let name = opcode.split(|byte| matches!(byte, b':' | b'=')).next().unwrap_or_default();
        let is_dialect = name.len() < opcode.len()
            && name.first().is_some_and(u8::is_ascii_alphabetic)
            && name.iter().all(u8::is_ascii_alphanumeric);
        let kind = if is_dialect { shown(name) } else { String::new() };
        let severity = if is_dialect { Severity::Warning } else { Severity::Error };
        let reason = if is_identifier { "has more than 15 characters" } else { "is not an identifier" };
        let found = shown(opcode);
        let message = format!("the opcode `{found}` {reason}");
        let finding = findings.add(&RULE, operation.opcode).severity(severity).grouped(kind).message(message).found(found);
        if let Some(at) =
            opcode.iter().position(|byte| *byte == b'"').filter(|at| begins_string(facts, &opcode[..*at], operation))
        {
            finding.repair(Certainty::Certain, Patch::insert(operation.opcode.start + at, *b" "));
        }
        let is_followed_by_operands = name.len() + 1 == opcode.len();
        let meant = near_opcodes(name).find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
        if let Some((known, kind)) = meant
            && is_dialect
            && is_followed_by_operands
            && corrections < MAX_CORRECTIONS
            && fits(facts, operation, kind)
        {
            corrections += 1;
            finding.repair(Certainty::Likely, Patch::replace(facts.text, operation.opcode, known)).expected(known);
        }
    }
}

/// Whether only the space between the opcode `name` and its string is missing.
fn begins_string(facts: &OperationFacts<'_>, name: &[u8], operation: &Operation) -> bool {
    let kind = Opcode::read(name);
    let text = Span::new(operation.opcode.start + name.len(), operation.operands.end.max(operation.opcode.end)).of(facts.text);
    let quotes = text.iter().filter(|byte| **byte == b'"').count();
    matches!(kind.operands(), Operands::Text | Operands::TextOrNone)
        && operation.closing == Closing::Semicolon
        && facts.first(kind).is_none()
        && quotes == 2
        && text.ends_with(b"\"")
}
