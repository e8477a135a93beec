//! `pawn-captures`.

use crate::{
    chess::{color_name, retro::Structure},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS13: pawns that have made more captures than there are men missing.
pub static RULE: Rule = Rule {
    code: code!("POS13"),
    name: "pawn-captures",
    severity: Severity::Error,
    summary: "Pawns have made more captures than the other side has lost men",
    what: "Pawns change files only by capturing, one file at a time. The least number of captures is that of an assignment of pawns to the files where they began with the least sum of distances; it is never greater than the number of men that the other side has lost. In the standard array a home bishop that is missing behind two unmoved pawns (c8 with pawns on b7 and d7) died at home, where no pawn that is still one can have taken it.",
    why: "The position cannot arise: mostly a pawn stands on the wrong file, or a man is missing from the diagram.",
    fix: "Correct the placement.",
    source: "Laws of Chess, article 3.7",
    reachability: true,
    fires: &[
        Sample::Positions("⟦rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR⟧ w - - 0 1"),
        Sample::Positions("⟦rn1qkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR⟧ w KQkq - 0 1"),
    ],
    silent: &[
        Sample::Positions("rnbqkb1r/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 10"),
        Sample::Positions("rn1qkbnr/ppp1pppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 10"),
    ],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(pawns) = structure.pawn_captures() else { return };
    let missing = match pawns.missing {
        0 => "no man".to_owned(),
        1 => "one man".to_owned(),
        more => format!("{more} men"),
    };
    let at_home = match pawns.captured_at_home {
        0 => String::new(),
        1 => ", one of them a bishop that died at home".to_owned(),
        more => format!(", {more} of them bishops that died at home"),
    };
    let most = pawns.missing.saturating_sub(pawns.captured_at_home);
    let times = if pawns.needed == 1 { "once" } else { "times" };
    let needed = if pawns.needed == 1 { times.to_owned() } else { format!("{} {times}", pawns.needed) };
    findings
        .add(&RULE, facts.placement_place())
        .found(format!("{} captures", pawns.needed))
        .expected(format!("{most} at most"))
        .message(format!(
            "the pawns of {} have captured {needed} at least, but {} has lost {missing}{at_home}",
            color_name(pawns.color),
            color_name(!pawns.color)
        ));
}
