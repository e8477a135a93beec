//! `promotions-vs-captures`.

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS14: more pawns have got past the enemy's than captures allow.
pub static RULE: Rule = Rule {
    code: code!("POS14"),
    name: "promotions-vs-captures",
    severity: Severity::Error,
    summary: "More pawns have got past those of the enemy than captures allow",
    what: "Let U be a side's pawns, promoted men included, less the files on which one of its pawns has an enemy pawn ahead. In the beginning U is 0. Moves without capture never raise it: two pawns that face each other on a file stay so. A capture raises it by one at most, or by two where a pawn takes a pawn. So U is at most the number of all captures plus the enemy's pawns that were captured as such, which are at most eight less those that are left and those that were promoted.",
    why: "The position cannot arise: a man too many was promoted, or too few have been captured.",
    fix: "Correct the placement.",
    source: "Tromp and Österlund, Chess Position Ranking",
    reachability: true,
    fires: &[Sample::Positions("⟦rnbqkbnr/pppppppp/8/8/8/2N5/1PPPPPPP/RNBQKBNR⟧ w - - 0 40")],
    silent: &[Sample::Positions("rnbqkb1r/p1pppppp/1p6/8/8/2N5/1PPPPPPP/RNBQKBNR b KQkq - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(passed_pawns) = structure.passed_pawns() else { return };
    let (side, other) = (color_name(passed_pawns.color), color_name(!passed_pawns.color));
    findings
        .add(&RULE, facts.placement_place())
        .found(passed_pawns.unopposed.to_string())
        .expected(format!("{} at most", passed_pawns.max))
        .message(format!(
            "{} of the pawns of {side}, those promoted included, have got past the pawns of {other}; with so many men left it can be {} at most",
            passed_pawns.unopposed, passed_pawns.max
        ));
}
