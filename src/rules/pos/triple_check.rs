//! `triple-check`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts};

/// POS09: the side to move is in check from more than two men.
pub static RULE: Rule = Rule {
    code: code!("POS09"),
    name: "triple-check",
    severity: Severity::Error,
    summary: "The side to move is in check from more than two men",
    what: "A move gives check with the man that moves and opens one line at most; en passant, which opens two, gives no check beside them with the pawn.",
    why: "The position cannot arise; engines rely on that.",
    fix: "Correct the placement.",
    source: "Laws of Chess, article 3.9",
    reachability: true,
    yields: &[Yield::InRecord(code!("POS02")), Yield::InRecord(code!("POS04"))],
    fires: &[Sample::Positions("8/8/1k3r2/8/8/6n1/8/5⟦K⟧q1 w - - 0 1")],
    silent: &[Sample::Positions("8/8/1k3r2/8/8/6n1/8/5K2 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let checkers = facts.own_checkers();
    let Some(king) = facts.turn.and_then(|turn| *facts.kings.get(turn)).filter(|_| checkers.count() > 2) else { return };
    let place = facts.square_place(king);
    findings.add(&RULE, place).found(king.to_string()).message(format!(
        "the king on {king} is in check from {} men: {}",
        checkers.count(),
        facts.names_of(checkers)
    ));
}
