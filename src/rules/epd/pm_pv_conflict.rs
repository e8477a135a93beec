//! `pm-pv-conflict`.

use super::san;
use crate::{
    epd::{Opcode, Resolved},
    rules::{Check, Findings, Rule, Sample, Severity, facts::OperationFacts, shown},
};

/// EPD11: the predicted move is not the first of the predicted variation.
pub static RULE: Rule = Rule {
    code: code!("EPD11"),
    name: "pm-pv-conflict",
    severity: Severity::Warning,
    summary: "The predicted move is not the first of the predicted variation",
    what: "The move of `pm` is the first of `pv`. A move of `sm`, which is the one that was played, may be another one than `pm` or, without it, the first of `pv` predicts; that is an info. Moves are compared, not spellings.",
    why: "One of the two belongs to another position or another search.",
    fix: "Take both from the same search.",
    source: "PGN standard 1994, section 16.2.5.18",
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
                Severity::Info => format!("`sm` supplies {found} where `{name}` predicts {expected}"),
                _ => format!("`pm` predicts {found}, but `pv` begins with {expected}"),
            };
            findings.add(&RULE, word.place).severity(severity).found(found).expected(expected).message(message);
        }
    }
}
