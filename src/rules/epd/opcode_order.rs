//! `opcode-order`.

use crate::{
    epd::{Opcode, Operands, Operation, Resolved, integer, near_opcodes, resolve},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::OperationFacts, shown},
};

/// EPD06: opcodes or moves are not in ASCII order, or an opcode is unknown.
pub static RULE: Rule = Rule {
    code: code!("EPD06"),
    name: "opcode-order",
    severity: Severity::Warning,
    summary: "Opcodes or moves are not in ASCII order, or an opcode is unknown",
    what: "The operations of a record stand in the ASCII order of their opcodes, the moves of `bm` and `am` in ASCII order; hardly a suite keeps to that, so that it is an info, once per input. An opcode that the standard does not have is an info, once per input, but for `acd`, `cce` and `D1`, `D2`, ..., which are in wide use. Where such a word is one letter, or capitals, away from a single opcode whose operands these could be, or is itself a legal move, that is a warning, once per input and word.",
    why: "Readers pass over an opcode they do not know; the order makes records comparable.",
    fix: "Correct the opcode; sort the operations where they are to be compared.",
    source: "PGN standard 1994, sections 16.2.4 and 16.2.5",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦bn⟧ e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦xyz⟧ 3;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - dm 12; ⟦bm⟧ e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 ⟦Kd1⟧;"),
    ],
    silent: &[
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - D1 6; acd 12; bm Kd1 e4; c0 "x"; id "y";"#),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut before: &[u8] = b"";
    let mut in_order = facts.position_checks.order;
    let mut unknown_opcodes = 0;
    for operation in &facts.operations.list {
        let opcode = operation.opcode.of(facts.text);
        // What is no identifier is none of this rule's business.
        if !opcode.first().is_some_and(u8::is_ascii_alphabetic) || opcode.len() > 15 {
            continue;
        }
        if operation.kind == Opcode::Other {
            unknown_opcodes += 1;
            unknown(facts, operation, unknown_opcodes, findings);
        }
        if in_order && opcode < before {
            in_order = false;
            findings
                .add(&RULE, operation.opcode)
                .severity(Severity::Info)
                .once_per_input_and("operations")
                .found(shown(opcode))
                .message(format!("`{}` stands behind `{}`: operations are in ASCII order", shown(opcode), shown(before)));
        }
        before = opcode;
        if facts.position_checks.order && matches!(operation.kind, Opcode::Am | Opcode::Bm) {
            moves(facts, operation, findings);
        }
    }
}

/// The order of the moves of an operation.
fn moves(facts: &OperationFacts<'_>, operation: &Operation, findings: &mut Findings) {
    let mut before: &[u8] = b"";
    for place in operation.move_words(facts.text) {
        let word = place.of(facts.text);
        if !word.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        if word < before {
            findings.add(&RULE, place).severity(Severity::Info).once_per_input_and("moves").found(shown(word)).message(format!(
                "`{}` stands behind `{}`: moves are in ASCII order",
                shown(word),
                shown(before)
            ));
            return;
        }
        before = word;
    }
}

/// Of more unknown opcodes in one record it is not asked what they may mean: that is no EPD.
const MOST_GUESSED: u32 = 100;

/// An opcode that is not known, the `ordinal`-th of its record.
#[cold]
fn unknown(facts: &OperationFacts<'_>, operation: &Operation, ordinal: u32, findings: &mut Findings) {
    let opcode = operation.opcode.of(facts.text);
    let found = shown(opcode);
    let mut near = near_opcodes(opcode).filter(|(_, kind)| ordinal <= MOST_GUESSED && fits(facts, operation, *kind));
    if let (Some((likely, _)), None) = (near.next(), near.next()) {
        let finding = findings
            .add(&RULE, operation.opcode)
            .once_per_input_and(found.as_str())
            .expected(likely)
            .message(format!("`{found}` is no opcode; `{likely}` may be meant"));
        finding.repair = Some(Repair::Likely);
        finding.found = found;
    } else if facts.start.is_some_and(|start| matches!(resolve(start, opcode), Resolved::Move(_))) {
        let finding = findings
            .add(&RULE, operation.opcode)
            .once_per_input_and("move")
            .expected(format!("bm {found}"))
            .message(format!("`{found}` is a move where an opcode is expected; `bm` may be missing before it"));
        finding.repair = Some(Repair::Likely);
        finding.found = found;
    } else {
        findings
            .add(&RULE, operation.opcode)
            .severity(Severity::Info)
            .once_per_input_and("unknown")
            .message(format!("`{found}` is no opcode of the standard"))
            .found(found);
    }
}

/// Whether the operands of an operation could be those of `kind`.
fn fits(facts: &OperationFacts<'_>, operation: &Operation, kind: Opcode) -> bool {
    // An opcode stands once in a record.
    if facts.first(kind).is_some() {
        return false;
    }
    let count = operation.operands(facts.text).count();
    let mut operands = operation.operands(facts.text);
    match kind.operands() {
        Operands::None => count == 0,
        Operands::Integer(..) => {
            count == 1 && operands.all(|operand| !operand.quoted && integer(operand.place.of(facts.text)).is_some())
        }
        Operands::Move | Operands::Moves => {
            count > 0
                && facts.start.is_some_and(|start| {
                    operation
                        .move_words(facts.text)
                        .next()
                        .is_some_and(|word| matches!(resolve(start, word.of(facts.text)), Resolved::Move(_)))
                })
        }
        Operands::Text | Operands::TextOrNone => count == 1 && operands.all(|operand| operand.quoted),
        Operands::TwoTexts => count == 2 && operands.all(|operand| operand.quoted),
        Operands::Any => false,
    }
}
