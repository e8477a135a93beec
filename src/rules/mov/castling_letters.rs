//! Letters of castling.

use super::misspelt;
use crate::{
    chess::Quirks,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV18`
pub static RULE: Rule = Rule {
    code: code!("MOV18"),
    name: "castling-letters",
    severity: Severity::Info,
    summary: "Castling is written otherwise than with capital letters O and dashes",
    what: "Castling is written with zeros or small letters, or without dashes. Counted once per input.",
    why: "Some readers do not know the move, and lose the game from here on.",
    fix: "Write O-O or O-O-O, with capital letters O.",
    source: "PGN standard 8.2.3.3",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. ⟦0-0⟧ *"),
        Sample::Moves("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. ⟦o-o-o⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    if facts.resolved.is_none() || !facts.written.quirks.has(Quirks::CASTLING_LETTERS) {
        return;
    }
    misspelt(&RULE, facts, findings, Repair::Certain)
        .message("castling is written with capital letters O and dashes")
        .once_per_input();
}
