//! TAG17: numbers of plies that are false.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::Ending, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG17"),
    name: "plycount-mismatch",
    severity: Severity::Warning,
    summary: "PlyCount is not the number of plies in the game",
    what: "PlyCount counts the plies of the main line, null moves included; what was played before a FEN's position does not count. Judged where the main line could be replayed to its end. \
           `0` in a game that has moves, which some programs write throughout, is reported once per input.",
    why: "Moves are missing, or the game was edited since.",
    fix: "Compare the game with its source; correct the number.",
    source: "PGN standard 9.9.3",
    fires: &[Sample::Tags("[PlyCount \"⟦99⟧\"]"), Sample::Tags("[PlyCount \"⟦0⟧\"]")],
    silent: &[Sample::Tags("[PlyCount \"2\"]"), Sample::Tags("[PlyCount \"\"]")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(pair) = facts.tags.pair(KnownTag::PlyCount).filter(|_| facts.position.is_some()) else { return };
    let value = pair.value.of(facts.text);
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return;
    }
    let count = value.iter().fold(0_u32, |count, digit| count.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    if count == facts.plies {
        return;
    }
    let found = shown(value);
    let message = format!("PlyCount is {found}, and the game has {} plies", facts.plies);
    let finding = findings.add(&RULE, pair.value).found(found).expected(facts.plies.to_string()).message(message);
    finding.repair = Some(Repair::Likely);
    if count == 0 {
        finding.once_per_input();
    }
}
