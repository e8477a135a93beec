//! `ce-mate-form`.

use crate::{
    epd::{Opcode, Operation},
    rules::{Check, Findings, Rule, Sample, Severity, facts::OperationFacts},
};

/// EPD12: an evaluation that means a mate cannot be one, or contradicts the distance to mate.
pub static RULE: Rule = Rule {
    code: code!("EPD12"),
    name: "ce-mate-form",
    severity: Severity::Warning,
    summary: "An evaluation that means a mate cannot be one, or contradicts the distance to mate",
    what: "Above 32000, `ce` is 32767 less the plies to the mate by the side to move, which are odd; below -32000 it is -32767 and the plies to the mate of the side to move, which are even. Half of the plies, rounded up, are the moves that `dm` gives, where it is there; a negative `dm` goes with a negative `ce`.",
    why: "One of the two numbers is false, or comes from a program that counts otherwise.",
    fix: "Count the plies to the mate.",
    source: "PGN standard 1994, section 16.2.5.6",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ce ⟦32761⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ce ⟦32766⟧; dm 12;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ce 32744; dm 12;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ce -32763;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ce 31999; dm 12;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Evaluations beyond this are mates.
const MATES_FROM: i64 = 32_000;
/// The evaluation of a mate that has been given.
const MATE: i64 = 32_767;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let value_of = |operation: &Operation| facts.integer(operation);
    let Some(operation) = facts.first(Opcode::Ce) else { return };
    let Some(value) = value_of(operation).filter(|value| value.abs() > MATES_FROM && value.abs() < MATE) else { return };
    let plies = MATE - value.abs();
    let wins = value > 0;
    let distance = facts.first(Opcode::Dm).and_then(value_of);
    let (expected, message) = if let Some(distance) = distance.filter(|distance| (*distance > 0) != wins && *distance != 0) {
        let who = if wins { "mates" } else { "is mated" };
        (String::new(), format!("`ce` says that the side to move {who}, `dm {distance}` says the contrary"))
    } else if let Some(distance) = distance.filter(|distance| distance.abs() != (plies + 1) / 2 && *distance != 0) {
        let right = distance.checked_abs().and_then(|moves| moves.checked_mul(2)).map(|plies| plies - i64::from(wins));
        let right = right.filter(|plies| *plies < MATE - MATES_FROM).map(|plies| if wins { MATE - plies } else { plies - MATE });
        let moves = (plies + 1) / 2;
        (
            right.map(|right| right.to_string()).unwrap_or_default(),
            format!("`ce` means mate in {moves} moves, `dm` in {distance}"),
        )
    } else if (plies % 2 == 1) != wins {
        let (who, kind) = if wins { ("mates", "odd") } else { ("is mated", "even") };
        (String::new(), format!("`ce` means that the side to move {who} after {plies} plies, but that number is {kind}"))
    } else {
        return;
    };
    findings.add(&RULE, operation.operands).found(value.to_string()).expected(expected).message(message);
}
