//! `protocol-opcodes`.

use crate::{
    epd::Opcode,
    rules::{Check, Findings, Rule, Sample, Severity, facts::OperationFacts, shown},
};

/// EPD15: operations of a game by telecommunication contradict each other.
pub static RULE: Rule = Rule {
    code: code!("EPD15"),
    name: "protocol-opcodes",
    severity: Severity::Warning,
    summary: "Operations of a game by telecommunication contradict each other",
    what: "`draw_claim` and `draw_offer` go with a move that is supplied by `sm`; `draw_accept` and `draw_reject` exclude each other; who resigns supplies no move.",
    why: "The partner cannot tell what was meant.",
    fix: "Add the move, or take out the operation that was not meant.",
    source: "PGN standard 1994, sections 16.2.5.9 and 16.2.5.10",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦draw_offer⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - draw_accept; ⟦draw_reject⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦resign⟧; sm e4;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - draw_claim; sm e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - draw_accept;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - resign;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for operation in &facts.operations.list {
        let there = |kind| facts.first(kind).is_some();
        let message = match operation.kind {
            Opcode::DrawClaim | Opcode::DrawOffer if !there(Opcode::Sm) => "a move has to be supplied with it by `sm`",
            Opcode::DrawReject if there(Opcode::DrawAccept) => "the draw is accepted as well",
            Opcode::Resign if there(Opcode::Sm) => "who resigns supplies no move, but `sm` does",
            _ => continue,
        };
        let found = shown(operation.opcode.of(facts.text));
        findings.add(&RULE, operation.opcode).found(found).message(message);
    }
}
