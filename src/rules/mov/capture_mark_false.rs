//! Marks of capture without capture.

use super::{misspelt, mover};
use crate::rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply};

/// `MOV16`
pub static RULE: Rule = Rule {
    code: code!("MOV16"),
    name: "capture-mark-false",
    severity: Severity::Warning,
    summary: "A move is marked as a capture and captures nothing",
    what: "An x stands in a move whose target square is empty, and which is no capture en passant.",
    why: "Whoever wrote the x saw a man on that square: often a move before is missing or wrong.",
    fix: "Compare with another source; where the move is right, remove the x.",
    source: "PGN standard 8.2.3.3",
    fires: &[Sample::Moves("1. ⟦Nxf3⟧ *")],
    silent: &[Sample::Moves("1. Nf3 *"), Sample::Moves("1. e4 Nf6 2. e5 d5 3. exd6 *")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let Some(played) = facts.played().filter(|played| !played.is_capture()) else { return };
    if !facts.written.capture {
        return;
    }
    misspelt(&RULE, facts, findings, Repair::Likely).message(format!("{} captures nothing", mover(played)));
}
