//! EPD14: `hmvc` and `fmvn` that contradict the record.

use shakmaty::{Bitboard, Role};

use crate::{
    epd::{Opcode, Operation},
    rules::{Certainty, Check, Condition, Finding, Findings, Patch, Rule, Sample, Severity, facts::OperationFacts, shown},
    text::wording::quantity,
};

pub static RULE: Rule = Rule {
    code: code!("EPD14"),
    name: "counter-opcode-conflict",
    severity: Severity::Warning,
    summary: "`hmvc` or `fmvn` contradicts the counters or the position",
    what: "`hmvc` or `fmvn` differs from the counter in the fields of the line. Or `hmvc` is \
           above 0, but an en passant square or a check by a pawn shows that a pawn has just \
           moved. Or `hmvc` is larger than the number of plies before move `fmvn`. The last \
           condition is checked only if the counters of the input are real values.",
    why: "Parsers disagree about which of the two values they use.",
    fix: "Correct the wrong number.",
    source: "PGN standard 16.2.5.13, 16.2.5.14",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 fmvn 30; hmvc ⟦4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 30; hmvc ⟦90⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - e3 fmvn 30; hmvc 0;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 30; hmvc 58;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let position = facts.position;
    let read = |kind| {
        let operation = facts.first(kind)?;
        Some((operation, u64::try_from(facts.integer(operation)?).ok()?))
    };
    let (clock, number) = (read(Opcode::Hmvc), read(Opcode::Fmvn));
    if clock.is_none() && number.is_none() {
        return;
    }
    let mut differs = false;
    for (given, field, name) in
        [(clock, position.halfmove_clock, "halfmove clock"), (number, position.fullmove_number, "fullmove number")]
    {
        if let (Some((operation, value)), Some(field)) = (given, field)
            && value != field
        {
            differs = true;
            let opcode = shown(operation.opcode.of(facts.text));
            let message = format!("`{opcode}` is {value}, but the field of the {name} is {field}");
            report(facts, operation, field.to_string(), message, findings);
        }
    }
    let Some((operation, value)) = clock.filter(|_| !differs && facts.start.is_some()) else { return };
    let mut moved_pawns = Bitboard::EMPTY;
    if let Some(board) = &position.board {
        moved_pawns |= board.by_role(Role::Pawn) & position.own_checkers();
    }
    if let Some(en_passant) = position.sound_en_passant() {
        moved_pawns |= Bitboard::from(en_passant.pawn);
    }
    if value > 0 && moved_pawns.any() {
        let count = quantity(value, "ply", "plies");
        let message = format!("a pawn has just moved, but `hmvc` counts {count} since the last pawn move or capture");
        report(facts, operation, "0".to_owned(), message, findings).squares(moved_pawns);
        return;
    }
    let (Some((_, number)), Some(turn), None) = (number, position.turn, position.halfmove_clock) else { return };
    let Some(moves) = number.checked_sub(1) else { return };
    let plies = moves.saturating_mul(2).saturating_add(turn.fold_wb(0, 1));
    if value > plies {
        let (count, limit) = (quantity(value, "ply", "plies"), quantity(plies, "ply was", "plies were"));
        let message = format!("`hmvc` counts {count}, but at most {limit} played before move {number}");
        report(facts, operation, format!("at most {plies}"), message, findings).only_if(Condition::CountersReal);
    }
}

#[cold]
fn report<'a>(
    facts: &OperationFacts<'_>,
    operation: &Operation,
    expected: String,
    message: String,
    findings: &'a mut Findings,
) -> &'a mut Finding {
    let found = shown(operation.operands.of(facts.text));
    let finding = findings.add(&RULE, operation.operands).found(found).message(message);
    if expected.bytes().all(|byte| byte.is_ascii_digit()) {
        finding.repair(Certainty::Likely, Patch::replace(facts.text, operation.operands, expected.as_str()));
    }
    finding.expected(expected)
}
