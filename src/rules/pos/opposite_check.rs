//! `opposite-check`.

use crate::{
    chess::color_name,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

/// POS03: the king of the side not to move is attacked.
pub static RULE: Rule = Rule {
    code: code!("POS03"),
    name: "opposite-check",
    severity: Severity::Error,
    summary: "The king of the side not to move is attacked",
    what: "A move never leaves the own king in check, so that the side that has just moved is never in check. Not reported beside adjacent kings, nor where both kings are attacked.",
    why: "The king could be captured; engines crash or play nonsense. Most often the wrong side is to move.",
    fix: "Check the side to move first.",
    source: "Laws of Chess, article 3.9",
    yields: &[Yield::InRecord(code!("POS02")), Yield::InRecord(code!("POS04"))],
    fires: &[Sample::Positions("4k3/8/8/8/8/8/4R3/4K3 ⟦w⟧ - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), Sample::Positions("4k3/4p3/8/8/8/8/4R3/4K3 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(turn), Some(place)) = (facts.turn, facts.fen.turn()) else { return };
    let attackers = *facts.checkers.get(!turn);
    let Some(king) = facts.kings.get(!turn).filter(|_| attackers.any()) else { return };
    let finding = findings.add(&RULE, place).found(shown(place.of(facts.text))).message(format!(
        "{} is to move, yet the king of {} on {king} is attacked by {}",
        color_name(turn),
        color_name(!turn),
        facts.names_of(attackers)
    ));
    finding.expected((!turn).char());
    finding.repair = Some(Repair::Likely);
}
