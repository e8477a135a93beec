//! Marks of check without check.

use super::{misspelt, mover};
use crate::{
    chess::CheckMark,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Yield, facts::Ply},
};

/// `MOV12`
pub static RULE: Rule = Rule {
    code: code!("MOV12"),
    name: "check-mark-false",
    severity: Severity::Warning,
    summary: "A move is marked as check and gives none",
    what: "A +, ++ or word for check stands behind a move that gives no check. A ++ is spared wherever there is a check, \
           since it has been written for check, double check and mate.",
    why: "Whoever wrote the mark saw a check: often another move was played, or a move before is wrong.",
    fix: "Compare with another source; where the move is right, remove the mark.",
    source: "PGN standard 8.2.3.5",
    yields: &[Yield::AtPly(code!("MOV14"))],
    fires: &[Sample::Moves("1. ⟦e4+⟧ *"), Sample::Moves("1. e4 e5 2. ⟦Qh5+⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. Bb5+ *"), Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Qe2 Nf6 5. Nc6+ *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if !matches!(facts.written.mark, CheckMark::Check | CheckMark::Double) || facts.checkers().any() {
        return;
    }
    misspelt(&RULE, facts, findings, Repair::Likely).message(format!("{} gives no check", mover(played)));
}
