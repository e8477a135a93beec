//! Captures without a mark.

use super::misspelt;
use crate::{
    chess::{WrittenMove, word},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV15`
pub static RULE: Rule = Rule {
    code: code!("MOV15"),
    name: "capture-mark-missing",
    severity: Severity::Info,
    summary: "A move captures and has no x",
    what: "The move captures, en passant or otherwise, and no x stands in it. Moves written as two squares have no marks \
           and are spared. Counted once per input.",
    why: "Export format has the x; some readers reject such moves as illegal.",
    fix: "Put an x before the target square.",
    source: "PGN standard 8.2.3.3",
    fires: &[Sample::Moves("1. e4 d5 2. ⟦ed5⟧ *"), Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. ⟦Bc6⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. exd5 *"), Sample::Moves("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let Some(captured) = facts.played().and_then(|played| played.capture()) else { return };
    if facts.written.capture || matches!(facts.written.what, WrittenMove::Coordinates { .. }) {
        return;
    }
    misspelt(&RULE, facts, findings, Repair::Certain)
        .message(format!("the move captures a {}, and no x says so", word(captured)))
        .once_per_input();
}
