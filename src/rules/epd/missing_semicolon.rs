//! EPD03: operations without a semicolon.

use super::invalid_operand;
use crate::epd::{Closing, Opcode, Operands, Operation, Resolved};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD03"),
    name: "missing-semicolon",
    severity: Severity::Error,
    summary: "An operation does not end with a semicolon",
    what: "Every operation ends with `;`. An opcode among the moves or numbers of another \
           operation is an error, and a last operation that ends with the line is a warning. Two \
           dialects are infos, reported once per input: a semicolon before the first operation, \
           as in `;D1 20 ;D2 400`, and operations after six fields without any semicolon.",
    why: "Parsers read the next operation as operands of this one.",
    fix: "Add the missing semicolon.",
    source: "PGN standard 16.2.4",
    repairs: Some(Certainty::Certain),
    yields: &in_record([code!("EPD02")]),
    fires: &[
        Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4⟦⟧ id "x";"#),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; dm 30⟦⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦;⟧ bm e4; id x"),
    ],
    silent: &[Sample::Positions(r#"4k3/8/8/8/8/8/4P3/4K3 w - - bm e3 e4; id "x; bm";"#)],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Maximum number of operations without any semicolon that have a repair.
const MAX_BARE: usize = 100;

/// Maximum number of patches of operands.
const MAX_OPERANDS: usize = 100;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mark = findings.len();
    report(facts, findings);
    let Some(first) = findings.since(mark).first_mut().filter(|first| first.repair.is_some()) else { return };
    // EPD07 yields to this rule, so its repairs are part of this one.
    let mut operands = Findings::new();
    invalid_operand::check(facts, &mut operands);
    let repairs = operands.all().iter().filter_map(|finding| finding.repair.as_deref());
    for repair in repairs.take(MAX_OPERANDS) {
        repair.patches.iter().for_each(|patch| _ = first.repair(repair.certainty, patch.clone()));
    }
}

fn report(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let list = &facts.operations.list;
    let insert = |operation: &Operation| Patch::insert(operation.end(facts.text), *b";");
    if let Some(place) = facts.operations.leading_semicolon {
        let finding = findings.add(&RULE, place);
        let spaces = facts.text[place.end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let last = list.last();
        if place.start > facts.fen.position().end
            && let Some(last) = last.filter(|last| last.open_quote.is_none() && last.closing != Closing::NextOpcode)
        {
            // What follows may be a remark.
            finding.repair(Certainty::Likely, Patch::remove(facts.text, Span::new(place.start, place.end + spaces)));
            if last.closing == Closing::LineEnd {
                finding.repair(Certainty::Likely, insert(last));
            }
        }
        finding
            .severity(Severity::Info)
            .once_per_input_and("leading")
            .found(";")
            .message("a semicolon comes before the first operation: here semicolons separate operations instead of ending them");
    }
    let is_without_semicolons = facts.fen.count() == 6
        && facts.operations.leading_semicolon.is_none()
        && list.iter().all(|operation| operation.closing != Closing::Semicolon);
    for (index, operation) in list.iter().enumerate() {
        let end = operation.operands.end.max(operation.opcode.end);
        let place = Span::new(end, end);
        let opcode = shown(operation.opcode.of(facts.text));
        match operation.closing {
            Closing::Semicolon => {}
            Closing::NextOpcode if !is_without_semicolons => {
                let is_sound =
                    has_sound_operands(facts, index) && list.get(index + 1).is_some_and(|next| next.open_quote.is_none());
                let certainty = if is_sound { Certainty::Certain } else { Certainty::Likely };
                findings
                    .add(&RULE, place)
                    .once_if_usual("between")
                    .expected(";")
                    .repair(certainty, insert(operation))
                    .message(format!("`;` is missing between the operation `{opcode}` and the next one"));
            }
            Closing::LineEnd if invalid_operand::counters_after(facts, operation).is_some() => {}
            Closing::LineEnd
                if !is_without_semicolons && facts.operations.leading_semicolon.is_none() && operation.open_quote.is_none() =>
            {
                // A variation may be cut off, and other operands than one integer may be another
                // fault.
                let is_integer = matches!(operation.kind.operands(), Operands::Integer(..));
                let is_whole = operation.kind != Opcode::Pv
                    && (!is_integer || facts.integer(operation).is_some())
                    && operation.operands.of(facts.text).last().is_some_and(|last| last.is_ascii_alphanumeric() || *last == b'"');
                let certainty = if is_whole { Certainty::Certain } else { Certainty::Likely };
                findings
                    .add(&RULE, place)
                    .severity(Severity::Warning)
                    .once_if_usual("last")
                    .expected(";")
                    .repair(certainty, insert(operation))
                    .message(format!("`;` is missing after the last operation, `{opcode}`"));
            }
            Closing::NextOpcode | Closing::LineEnd => {}
        }
    }
    if is_without_semicolons && let Some(last) = list.last().filter(|last| last.open_quote.is_none()) {
        let end = last.operands.end.max(last.opcode.end);
        let finding = findings.add(&RULE, Span::new(end, end));
        for operation in list.iter().rev().filter(|_| list.len() <= MAX_BARE) {
            finding.repair(Certainty::Likely, insert(operation));
        }
        finding
            .severity(Severity::Info)
            .once_per_input_and("bare")
            .expected(";")
            .message("operations follow six fields without any semicolon");
    }
}

/// Whether an operation has the operands that its opcode takes, and nothing else before the opcode
/// of the next one.
fn has_sound_operands(facts: &OperationFacts<'_>, index: usize) -> bool {
    let operation = &facts.operations.list[index];
    let first = facts.moves.partition_point(|word| word.operation < index);
    let words = || facts.moves[first..].iter().take_while(|word| word.operation == index);
    let are_moves = words().count() > 0 && words().all(|word| matches!(word.resolved, Resolved::Move(_)));
    // A separator may be another fault.
    if !operation.operands.of(facts.text).last().is_some_and(|last| last.is_ascii_alphanumeric() || matches!(last, b'+' | b'#')) {
        return false;
    }
    match operation.kind.operands() {
        Operands::Integer(min, max) => facts.integer(operation).is_some_and(|value| (min..=max).contains(&value)),
        Operands::Move => are_moves && words().count() == 1,
        Operands::Moves => are_moves && operation.operands(facts.text).all(|operand| !operand.quoted),
        _ => false,
    }
}
