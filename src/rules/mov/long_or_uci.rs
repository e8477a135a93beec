//! MOV21: long algebraic notation, coordinates and similar.

use super::misspelled;
use crate::chess::{Quirks, WrittenMove};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV21"),
    name: "long-or-uci",
    severity: Severity::Info,
    summary: "The move is not in short algebraic notation",
    what: "The move is clear, but is written as two squares (`g1f3`, `e2-e4`), with a hyphen or a \
           colon (`Ng1-f3`, `N:f3`, `Qd5:`), or with a pawn letter (`Pe4`). Reported once per \
           input and form.",
    why: "Readers that expect SAN reject the move and lose the rest of the game.",
    fix: "Write the move in standard algebraic notation (SAN).",
    source: "PGN standard 8.2.3",
    repairs: Some(Certainty::Certain),
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

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    if facts.resolved.is_none() || !facts.written.quirks.has(Quirks::LONG_FORM) {
        return;
    }
    let token = facts.place.of(facts.text);
    let (kind, form) = match facts.written.what {
        _ if token.contains(&b':') => ("colon", "it has a colon for a capture"),
        _ if token.contains(&b'-') => ("long", "it has a hyphen, as in long algebraic notation"),
        WrittenMove::Coordinates { .. } => ("coordinates", "it has two squares and no piece letter"),
        _ => ("letters", "it has a pawn letter or a capital X"),
    };
    misspelled(&RULE, facts, findings)
        .message(format!("the move is not in short algebraic notation: {form}"))
        .once_per_input_and(kind);
}
