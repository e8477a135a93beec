//! Checks without a mark.

use super::misspelt;
use crate::{
    chess::{CheckMark, WrittenMove, word},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV11`
pub static RULE: Rule = Rule {
    code: code!("MOV11"),
    name: "check-mark-missing",
    severity: Severity::Info,
    summary: "A move gives check and has no check mark",
    what: "The move gives check, does not mate, and neither + nor any other mark of check stands behind it. Moves written \
           as two squares have no marks and are spared. Counted once per input.",
    why: "Export format has the mark; readers that compare texts take the game for another one.",
    fix: "Put a + behind the move.",
    source: "PGN standard 8.2.3.5",
    fires: &[Sample::Moves("1. e4 d5 2. ⟦Bb5⟧ *"), Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Qe2 Nf6 5. ⟦Nc6⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. Bb5+ *"), Sample::Moves("1. e4 e5 2. Qh5 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let unmarked = facts.written.mark == CheckMark::None && !matches!(facts.written.what, WrittenMove::Coordinates { .. });
    if facts.resolved.is_none() || !unmarked || facts.mates() {
        return;
    }
    let Some(square) = facts.checkers().first() else { return };
    let Some(role) = shakmaty::Position::board(facts.after).role_at(square) else { return };
    misspelt(&RULE, facts, findings, Repair::Certain)
        .message(format!("the {} on {square} gives check, and no + says so", word(role)))
        .once_per_input();
}
