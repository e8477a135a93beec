//! POS12: the pawns cannot have reached their squares.

use crate::chess::retro::Structure;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS12"),
    name: "pawn-structure",
    severity: Severity::Error,
    summary: "The pawns cannot have reached their squares",
    what: "A pawn changes file only by capturing, and moves one rank ahead with each capture. So a \
        pawn on rank r, counted from its own side, started at most r-2 files away. The pawns are \
        reported if they cannot all have started on different files, for example pawns on a2, a3 \
        and b2. The message names as few of them as possible.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.7",
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
    findings
        .add(&RULE, facts.placement_place())
        .found(squares.join(" "))
        .message(format!(
            "the {} pawns on {} cannot have started on {} different files",
            color.fold_wb("white", "black"),
            join_and(&squares),
            squares.len()
        ))
        .squares(pawns);
}
