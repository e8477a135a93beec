//! A ply too few or too many.

use crate::rules::{Check, Rule, Sample, Severity};

/// `MOV09`
pub static RULE: Rule = Rule {
    code: code!("MOV09"),
    name: "turn-slip",
    severity: Severity::Info,
    summary: "A ply was left out, stands twice, or two plies are in the wrong order",
    what: "A hint, given as the cause of a move that cannot be played: with a ply put in, taken out, or exchanged with the \
           next one, at the failing ply or before it, more of the line can be played than with any other change that was \
           tried. It is never a finding of its own.",
    why: "Where sides have changed places, no move behind can be played, and nothing is wrong with any of them.",
    fix: "Put in, take out or exchange the ply that the finding names, after a look at another source.",
    source: "PGN standard 8.2.1",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 ⟦Nf3⟧ Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"),
        Sample::Moves("1. e4 e5 2. ⟦Nc6⟧ Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *")],
    check: Check::Hint,
    ..Rule::DEFAULTS
};
