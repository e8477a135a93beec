//! MOV19: promotions in a non-canonical spelling.

use super::misspelled;
use crate::chess::Quirks;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV19"),
    name: "promotion-form",
    severity: Severity::Info,
    summary: "The promotion is not written as in `b8=Q`",
    what: "The promotion piece is written without `=`, in brackets, after a slash or in lowercase. \
           Moves written as two squares are not checked; see MOV21. Reported once per input, with \
           a count.",
    why: "Readers that do not know the form promote to a queen or reject the move.",
    fix: "Write the promotion as in `b8=Q`.",
    source: "PGN standard 8.2.3.3",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8Q⟧ *"),
        Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8/N⟧ *"),
        Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8=r⟧ *"),
        // The parenthesis does not open a variation.
        Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8(Q)⟧ Qxa8 *"),
    ],
    silent: &[Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=Q *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let quirks = facts.written.quirks;
    if facts.resolved.is_none() || !quirks.has(Quirks::PROMOTION_FORM) || quirks.has(Quirks::LONG_FORM) {
        return;
    }
    misspelled(&RULE, facts, findings)
        .message("the promotion piece is not written with `=` and a capital letter")
        .once_per_input();
}
