//! `king-cage`.

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS17: a king that cannot have come to where it stands.
pub static RULE: Rule = Rule {
    code: code!("POS17"),
    name: "king-cage",
    severity: Severity::Error,
    summary: "A king stands where it cannot have come",
    what: "A king never enters squares that men have blocked who never moved (see POS15), nor squares that enemy pawns guard which never moved. Over the others it can have come neither from its home nor from where castling puts it. For the standard array only, as POS15.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, articles 3.8 and 3.9",
    reachability: true,
    fires: &[Sample::Positions("⟦K⟧3k2r/pppppppp/8/8/8/8/8/8 w k - 0 40")],
    silent: &[Sample::Positions("K3k1nr/2pppppp/8/8/8/8/8/6N1 b k - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some((color, square)) = structure.caged_king().and_then(|color| Some((color, (*facts.kings.get(color))?))) else {
        return;
    };
    findings.add(&RULE, facts.square_place(square)).found(square.to_string()).message(format!(
        "the king of {} cannot have come to {square} past men that have never moved and squares that they guard",
        color_name(color)
    ));
}
