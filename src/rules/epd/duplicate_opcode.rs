//! EPD05: opcodes that occur more than once.

use crate::epd::{Closing, Operation};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD05"),
    name: "duplicate-opcode",
    severity: Severity::Warning,
    summary: "An opcode occurs more than once in a record",
    what: "Two operations of the same record have the same opcode. The standard allows each \
           opcode only once.",
    why: "Most parsers keep only the last one.",
    fix: "Merge the operands, or remove one of the operations.",
    source: "PGN standard 16.2.4",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦bm⟧ e3;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ⟦bm⟧ e4; id \"x\";"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - am e3; bm e4;")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Maximum number of operations that are compared pair by pair. Longer records are sorted.
const MAX_PAIRWISE: usize = 16;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let list = &facts.operations.list;
    let opcode = |index: usize| list[index].opcode.of(facts.text);
    if list.len() <= MAX_PAIRWISE {
        for index in 1..list.len() {
            if (0..index).any(|earlier| list[earlier].kind == list[index].kind && opcode(earlier) == opcode(index)) {
                report(facts, index, findings);
            }
        }
        return;
    }
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|&index| (opcode(index), index));
    let mut duplicates: Vec<usize> =
        order.windows(2).filter(|pair| opcode(pair[0]) == opcode(pair[1])).map(|pair| pair[1]).collect();
    duplicates.sort_unstable();
    for index in duplicates {
        report(facts, index, findings);
    }
}

#[cold]
fn report(facts: &OperationFacts<'_>, index: usize, findings: &mut Findings) {
    let place = facts.operations.list[index].opcode;
    let found = shown(place.of(facts.text));
    let finding = findings.add(&RULE, place).once_if_usual("").message(format!("`{found}` occurs more than once in this record"));
    if let Some(patch) = without_copy(facts, index) {
        finding.repair(Certainty::Certain, patch);
    }
    finding.found(found);
}

/// Removes an operation that has the same operands as the one before it with its opcode.
fn without_copy(facts: &OperationFacts<'_>, index: usize) -> Option<Patch> {
    let (list, text) = (&facts.operations.list, facts.text);
    let own = &list[index];
    let before = list.get(index.checked_sub(1)?).filter(|before| before.closing == Closing::Semicolon)?;
    let is_whole = own.closing != Closing::NextOpcode && own.open_quote.is_none();
    let is_same = |other: &Operation| other.opcode.of(text) == own.opcode.of(text);
    // Longer records are not searched.
    let first = list.iter().take(MAX_PAIRWISE).take(index).find(|other| is_same(other))?;
    let is_copy = first.operands.of(text) == own.operands.of(text);
    (is_whole && is_copy).then(|| Patch::remove(text, Span::new(before.end(text), own.end(text))))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::found_in_line;

    #[test]
    fn long_records_are_checked_like_short_ones() {
        let many: String = (0..40).map(|number| format!("x{} {number}; ", number % 30)).collect();
        let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {many}");
        let findings = found_in_line(&line);
        let duplicates: Vec<_> = findings.iter().filter(|finding| finding.rule.name == "duplicate-opcode").collect();
        assert_eq!(duplicates.len(), 10);
        assert!(duplicates.windows(2).all(|pair| pair[0].place.start < pair[1].place.start));
    }
}
