//! `caged-promotions`.

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS16: more promoted men than missing pawns, as cages show.
pub static RULE: Rule = Rule {
    code: code!("POS16"),
    name: "caged-promotions",
    severity: Severity::Error,
    summary: "Pieces that cannot have left their home are promoted, and there are too many of them",
    what: "As POS08, but a piece also counts as promoted where it cannot have come from the home of such a piece because men that have never moved stood in the way (see POS15): pawns and promoted men are eight at most. For the standard array only, as POS15.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, articles 3.1 to 3.8",
    reachability: true,
    fires: &[Sample::Positions("⟦B3k2B/1pppppp1/8/8/8/8/PPPP1PPP/RN1QK1NR⟧ w KQ - 0 40")],
    silent: &[Sample::Positions("B3k2B/2ppppp1/8/8/8/8/PPPP1PPP/RN1QK1NR w KQ - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(promotions) = structure.too_many_promotions() else { return };
    findings
        .add(&RULE, facts.placement_place())
        .found(format!("{} pawns, {} promoted", promotions.pawns, promotions.promoted))
        .expected("8 together at most")
        .message(format!(
            "{} has {} pawns and at least {} promoted men, for not all pieces can have come from their homes past men that have never moved",
            color_name(promotions.color),
            promotions.pawns,
            promotions.promoted
        ));
}
