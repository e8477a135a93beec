//! `too-many-pawns`.

use shakmaty::Color;

use crate::{
    chess::color_name,
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS06: a side has more than eight pawns.
pub static RULE: Rule = Rule {
    code: code!("POS06"),
    name: "too-many-pawns",
    severity: Severity::Error,
    summary: "A side has more than eight pawns",
    what: "Each side begins with eight pawns, and nothing becomes a pawn.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, articles 2.2 and 3.7.5",
    reachability: true,
    fires: &[Sample::Positions("⟦4k3/8/8/8/8/P7/PPPPPPPP/4K3⟧ w - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/8/P7/1PPPPPPP/4K3 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    for color in Color::ALL {
        let pawns = board.by_piece(color.pawn()).count();
        if pawns > 8 {
            findings
                .add(&RULE, facts.placement_place())
                .found(pawns.to_string())
                .expected("at most 8")
                .message(format!("{} has {pawns} pawns", color_name(color)));
        }
    }
}
