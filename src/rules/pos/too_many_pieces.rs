//! `too-many-pieces`.

use shakmaty::Color;

use crate::{
    chess::color_name,
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS07: a side has more than sixteen men.
pub static RULE: Rule = Rule {
    code: code!("POS07"),
    name: "too-many-pieces",
    severity: Severity::Error,
    summary: "A side has more than sixteen men",
    what: "Each side begins with sixteen men, and captures only take men away. A side with more than eight pawns is not reported again.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, articles 2.2 and 3.7.5",
    reachability: true,
    fires: &[Sample::Positions("⟦4k3/8/8/8/NNN5/NNN3N1/PPPP4/RNBQKBNR⟧ w - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/1NN5/1NN5/PPPP4/RNBQKBNR w - - 3 60")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    for color in Color::ALL {
        let men = board.by_color(color).count();
        if men > 16 && board.by_piece(color.pawn()).count() <= 8 {
            findings
                .add(&RULE, facts.placement_place())
                .found(men.to_string())
                .expected("at most 16")
                .message(format!("{} has {men} men", color_name(color)));
        }
    }
}
