//! MOV23: piece letters in lowercase.

use super::misspelled;
use crate::chess::{Quirks, role_name};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV23"),
    name: "lowercase-piece",
    severity: Severity::Warning,
    summary: "The piece letter is lowercase",
    what: "A piece letter is lowercase, and the move is legal only as a move of that piece. A `b` is \
           read as the file of a pawn wherever that gives a legal move. If a pawn can capture on \
           c3, `bxc3` is therefore correct. If a bishop can go to c3 but captures nothing there, \
           `bxc3` is not read as its move.",
    why: "Readers do not recognise the move, or take `b` for a file.",
    fix: "Write the piece letter as a capital.",
    source: "PGN standard 8.2.3.2",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Moves("1. e4 e5 2. ⟦nf3⟧ *"), Sample::Moves("1. d4 d5 2. Nf3 Nf6 3. Nbd2 Nc6 4. g3 ⟦qd6⟧ *")],
    silent: &[Sample::Moves("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. Bd2 Bxc3 5. bxc3 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if !facts.written.quirks.has(Quirks::LOWERCASE_PIECE) {
        return;
    }
    misspelled(&RULE, facts, findings)
        .once_if_usual("")
        .message(format!("the letter of the {} is lowercase", role_name(played.role())));
}
