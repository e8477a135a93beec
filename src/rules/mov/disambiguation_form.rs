//! Origins that are given otherwise than needed.

use shakmaty::Role;

use super::misspelt;
use crate::{
    chess::{Quirks, WrittenMove, word},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV17`
pub static RULE: Rule = Rule {
    code: code!("MOV17"),
    name: "disambiguation-form",
    severity: Severity::Info,
    summary: "The origin of a move is given otherwise than by the canonical spelling",
    what: "A file or rank of origin is written for a piece although no other piece of its kind can legally go to the \
           square, or the rank is written where the file tells them apart, or both where one does. A piece that may not \
           leave the line to its king does not count as another one. Pawns, and moves in long notation, are spared.",
    why: "The move is clear all the same; readers that compare texts take the game for another one.",
    fix: "Write the move as the canonical spelling has it.",
    source: "PGN standard 8.2.3.4",
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦Ngf3⟧ *"),
        Sample::Moves("1. d4 Nf6 2. Nc3 e6 3. e4 Bb4 4. ⟦Nge2⟧ *"),
        Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. ⟦N1d2⟧ *"),
    ],
    silent: &[Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. Nbd2 *"), Sample::Moves("1. e4 d5 2. exd5 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let Some(resolved) = facts.resolved else { return };
    let WrittenMove::Normal { role, file, rank, to, .. } = facts.written.what else { return };
    if role == Role::Pawn || facts.written.quirks.has(Quirks::LONG_FORM) || resolved.hints_are_canonical(file, rank) {
        return;
    }
    let finding = misspelt(&RULE, facts, findings, Repair::Certain);
    let canonical = finding.expected.clone();
    finding.message(match resolved.twins.first() {
        None => format!("{canonical} is enough: no other {} can go to {to}", word(role)),
        Some(twin) => format!("{canonical} is what tells it from the {} on {twin}", word(role)),
    });
}
