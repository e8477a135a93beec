//! Moves behind mate and stalemate.

use super::refused;
use crate::{
    chess::Refusal,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Unplayable},
};

/// `MOV06`
pub static RULE: Rule = Rule {
    code: code!("MOV06"),
    name: "move-after-end",
    severity: Severity::Error,
    summary: "A move follows checkmate or stalemate",
    what: "A move stands in the main line behind one that has mated or stalemated the side to move.",
    why: "The game was over: two games were merged, or a move before is wrong.",
    fix: "Compare with another source, and remove what does not belong to the game.",
    source: "FIDE Laws 5.1.1 and 5.2.1",
    fires: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 3. ⟦e3⟧ 0-1")],
    silent: &[Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1"), Sample::Moves("1. f3 e5 2. g4 Qh4# (2... Nc6 3. e3) 0-1")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    if facts.in_variation || !matches!(facts.refusal, Refusal::GameOver { .. }) {
        return;
    }
    refused(&RULE, facts, findings, |token, reason| format!("{token} follows the end of the game: {reason}"));
}
