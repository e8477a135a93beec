//! EPD15: draw, resign and move operations that contradict each other.

use crate::epd::Opcode;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD15"),
    name: "protocol-opcode-conflict",
    severity: Severity::Warning,
    summary: "Draw, resign and move operations contradict each other",
    what: "`draw_claim` or `draw_offer` comes without a move in `sm`. Or the record has both \
           `draw_accept` and `draw_reject`, or both `resign` and `sm`.",
    why: "In a game played with EPD records, the opponent cannot know what was meant.",
    fix: "Add the missing move, or remove the operation that was not meant.",
    source: "PGN standard 16.2.5.9, 16.2.5.10",
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
        let has = |kind| facts.first(kind).is_some();
        let conflict = match operation.kind {
            Opcode::DrawClaim | Opcode::DrawOffer if !has(Opcode::Sm) => "needs a move in `sm`",
            Opcode::DrawReject if has(Opcode::DrawAccept) => "contradicts `draw_accept`",
            Opcode::Resign if has(Opcode::Sm) => "contradicts the move in `sm`",
            _ => continue,
        };
        let found = shown(operation.opcode.of(facts.text));
        findings.add(&RULE, operation.opcode).message(format!("`{found}` {conflict}")).found(found);
    }
}
