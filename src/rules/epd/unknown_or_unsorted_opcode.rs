//! EPD06: unknown opcodes, and opcodes or moves that are not sorted.

use shakmaty::san::SanPlus;

use super::arrow;
use crate::chess::Arrow;
use crate::epd::{Closing, Opcode, Operands, Operation, Resolved, integer, near_opcodes, resolve};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD06"),
    name: "unknown-or-unsorted-opcode",
    severity: Severity::Warning,
    summary: "An opcode is unknown, or opcodes or moves are unsorted",
    what: "An unknown opcode is a warning if it looks like a typing error or is a legal move \
           without `bm` before it. Other unknown opcodes are infos; `acd`, `cce` and the perft \
           counts `D1`, `D2`, ... are accepted. Opcodes that are not in ASCII order are infos, \
           and so are the moves of `bm` and `am`. Each kind is reported once per input, and each \
           misspelled opcode once.",
    why: "Parsers silently skip an opcode that they do not know. A fixed order makes records \
           comparable.",
    fix: "Correct the opcode. Sort the operations if records are to be compared.",
    source: "PGN standard 16.2.4, 16.2.5",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦bn⟧ e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦BM⟧ e4;"),
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

/// An unknown opcode looks like a typing error if exactly one known opcode differs from it by one
/// letter or in case, and its operands fit that opcode.
fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut before: &[u8] = b"";
    let mut in_order = facts.position_checks.opcode_order;
    let mut unknown_opcodes = 0;
    for operation in &facts.operations.list {
        let opcode = operation.opcode.of(facts.text);
        // EPD02 reports opcodes that are not identifiers.
        let is_identifier = opcode.first().is_some_and(u8::is_ascii_alphabetic)
            && opcode.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        if !is_identifier || opcode.len() > 15 {
            continue;
        }
        if operation.kind == Opcode::Other {
            unknown_opcodes += 1;
            report_unknown(facts, operation, unknown_opcodes, findings);
        }
        if in_order && opcode < before {
            in_order = false;
            let finding = findings.add(&RULE, operation.opcode);
            if let Some(patch) = sorted_operations(facts) {
                finding.repair(Certainty::Likely, patch);
            }
            finding.severity(Severity::Info).once_per_input_and("operations").found(shown(opcode)).message(format!(
                "`{}` follows `{}`: operations are not in ASCII order",
                shown(opcode),
                shown(before)
            ));
        }
        before = opcode;
        if facts.position_checks.opcode_order && matches!(operation.kind, Opcode::Am | Opcode::Bm) {
            check_moves(facts, operation, findings);
        }
    }
}

/// Reports moves of an operation that are not in ASCII order.
fn check_moves(facts: &OperationFacts<'_>, operation: &Operation, findings: &mut Findings) {
    let mut before: &[u8] = b"";
    for place in operation.move_words(facts.text) {
        let word = place.of(facts.text);
        if !word.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        if word < before {
            let played = facts.moves.iter().find(|played| played.place.start == place.start).and_then(arrow);
            let finding = findings.add(&RULE, place);
            if let Some(patch) = sorted_moves(facts, operation) {
                finding.repair(Certainty::Likely, patch);
            }
            finding
                .severity(Severity::Info)
                .once_per_input_and("moves")
                .found(shown(word))
                .message(format!("`{}` follows `{}`: moves are not in ASCII order", shown(word), shown(before)))
                .written(played);
            return;
        }
        before = word;
    }
}

/// Sorts the operations. Each has to end with a semicolon.
fn sorted_operations(facts: &OperationFacts<'_>) -> Option<Patch> {
    let (list, text) = (&facts.operations.list, facts.text);
    let (first, last) = (list.first()?, list.last()?);
    let is_regular = |operation: &Operation| {
        operation.closing == Closing::Semicolon
            && operation.operands.start > operation.opcode.start
            && operation.open_quote.is_none()
            && operation.opcode.of(text).iter().all(u8::is_ascii_alphanumeric)
    };
    // A misspelled opcode has another place.
    let is_misspelled =
        |operation: &Operation| operation.kind == Opcode::Other && near_opcodes(operation.opcode.of(text)).next().is_some();
    if !list.iter().all(is_regular) || list.iter().any(is_misspelled) {
        return None;
    }
    let mut sorted: Vec<&Operation> = list.iter().collect();
    sorted.sort_by_key(|operation| operation.opcode.of(text));
    // The spaces between the operations stay where they are.
    let gaps = list.windows(2).map(|pair| Span::new(pair[0].end(text), pair[1].opcode.start).of(text));
    let mut new = Vec::new();
    for (operation, gap) in sorted.into_iter().zip(gaps.chain([&b""[..]])) {
        new.extend_from_slice(Span::new(operation.opcode.start, operation.end(text)).of(text));
        new.extend_from_slice(gap);
    }
    Some(Patch::replace(text, Span::new(first.opcode.start, last.end(text)), new))
}

/// Sorts the moves of an operation. All of them have to be plain words.
fn sorted_moves(facts: &OperationFacts<'_>, operation: &Operation) -> Option<Patch> {
    let text = facts.text;
    let is_plain = |word: &[u8]| word.first().is_some_and(u8::is_ascii_alphabetic) && !word.contains(&b',');
    let mut words: Vec<&[u8]> = operation.operands(text).map(|operand| operand.place.of(text)).collect();
    if !operation.operands(text).all(|operand| !operand.quoted && is_plain(operand.place.of(text))) {
        return None;
    }
    words.sort_unstable();
    Some(Patch::replace(text, operation.operands, words.join(&b' ')))
}

/// Maximum number of unknown opcodes in a record for which a correction is looked for: a record
/// with more is not EPD.
pub(super) const MAX_CORRECTIONS: u32 = 100;

/// Reports an unknown opcode, number `ordinal` of its record.
#[cold]
fn report_unknown(facts: &OperationFacts<'_>, operation: &Operation, ordinal: u32, findings: &mut Findings) {
    let opcode = operation.opcode.of(facts.text);
    let found = shown(opcode);
    let mut near = near_opcodes(opcode).filter(|(_, kind)| ordinal <= MAX_CORRECTIONS && fits(facts, operation, *kind));
    if let (Some((likely, kind)), None) = (near.next(), near.next()) {
        let is_certain = likely.as_bytes().eq_ignore_ascii_case(opcode) && are_sound(facts, operation, kind);
        let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
        let finding = findings
            .add(&RULE, operation.opcode)
            .once_per_input_and(found.as_str())
            .expected(likely)
            .repair(certainty, Patch::replace(facts.text, operation.opcode, likely))
            .message(format!("`{found}` is not an opcode: probably `{likely}` is meant"));
        finding.found = found;
    } else if let Some(Resolved::Move(played)) = facts.start.map(|start| resolve(start, opcode)) {
        let finding = findings
            .add(&RULE, operation.opcode)
            .once_per_input_and("move")
            .expected(format!("bm {found}"))
            .repair(Certainty::Likely, Patch::insert(operation.opcode.start, *b"bm "))
            .written(Arrow::of(played))
            .message(format!("`{found}` is a move instead of an opcode: probably `bm` is missing before it"));
        finding.found = found;
    } else {
        findings
            .add(&RULE, operation.opcode)
            .severity(Severity::Info)
            .once_per_input_and("unknown")
            .message(format!("`{found}` is not an opcode of the standard"))
            .found(found);
    }
}

/// Whether the operands of an operation are those of `kind` in canonical spelling, so that another
/// opcode reveals no other fault.
fn are_sound(facts: &OperationFacts<'_>, operation: &Operation, kind: Opcode) -> bool {
    let text = facts.text;
    match kind.operands() {
        // Those of a variation are moves in other positions.
        Operands::Move | Operands::Moves => facts.start.is_some_and(|start| {
            let is_san = |word: Span| matches!(resolve(start, word.of(text)), Resolved::Move(played) if SanPlus::from_move(start.clone(), played).to_string().as_bytes() == word.of(text));
            kind != Opcode::Pv && operation.move_words(text).all(is_san) && operation.operands(text).all(|operand| !operand.quoted)
        }),
        Operands::Integer(min, max) => facts.integer(operation).is_some_and(|value| (min..=max).contains(&value)) && kind != Opcode::Dm,
        _ => true,
    }
}

/// Whether the operands of an operation could be those of `kind`.
pub(super) fn fits(facts: &OperationFacts<'_>, operation: &Operation, kind: Opcode) -> bool {
    // An opcode occurs only once in a record.
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
