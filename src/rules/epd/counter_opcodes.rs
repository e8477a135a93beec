//! `counter-opcodes`.

use shakmaty::Role;

use crate::{
    epd::{Opcode, Operation},
    rules::{Check, Condition, Findings, Rule, Sample, Severity, facts::OperationFacts, shown},
};

/// EPD14: `hmvc` and `fmvn` contradict the counters, the position, or each other.
pub static RULE: Rule = Rule {
    code: code!("EPD14"),
    name: "counter-opcodes",
    severity: Severity::Warning,
    summary: "`hmvc` and `fmvn` contradict the counters, the position, or each other",
    what: "`hmvc` is the halfmove clock and `fmvn` the fullmove number. Where the counters stand bare as well, they are equal. Where the en passant square, or a check by a pawn, says that a pawn has just moved, `hmvc` is 0. Where the counters of the input are no fillers, `hmvc` is not greater than the number of plies that `fmvn` allows.",
    why: "Readers disagree about which of the two they take.",
    fix: "Correct the number that is false.",
    source: "PGN standard 1994, sections 16.2.5.13 and 16.2.5.14",
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
    let mut contradicted = false;
    for (given, field, name) in
        [(clock, position.halfmove_clock, "halfmove clock"), (number, position.fullmove_number, "fullmove number")]
    {
        if let (Some((operation, value)), Some(field)) = (given, field)
            && value != field
        {
            contradicted = true;
            let opcode = shown(operation.opcode.of(facts.text));
            report(
                facts,
                operation,
                field.to_string(),
                format!("`{opcode}` gives another {name} than the field, {field}"),
                findings,
            );
        }
    }
    let Some((operation, value)) = clock.filter(|_| !contradicted && facts.start.is_some()) else { return };
    let pawn_checks = position.board.as_ref().is_some_and(|board| (board.by_role(Role::Pawn) & position.own_checkers()).any());
    if value > 0 && (pawn_checks || position.sound_en_passant().is_some()) {
        let message = format!("a pawn has just moved, but the clock says that none has for {value} plies");
        report(facts, operation, "0".to_owned(), message, findings);
        return;
    }
    let (Some((_, number)), Some(turn), None) = (number, position.turn, position.halfmove_clock) else { return };
    let Some(moves) = number.checked_sub(1) else { return };
    let plies = moves.saturating_mul(2).saturating_add(turn.fold_wb(0, 1));
    if value > plies {
        let message = format!("the clock counts {value} plies, but only {plies} can have been played before move {number}");
        report(facts, operation, format!("at most {plies}"), message, findings);
        if let Some(finding) = findings.all().last_mut() {
            finding.only_if(Condition::CountersTrusted);
        }
    }
}

#[cold]
fn report(facts: &OperationFacts<'_>, operation: &Operation, expected: String, message: String, findings: &mut Findings) {
    let found = shown(operation.operands.of(facts.text));
    findings.add(&RULE, operation.operands).found(found).expected(expected).message(message);
}
