//! EPD16: moves in positions without a legal move.

use shakmaty::Position;

use crate::chess::has_legal_move;
use crate::epd::{Opcode, Resolved};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD16"),
    name: "move-after-game-end",
    severity: Severity::Warning,
    summary: "The record gives moves, but the game is over",
    what: "`am`, `bm`, `pm`, `pv` or `sm` gives a move, but the side to move is checkmated or \
           stalemated. Only the first such operation is reported, and its moves are not.",
    why: "The record cannot be solved. The position is wrong, or it is the one after the solution.",
    fix: "Compare the position with the source.",
    source: "PGN standard 16.2.5",
    fires: &[
        Sample::Positions("4R1k1/5ppp/8/8/8/8/8/K7 b - - ⟦bm⟧ Kf8;"),
        Sample::Positions("7k/5Q2/6K1/8/8/8/8/8 b - - ⟦pv⟧ Kg8;"),
    ],
    silent: &[Sample::Positions("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8+;")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    // A legal move shows that the game is not over.
    let Some(word) = facts.moves.iter().find(|word| !word.in_comment && word.resolved != Resolved::Aside) else { return };
    let Some(start) = facts.start.filter(|_| !matches!(word.resolved, Resolved::Move(_))) else { return };
    let operation = facts.operation_of(word);
    if !has_legal_move(start) && operation.kind != Opcode::Comment(0) {
        let opcode = shown(operation.opcode.of(facts.text));
        let end = if start.is_check() { "checkmated" } else { "stalemated" };
        findings
            .add(&RULE, operation.opcode)
            .message(format!("`{opcode}` gives a move, but the side to move is {end}"))
            .found(opcode)
            .squares(start.us() & start.board().kings());
    }
}
