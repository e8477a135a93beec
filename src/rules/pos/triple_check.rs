//! POS09: more than two pieces give check at the same time.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS09"),
    name: "triple-check",
    severity: Severity::Error,
    summary: "More than two pieces give check at the same time",
    what: "A move gives check with the piece that moves, and opens at most one line for another \
        piece. En passant can open two lines, but then the capturing pawn does not give check \
        itself.",
    why: "The position cannot occur in a game, and engines rely on that.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.9",
    reachability: true,
    yields: &in_record([code!("POS02"), code!("POS04")]),
    fires: &[Sample::Positions("8/8/1k3r2/8/8/6n1/8/5⟦K⟧q1 w - - 0 1")],
    silent: &[Sample::Positions("8/8/1k3r2/8/8/6n1/8/5K2 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let checkers = facts.own_checkers();
    let Some(king) = facts.turn.and_then(|turn| *facts.kings.get(turn)).filter(|_| checkers.count() > 2) else { return };
    let place = facts.square_place(king);
    findings
        .add(&RULE, place)
        .found(king.to_string())
        .message(format!(
            "{} pieces give check to the king on {king} at the same time: {}",
            checkers.count(),
            facts.names_of(checkers)
        ))
        .squares(checkers)
        .squares(king);
}
