//! `bm-am-conflict`.

use rustc_hash::FxHashSet;
use shakmaty::Move;

use crate::{
    epd::{MoveWord, Opcode, Operation, Resolved},
    rules::{Check, Findings, Rule, Sample, Severity, facts::OperationFacts, shown},
};

/// EPD10: a move is both among the best and among those to avoid.
pub static RULE: Rule = Rule {
    code: code!("EPD10"),
    name: "bm-am-conflict",
    severity: Severity::Error,
    summary: "A move is both among the best and among those to avoid",
    what: "No move of `bm` stands in `am`, however it is spelt in either. A `bm` or `am` without a move is allowed by the standard and says nothing; that is an info.",
    why: "The record contradicts itself: no answer to it can be right.",
    fix: "Look at the source which of the two was meant.",
    source: "PGN standard 1994, sections 16.2.5.3 and 16.2.5.4",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - am e3 e4; bm ⟦e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦bm⟧;"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - am e3; bm e4;")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut avoided = false;
    for operation in facts.operations.list.iter().filter(|operation| matches!(operation.kind, Opcode::Am | Opcode::Bm)) {
        avoided |= operation.kind == Opcode::Am;
        if operation.operands.start == operation.operands.end {
            empty(facts, operation, findings);
        }
    }
    if !avoided {
        return;
    }
    let of = |kind| facts.moves.iter().filter(move |word: &&MoveWord| facts.operation_of(word).kind == kind);
    let played = |word: &MoveWord| if let Resolved::Move(played) = word.resolved { Some(played) } else { None };
    let avoided: FxHashSet<Move> = of(Opcode::Am).filter_map(played).collect();
    for word in of(Opcode::Bm) {
        if played(word).is_some_and(|best| avoided.contains(&best)) {
            let found = shown(word.place.of(facts.text));
            findings
                .add(&RULE, word.place)
                .message(format!("`{found}` is among the best moves and among those to avoid"))
                .found(found);
        }
    }
}

#[cold]
fn empty(facts: &OperationFacts<'_>, operation: &Operation, findings: &mut Findings) {
    let opcode = shown(operation.opcode.of(facts.text));
    findings.add(&RULE, operation.opcode).severity(Severity::Info).message(format!("`{opcode}` names no move")).found(opcode);
}
