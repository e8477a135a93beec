//! `pawn-structure`.

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS12: pawns that cannot have come from eight files.
pub static RULE: Rule = Rule {
    code: code!("POS12"),
    name: "pawn-structure",
    severity: Severity::Error,
    summary: "Pawns cannot have come to where they stand",
    what: "A pawn on file f and rank r (counted from its own side) began on a file at most r-2 files away, for it goes up a rank with each capture; and no two pawns began on one file. The rule fires where no assignment of pawns to files does that, as for pawns on a2, a3 and b2. The message names pawns that are enough to show it.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, article 3.7",
    reachability: true,
    fires: &[Sample::Positions("⟦4k3/8/8/8/8/P7/PP6/4K3⟧ w - - 0 40")],
    silent: &[
        Sample::Positions("4k3/8/8/8/P7/8/PP6/4K3 w - - 0 40"),
        Sample::Positions("4k3/8/2P5/8/8/3P4/PP1PPP1P/4K3 w - - 0 40"),
    ],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some((color, pawns)) = structure.impossible_pawns() else { return };
    let squares: Vec<String> = pawns.into_iter().map(|pawn| pawn.to_string()).collect();
    findings.add(&RULE, facts.placement_place()).found(squares.join(" ")).message(format!(
        "the pawns of {} on {} cannot have come from {} different files",
        color_name(color),
        squares.join(", "),
        squares.len()
    ));
}
