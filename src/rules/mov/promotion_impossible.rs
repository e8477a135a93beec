//! MOV05: promotions that are not possible.

use super::refused;
use crate::chess::IllegalMove;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV05"),
    name: "promotion-impossible",
    severity: Severity::Error,
    summary: "The promotion is not possible",
    what: "A promotion is written for a piece that is not a pawn, or for a pawn that does not \
           reach the last rank. Or the pawn promotes to a king, or remains a pawn.",
    why: "Readers reject the move, drop the promotion, or reach a position that cannot occur.",
    fix: "Remove the promotion, or write the piece or the move that was meant.",
    source: "FIDE Laws 3.7.3",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. ⟦e4=Q⟧ *"),
        Sample::Moves("1. ⟦Nf3=Q⟧ *"),
        Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8=K⟧ *"),
    ],
    silent: &[Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=B *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || !matches!(facts.reason, IllegalMove::PromotionImpossible { .. }) {
        return;
    }
    refused(&RULE, facts, findings, |token, reason| format!("{token} is not a possible promotion: {reason}"));
}
