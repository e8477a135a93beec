//! Promotions without a piece.

use shakmaty::Role;

use super::{canonical_of, refused};
use crate::{
    chess::{Refusal, WrittenMove},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Unplayable},
};

/// `MOV04`
pub static RULE: Rule = Rule {
    code: code!("MOV04"),
    name: "promotion-missing",
    severity: Severity::Error,
    summary: "A pawn reaches the last rank, and what it becomes is not written",
    what: "A pawn can legally make the move in the main line, reaches the last rank with it, and no piece is written. Any \
           form of a promotion is spared here.",
    why: "Readers reject the move, or take a queen without a word; where the pawn became a knight the game is lost.",
    fix: "Write the piece; moves of the piece later in the game show which one it was.",
    source: "PGN standard 8.2.3.3; FIDE Laws 3.7.3",
    fires: &[Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8⟧ *")],
    silent: &[Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=N *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || *facts.refusal != Refusal::PromotionMissing {
        return;
    }
    let promotion = Some(Role::Queen);
    let queen = match facts.written.what {
        WrittenMove::Normal { role, file, rank, to, .. } => WrittenMove::Normal { role, file, rank, to, promotion },
        WrittenMove::Coordinates { from, to, .. } => WrittenMove::Coordinates { from, to, promotion },
        other => other,
    };
    let finding = refused(&RULE, facts, findings, |token, _| format!("{token} does not say what the pawn becomes"));
    if let Some(spelling) = canonical_of(facts, queen) {
        finding.expected(spelling).repair = Some(Repair::Likely);
    }
}
