//! Marks of mate without mate.

use shakmaty::{Position, san::SanPlus};

use super::{misspelt, mover};
use crate::{
    chess::CheckMark,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ply},
};

/// `MOV14`
pub static RULE: Rule = Rule {
    code: code!("MOV14"),
    name: "mate-mark-false",
    severity: Severity::Warning,
    summary: "A move is marked as mate and does not mate",
    what: "A # or the word mate stands behind a move after which the other side has a legal move, or is stalemated.",
    why: "Whoever wrote the mark saw a mate: often another move was played, or a move before is missing.",
    fix: "Compare with another source; where the move is right, put + for check, or remove the mark.",
    source: "PGN standard 8.2.3.5; FIDE Laws 5.1.1",
    fires: &[Sample::Moves("1. e4 d5 2. ⟦Bb5#⟧ *"), Sample::Moves("1. ⟦e4#⟧ *")],
    silent: &[Sample::Moves("1. e4 d5 2. Bb5+ *"), Sample::Moves("1. f3 e5 2. g4 Qh4# 0-1")],
    check: Check::Ply(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ply<'_>, findings: &mut Findings) {
    let Some(played) = facts.played() else { return };
    if facts.written.mark != CheckMark::Mate || facts.mates() {
        return;
    }
    let answer = facts.after.legal_moves().first().map(|&answer| SanPlus::from_move(facts.after.clone(), answer));
    misspelt(&RULE, facts, findings, Repair::Likely).message(match answer {
        Some(answer) if facts.checkers().any() => {
            format!("{} gives check but does not mate: {answer} can be played", mover(played))
        }
        Some(_) => format!("{} gives no check, let alone mate", mover(played)),
        None => format!("{} stalemates and does not mate", mover(played)),
    });
}
