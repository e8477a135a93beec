//! `no-move-record`.

use shakmaty::Position;

use crate::{
    epd::{Opcode, Resolved},
    rules::{Check, Findings, Rule, Sample, Severity, facts::OperationFacts, shown},
};

/// EPD16: moves are named in a position that has none.
pub static RULE: Rule = Rule {
    code: code!("EPD16"),
    name: "no-move-record",
    severity: Severity::Warning,
    summary: "Moves are named in a position that has none",
    what: "`am`, `bm`, `pm`, `pv` or `sm` names a move, but the side to move is mated or stalemated. Reported at the first of them instead of the moves.",
    why: "The record cannot be solved: the position is the one after the solution, or false.",
    fix: "Compare the position with its source.",
    source: "PGN standard 1994, section 16.2.5",
    fires: &[
        Sample::Positions("4R1k1/5ppp/8/8/8/8/8/K7 b - - ⟦bm⟧ Kf8;"),
        Sample::Positions("7k/5Q2/6K1/8/8/8/8/8 b - - ⟦pv⟧ Kg8;"),
    ],
    silent: &[Sample::Positions("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8+;")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    // Where a move is legal there is one.
    let Some(word) = facts.moves.iter().find(|word| !word.in_comment && word.resolved != Resolved::Aside) else { return };
    let Some(start) = facts.start.filter(|_| !matches!(word.resolved, Resolved::Move(_))) else { return };
    let operation = facts.operation_of(word);
    if start.legal_moves().is_empty() && operation.kind != Opcode::Comment(0) {
        let opcode = shown(operation.opcode.of(facts.text));
        let end = if start.is_check() { "mated" } else { "stalemated" };
        findings
            .add(&RULE, operation.opcode)
            .message(format!("`{opcode}` names a move, but the side to move is {end}"))
            .found(opcode);
    }
}
