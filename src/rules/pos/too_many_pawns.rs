//! POS06: a side has more than eight pawns.

use shakmaty::Color;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS06"),
    name: "too-many-pawns",
    severity: Severity::Error,
    summary: "A side has more than eight pawns",
    what: "Each side starts with eight pawns, and no other piece becomes a pawn.",
    why: "The position cannot occur in a game.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 2.2, 3.7.5",
    reachability: true,
    fires: &[Sample::Positions("⟦4k3/8/8/8/8/P7/PPPPPPPP/4K3⟧ w - - 0 1")],
    silent: &[Sample::Positions("4k3/8/8/8/8/P7/1PPPPPPP/4K3 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    for color in Color::ALL {
        let pawns = board.by_piece(color.pawn());
        let count = pawns.count();
        if count > 8 {
            findings
                .add(&RULE, facts.placement_place())
                .found(count.to_string())
                .expected("at most 8")
                .message(format!("{} has {count} pawns, but a side starts with 8", color_name(color)))
                .squares(pawns);
        }
    }
}
