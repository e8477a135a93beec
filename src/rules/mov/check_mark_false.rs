//! MOV12: check marks on moves that do not give check.

use super::{misspelled, mover, target};
use crate::chess::CheckMark;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV12"),
    name: "check-mark-false",
    severity: Severity::Warning,
    summary: "The move is marked as check but does not give check",
    what: "The move has `+`, `++` or a word for check, but does not give check. `++` is accepted \
           on every check, because it has been used for check, double check and mate. If one of \
           the next two moves cannot be played, the finding about that move mentions the `+` \
           instead.",
    why: "The person who wrote the mark saw a check. Often another move was played, or an earlier \
          move is wrong.",
    fix: "Compare with another source. If the move is right, remove the mark.",
    source: "PGN standard 8.2.3.5",
    repairs: Some(Certainty::Likely),
    yields: &[Yield::AtPly(code!("MOV14"))],
    fires: &[Sample::Moves("1. ⟦e4+⟧ *"), Sample::Moves("1. e4 e5 2. ⟦Qh5+⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. Bb5+ *"), Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Qe2 Nf6 5. Nc6+ *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if !matches!(facts.written.mark, CheckMark::Check | CheckMark::Double) || facts.checkers().any() {
        return;
    }
    misspelled(&RULE, facts, findings)
        .once_if_usual("")
        .message(format!("the move is marked as check, but {} does not give check", mover(played)))
        .squares(target(played));
}
