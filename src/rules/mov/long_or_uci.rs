//! Long algebraic notation, coordinates, and the like.

use super::misspelt;
use crate::{
    chess::{Quirks, WrittenMove},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV21`
pub static RULE: Rule = Rule {
    code: code!("MOV21"),
    name: "long-or-uci",
    severity: Severity::Info,
    summary: "A move is not written in the short algebraic notation of PGN",
    what: "A move that means one legal move is written as two squares (g1f3, e2-e4), with a dash or a colon (Ng1-f3, N:f3, \
           Qd5:), or with a letter for the pawn (Pe4). Counted once per input and form.",
    why: "Readers of SAN reject the move, and lose the game from here on.",
    fix: "Write the move in standard algebraic notation.",
    source: "PGN standard 8.2.3",
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦g1f3⟧ *"),
        Sample::Moves("1. e4 e5 2. ⟦Ng1-f3⟧ *"),
        Sample::Moves("1. ⟦Pe4⟧ *"),
        Sample::Moves("1. e4 d5 2. ⟦e4:d5⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 *"), Sample::Moves("1. Nf3 Nf6 2. Nc3 Nc6 3. Nd4 Nd5 4. Ndb5 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    if facts.resolved.is_none() || !facts.written.quirks.has(Quirks::LONG_FORM) {
        return;
    }
    let token = facts.place.of(facts.text);
    let form = match facts.written.what {
        _ if token.contains(&b':') => "a colon for a capture",
        _ if token.contains(&b'-') => "long algebraic notation",
        WrittenMove::Coordinates { .. } => "two squares and no piece",
        _ => "a letter for the pawn, or a large X",
    };
    misspelt(&RULE, facts, findings, Repair::Certain)
        .message(format!("this is no short algebraic notation, but has {form}"))
        .once_per_input_and(form);
}
