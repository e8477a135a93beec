//! MOV18: castling in a non-canonical spelling.

use super::misspelled;
use crate::chess::Quirks;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV18"),
    name: "castling-letters",
    severity: Severity::Info,
    summary: "Castling is not written as `O-O` or `O-O-O`",
    what: "Castling is written with zeros, with lowercase letters or without hyphens. Reported \
           once per input, with a count.",
    why: "Some readers do not recognise the move and lose the rest of the game.",
    fix: "Write `O-O` or `O-O-O`, with capital letters O.",
    source: "PGN standard 8.2.3.3",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. ⟦0-0⟧ *"),
        Sample::Moves("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. ⟦o-o-o⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    if facts.resolved.is_none() || !facts.written.quirks.has(Quirks::CASTLING_LETTERS) {
        return;
    }
    misspelled(&RULE, facts, findings).message("castling is not written with capital letters O and hyphens").once_per_input();
}
