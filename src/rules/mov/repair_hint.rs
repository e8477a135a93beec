//! A move one slip of the pen away.

use crate::rules::{Check, Rule, Sample, Severity};

/// `MOV10`
pub static RULE: Rule = Rule {
    code: code!("MOV10"),
    name: "repair-hint",
    severity: Severity::Info,
    summary: "Another move, at the failing ply or before it, lets the line be played on",
    what: "A hint, given as the cause of a move that cannot be played: of all legal moves one slip away from what is written (a \
           letter or digit changed, left out, put in, two swapped, another piece, no origin or promotion), at the failing ply or \
           before it, the one that the finding expects lets most of the line be played. A move that differs in more is named only \
           where it alone leads to the end. It is never a finding of its own.",
    why: "The game can be mended rather than thrown away.",
    fix: "Write the move that the finding expects, after a look at another source unless the repair is certain.",
    source: "PGN standard 8.2.3",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. ⟦Be4⟧ Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *"),
        Sample::Moves("1. e4 e5 2. Nh3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. ⟦Nxe5⟧ Nxe5 7. d4 Nc6 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nh3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *")],
    check: Check::Hint,
    ..Rule::DEFAULTS
};
