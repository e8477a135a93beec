//! MOV09: plies that are missing, extra or swapped.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV09"),
    name: "missing-or-extra-ply",
    severity: Severity::Info,
    summary: "A ply is missing, extra or out of order",
    what: "A hint, given as the cause of a move that cannot be played. A ply is added, removed, or \
           swapped with the next one or with the next one by the same side. This lets more of the \
           line be played than any other change that was tried. It is at the failing ply or before \
           it.",
    why: "Once the sides are swapped or two moves are in the wrong order, later moves cannot be \
          played, although nothing is wrong with any of them.",
    fix: "Add, remove or swap the ply that the finding names, after comparing with another source.",
    source: "PGN standard 8.2.1",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 ⟦Nf3⟧ Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"),
        Sample::Moves("1. e4 e5 2. ⟦Nc6⟧ Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦O-O⟧ a6 4. Bb5 Nf6 5. Re1 Be7 6. Ba4 b5 7. Bb3 O-O 8. c3 d6 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *")],
    check: Check::Hint,
    ..Rule::DEFAULTS
};
