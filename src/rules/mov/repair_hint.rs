//! MOV10: another move with which the line can be played on.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV10"),
    name: "repair-hint",
    severity: Severity::Info,
    summary: "With another move, more of the line can be played",
    what: "A hint, given as the cause of a move that cannot be played. All legal moves one slip \
           away from the text are tried, at the failing ply and before it. The finding suggests \
           the move after which most of the line can be played. Larger changes are suggested only \
           if no other change leads to the end of the line.",
    why: "The game can be repaired instead of discarded.",
    fix: "Write the suggested move. Compare with another source first, unless the repair is \
          certain.",
    source: "PGN standard 8.2.3",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. ⟦Be4⟧ Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *"),
        Sample::Moves("1. e4 e5 2. Nh3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. ⟦Nxe5⟧ Nxe5 7. d4 Nc6 *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Nh3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *")],
    check: Check::Hint,
    ..Rule::DEFAULTS
};
