//! POS16: too many pieces must have been promoted.

use super::named;
use crate::chess::retro::Structure;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS16"),
    name: "caged-promotions",
    severity: Severity::Error,
    summary: "Too many pieces must have been promoted",
    what: "The pawns and promoted pieces of a side are at most eight, as in POS08. A piece also \
        counts as promoted if it cannot have come from a home square, because unmoved pieces block \
        the way (see POS15). Like POS15, the rule assumes the standard starting position.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.1 to 3.8",
    yields: &in_record([code!("POS15")]),
    reachability: true,
    fires: &[Sample::Positions("⟦B3k2B/1pppppp1/8/8/8/8/PPPP1PPP/RN1QK1NR⟧ w KQ - 0 40")],
    silent: &[Sample::Positions("B3k2B/2ppppp1/8/8/8/8/PPPP1PPP/RN1QK1NR w KQ - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(promotions) = structure.too_many_promotions() else { return };
    let candidates = structure.promotion_candidates(promotions.color);
    findings
        .add(&RULE, facts.placement_place())
        .found(format!("{} pawns, {} promoted", promotions.pawns, promotions.promoted))
        .expected("8 together at most")
        .message(format!(
            "{}'s {}{} and {} are more than 8 together: unmoved pieces block the way from the home squares",
            color_name(promotions.color),
            quantity(promotions.promoted, "promoted piece", "promoted pieces"),
            named(facts, candidates, promotions.promoted),
            quantity(promotions.pawns, "pawn", "pawns")
        ))
        .squares(candidates);
}
