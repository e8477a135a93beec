//! Moves that are not legal.

use super::refused;
use crate::{
    chess::Refusal,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Unplayable},
};

/// `MOV01`
pub static RULE: Rule = Rule {
    code: code!("MOV01"),
    name: "illegal-move",
    severity: Severity::Error,
    summary: "No legal move is what is written",
    what: "In the position reached no legal move of the main line has the man, target square, origin and promotion that are \
           written. Missing or false x, + and # do not count, nor does more of the origin than is needed. Castling, \
           ambiguous moves and promotions have rules of their own. Behind a null move the position is not known, and the \
           finding is a warning.",
    why: "The game cannot be replayed from here on: a move was lost, added or mistaken, here or before. The move may have \
           been played all the same and been let stand.",
    fix: "Compare with the score sheet or another source; look at the moves before this one as well.",
    source: "PGN standard 8.2.3; FIDE Laws 3.10.2",
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦Ke3⟧ *"),
        Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. ⟦exd5!?⟧ *"),
        Sample::Moves("1. e4 e5 2. ⟦Nf6⟧ *"),
        Sample::Moves("1. d4 e6 2. Nc3 Bb4 3. Bd2 Nf6 4. Bg5 a6 5. ⟦Ne4+⟧ *"),
        Sample::Moves("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. ⟦Ne4⟧ *"),
    ],
    silent: &[Sample::Moves("1. e4 e5 2. Ke2 *"), Sample::Moves("1. e4 e5 2. Nf3 {2. Ke3 is illegal} *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || has_its_own_rule(facts.refusal) {
        return;
    }
    refused(&RULE, facts, findings, |token, reason| format!("{token} is not legal in the recorded position: {reason}"));
}

/// Whether another rule speaks of moves that are refused for this reason.
fn has_its_own_rule(refusal: &Refusal) -> bool {
    matches!(
        refusal,
        Refusal::GameOver { .. }
            | Refusal::Castling(_)
            | Refusal::Ambiguous { .. }
            | Refusal::PromotionMissing
            | Refusal::PromotionImpossible { .. }
            | Refusal::NullInCheck { .. }
    )
}
