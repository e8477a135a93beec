//! POS07: a side has more than sixteen pieces and pawns.

use shakmaty::Color;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS07"),
    name: "too-many-pieces",
    severity: Severity::Error,
    summary: "A side has more than sixteen pieces and pawns",
    what: "Each side starts with sixteen pieces and pawns, and captures only remove them. If a \
        side has more than eight pawns, only POS06 is reported.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 2.2, 3.7.5",
    reachability: true,
    fires: &[Sample::Positions("⟦4k3/8/8/8/NNN5/NNN3N1/PPPP4/RNBQKBNR⟧ w - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/1NN5/1NN5/PPPP4/RNBQKBNR w - - 3 60")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

/// No squares are marked: any of the side's pieces can be the one too many.
fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    for color in Color::ALL {
        let pieces = board.by_color(color).count();
        if pieces > 16 && board.by_piece(color.pawn()).count() <= 8 {
            findings
                .add(&RULE, facts.placement_place())
                .found(pieces.to_string())
                .expected("at most 16")
                .message(format!("{} has {pieces} pieces and pawns, but a side starts with 16", color_name(color)));
        }
    }
}
