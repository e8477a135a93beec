//! POS14: more pawns passed the enemy pawns than captures allow.

use crate::chess::retro::Structure;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS14"),
    name: "promotions-vs-captures",
    severity: Severity::Error,
    summary: "More pawns passed the enemy pawns than captures allow",
    what: "Two opposing pawns on one file cannot pass each other: one of them first has to capture \
        or be captured. So captures limit how many pawns of a side, promoted ones included, can \
        have no enemy pawn ahead on their file. The position exceeds that limit.",
    why: "The position cannot occur in a game. A piece too many was promoted, or too few pieces \
        were captured.",
    fix: "Correct the piece placement.",
    source: "Tromp and Österlund, Chess Position Ranking",
    reachability: true,
    fires: &[Sample::Positions("⟦rnbqkbnr/pppppppp/8/8/8/2N5/1PPPPPPP/RNBQKBNR⟧ w - - 0 40")],
    silent: &[Sample::Positions("rnbqkb1r/p1pppppp/1p6/8/8/2N5/1PPPPPPP/RNBQKBNR b KQkq - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

/// The limit and its proof are in the documentation of [`Structure::passed_pawns`].
fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(passed_pawns) = structure.passed_pawns() else { return };
    let (side, other) = (color_name(passed_pawns.color), color_name(!passed_pawns.color));
    findings
        .add(&RULE, facts.placement_place())
        .found(passed_pawns.unopposed.to_string())
        .expected(format!("{} at most", passed_pawns.max))
        .message(format!(
            "{} of {side}'s pawns, including promoted ones, {} passed {other}'s pawns, but with so few captures at most {} can \
             have",
            passed_pawns.unopposed,
            if passed_pawns.unopposed == 1 { "has" } else { "have" },
            passed_pawns.max
        ));
}
