//! MOV11: checks without a check mark.

use super::{checked_king, misspelled};
use crate::chess::{CheckMark, WrittenMove, role_name};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV11"),
    name: "check-mark-missing",
    severity: Severity::Info,
    summary: "The move gives check, but `+` is missing",
    what: "The move gives check without mate and has no check mark of any kind. Moves written as \
           two squares are not checked. Reported once per input, with a count.",
    why: "Export format requires the mark. Tools that compare games as text see two different \
          games.",
    fix: "Put a `+` after the move.",
    source: "PGN standard 8.2.3.5",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Moves("1. e4 d5 2. ⟦Bb5⟧ *"), Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Qe2 Nf6 5. ⟦Nc6⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. Bb5+ *"), Sample::Moves("1. e4 e5 2. Qh5 *")],
    check: Check::Ply(check),
    wakes: Wakes::Signs(&[Sign::UnmarkedCheck]),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let unmarked = facts.written.mark == CheckMark::None && !matches!(facts.written.what, WrittenMove::Coordinates { .. });
    if facts.resolved.is_none() || !unmarked || facts.mates() {
        return;
    }
    let Some(square) = facts.checkers().first() else { return };
    let Some(role) = shakmaty::Position::board(facts.after).role_at(square) else { return };
    misspelled(&RULE, facts, findings)
        .message(format!("the {} on {square} gives check, but `+` is missing", role_name(role)))
        .squares(facts.checkers() | checked_king(facts))
        .once_per_input();
}
