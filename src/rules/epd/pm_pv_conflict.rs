//! EPD11: predicted moves that contradict the predicted variation.

use super::{arrow, san};
use crate::epd::{Opcode, Resolved};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD11"),
    name: "pm-pv-conflict",
    severity: Severity::Warning,
    summary: "The predicted move is not the first move of `pv`",
    what: "The move of `pm` differs from the first move of `pv`. It is an info if the played \
           move, `sm`, differs from `pm` or, without `pm`, from the first move of `pv`. Different \
           spellings of the same move do not count.",
    why: "One of the two belongs to another position or another search.",
    fix: "Take both operations from the same search.",
    source: "PGN standard 16.2.5.18",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pm ⟦e3⟧; pv e4 Kd7;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7; sm ⟦e3⟧;"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pm e4; pv e4 Kd7; sm e4;")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    if facts.moves.is_empty() {
        return;
    }
    let first = |kind| {
        facts
            .moves
            .iter()
            .find(|word| facts.operation_of(word).kind == kind && word.ply == 1 && matches!(word.resolved, Resolved::Move(_)))
    };
    let (predicted, variation, supplied) = (first(Opcode::Pm), first(Opcode::Pv), first(Opcode::Sm));
    for (word, other, name, severity) in [
        (predicted, variation, "pv", Severity::Warning),
        (supplied, predicted.or(variation), if predicted.is_some() { "pm" } else { "pv" }, Severity::Info),
    ] {
        let (Some(word), Some(other)) = (word, other) else { continue };
        if word.resolved != other.resolved {
            let found = shown(word.place.of(facts.text));
            let expected = san(facts, other).unwrap_or_default();
            let message = match severity {
                Severity::Info => format!("`sm` is {found}, but `{name}` predicts {expected}"),
                _ => format!("`pm` is {found}, but `pv` starts with {expected}"),
            };
            let finding = findings.add(&RULE, word.place).severity(severity).found(found).message(message);
            // A move that was not predicted may have been played.
            if severity == Severity::Warning && !expected.is_empty() {
                finding.repair(Certainty::Likely, Patch::replace(facts.text, word.place, expected.as_str()));
            }
            finding.expected(expected);
            let (written, repaired) = (arrow(word), arrow(other));
            finding.written(written).repaired(repaired.filter(|_| repaired != written));
        }
    }
}
