//! EPD12: mate scores that are impossible or contradict `dm`.

use crate::epd::{Opcode, Operation};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD12"),
    name: "invalid-mate-score",
    severity: Severity::Warning,
    summary: "A mate score is impossible or contradicts `dm`",
    what: "A `ce` above 32000 or below -32000 is a mate score: its distance to 32767 or -32767 is \
           the number of plies to mate. That number is odd if the side to move gives mate, and \
           even if it is mated. If the record has `dm` too, both must give the same number of \
           moves to mate and the same winner.",
    why: "One of the two numbers is wrong, or comes from a program that counts differently.",
    fix: "Count the plies to mate, and correct the wrong number.",
    source: "PGN standard 16.2.5.6",
    repairs: Some(Certainty::Likely),
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

/// Maximum absolute value of an evaluation that is not a mate score.
const MAX_EVALUATION: i64 = 32_000;
/// The score of a checkmate on the board.
const MATE: i64 = 32_767;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let value_of = |operation: &Operation| facts.integer(operation);
    let Some(operation) = facts.first(Opcode::Ce) else { return };
    let Some(value) = value_of(operation).filter(|value| value.abs() > MAX_EVALUATION && value.abs() < MATE) else { return };
    let plies = MATE - value.abs();
    let wins = value > 0;
    let distance = facts.first(Opcode::Dm).and_then(value_of);
    let (expected, message) = if let Some(distance) = distance.filter(|distance| (*distance > 0) != wins && *distance != 0) {
        let (by_score, by_distance) = if wins { ("mates", "is mated") } else { ("is mated", "mates") };
        let message = format!("by `ce` the side to move {by_score}, but by `dm {distance}` it {by_distance}");
        (String::new(), message)
    } else if let Some(distance) = distance.filter(|distance| distance.abs() != (plies + 1) / 2 && *distance != 0) {
        let right = distance.checked_abs().and_then(|moves| moves.checked_mul(2)).map(|plies| plies - i64::from(wins));
        let right =
            right.filter(|plies| *plies < MATE - MAX_EVALUATION).map(|plies| if wins { MATE - plies } else { plies - MATE });
        let moves = (plies + 1) / 2;
        (
            right.map(|right| right.to_string()).unwrap_or_default(),
            format!(
                "`ce` means mate in {}, but `dm` means mate in {}",
                quantity(moves, "move", "moves"),
                quantity(distance.unsigned_abs(), "move", "moves")
            ),
        )
    } else if (plies % 2 == 1) != wins {
        let (who, kind) = if wins { ("mates", "odd") } else { ("is mated", "even") };
        let plies = quantity(plies, "ply", "plies");
        (String::new(), format!("by `ce` the side to move {who} in {plies}, but that number must be {kind}"))
    } else {
        return;
    };
    let finding = findings.add(&RULE, operation.operands).found(value.to_string()).message(message);
    if !expected.is_empty() {
        finding.repair(Certainty::Likely, Patch::replace(facts.text, operation.operands, expected.as_str()));
    }
    finding.expected(expected);
}

/// Whether the record has a mate score, which depends on the number of moves to mate.
pub(super) fn has_mate_score(facts: &OperationFacts<'_>) -> bool {
    let value = facts.first(Opcode::Ce).and_then(|operation| facts.integer(operation));
    value.is_some_and(|value| value.unsigned_abs() > MAX_EVALUATION.unsigned_abs())
}
