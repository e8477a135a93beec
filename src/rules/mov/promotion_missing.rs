//! MOV04: promotions without a piece.

use shakmaty::Role;

use super::{canonical_of, legal_move, refused, suggest};
use crate::chess::{IllegalMove, WrittenMove};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV04"),
    name: "promotion-missing",
    severity: Severity::Error,
    summary: "A pawn reaches the last rank without a promotion piece",
    what: "A pawn can legally make the move and reaches the last rank, but no promotion piece is \
           given. Only the main line is checked.",
    why: "Readers reject the move, or silently take a queen. If the pawn became a knight, the rest \
          of the game is wrong.",
    fix: "Add the promotion piece. Its later moves in the game show which one it was.",
    source: "PGN standard 8.2.3.3; FIDE Laws 3.7.3",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8⟧ *")],
    silent: &[Sample::Moves("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=N *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || *facts.reason != IllegalMove::PromotionMissing {
        return;
    }
    let promotion = Some(Role::Queen);
    let queen = match facts.written.what {
        WrittenMove::Normal { role, file, rank, to, .. } => WrittenMove::Normal { role, file, rank, to, promotion },
        WrittenMove::Coordinates { from, to, .. } => WrittenMove::Coordinates { from, to, promotion },
        other => other,
    };
    let finding = refused(&RULE, facts, findings, |token, _| format!("{token} does not say which piece the pawn promotes to"));
    if let Some(played) = legal_move(facts, queen) {
        let canonical = canonical_of(facts, played);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, facts.place, canonical.as_bytes())).expected(canonical);
        suggest(finding, [played]);
    }
}
