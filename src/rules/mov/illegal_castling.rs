//! Castling that is not legal.

use super::refused;
use crate::{
    chess::Refusal,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Unplayable},
};

/// `MOV02`
pub static RULE: Rule = Rule {
    code: code!("MOV02"),
    name: "illegal-castling",
    severity: Severity::Error,
    summary: "Castling is written where it is not legal",
    what: "Castling stands in the main line where king or rook has moved, the right was never there, a man stands between, \
           the king is in check, or it passes or reaches an attacked square. An attacked rook, or an attacked square that \
           only the rook passes, is spared. Behind a null move the position is not known, and the finding is a warning.",
    why: "The game cannot be replayed from here on. Some readers castle all the same, and show positions that never were.",
    fix: "Compare with another source; often it is the other wing, or a move before is missing.",
    source: "FIDE Laws 3.8.2",
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦O-O⟧ *"),
        Sample::Moves("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nc6 5. Bc4 Bc5 6. ⟦O-O⟧ *"),
        Sample::Moves("1. e4 b6 2. Nf3 Ba6 3. g3 Nc6 4. Bg2 e6 5. ⟦O-O⟧ *"),
    ],
    silent: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *"),
        Sample::Moves("1. c4 d6 2. Nc3 Bf5 3. b3 Nf6 4. Bb2 e6 5. e3 Be7 6. Qe2 O-O 7. O-O-O *"),
    ],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || !matches!(facts.refusal, Refusal::Castling(_)) {
        return;
    }
    refused(&RULE, facts, findings, |token, reason| format!("{token} is not legal in the recorded position: {reason}"));
}
