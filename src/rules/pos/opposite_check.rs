//! POS03: the side not to move is in check.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS03"),
    name: "opposite-check",
    severity: Severity::Error,
    summary: "The side not to move is in check",
    what: "A move never leaves its own king in check, so the side that has just moved is never in \
        check. If the kings are adjacent, only POS02 is reported. If both kings are in check, only \
        POS04 is reported.",
    why: "The king could be captured, and engines crash or play nonsense. Usually the wrong side \
        is to move.",
    fix: "Correct the side to move. If it is right, correct the piece placement.",
    source: "FIDE Laws 3.9",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("POS02"), code!("POS04")]),
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
        "{} is to move, but the {} king on {king} is attacked by {}",
        color_name(turn),
        turn.fold_wb("black", "white"),
        facts.names_of(attackers)
    ));
    let other = (!turn).char().to_string();
    finding.repair(Certainty::Likely, Patch::replace(facts.text, place, other.as_str()));
    finding.expected(other).squares(attackers).squares(king);
}
