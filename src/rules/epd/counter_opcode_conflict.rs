//! EPD14: `hmvc` and `fmvn` that contradict the counters of a FEN.

use crate::epd::Opcode;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD14"),
    name: "counter-opcode-conflict",
    severity: Severity::Warning,
    summary: "`hmvc` or `fmvn` contradicts the counters in the fields",
    what: "The line has counters in its fields, and `hmvc` or `fmvn` gives another number. Without \
        such fields, `hmvc` and `fmvn` are the counters, and CTR01 to CTR10 check them.",
    why: "Parsers disagree about which of the two values they use.",
    fix: "Correct the wrong number.",
    source: "PGN standard 16.2.5.13, 16.2.5.14",
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30 hmvc ⟦4⟧;")],
    silent: &[
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 fmvn 30; hmvc 0;"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - fmvn 40; hmvc 78;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let position = facts.position;
    if position.has_counter_operations() {
        return;
    }
    for (opcode, field, name) in
        [(Opcode::Hmvc, position.halfmove_clock, "halfmove clock"), (Opcode::Fmvn, position.fullmove_number, "fullmove number")]
    {
        let (Some(operation), Some(field)) = (facts.first(opcode), field) else { continue };
        let Some(value) = facts.integer(operation).filter(|value| u64::try_from(*value).is_ok_and(|value| value != field)) else {
            continue;
        };
        let (opcode, place) = (shown(operation.opcode.of(facts.text)), operation.operands);
        findings
            .add(&RULE, place)
            .found(shown(place.of(facts.text)))
            .expected(field.to_string())
            .message(format!("`{opcode}` is {value}, but the field of the {name} is {field}"));
    }
}
