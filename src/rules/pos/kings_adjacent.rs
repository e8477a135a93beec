//! POS02: the kings are on adjacent squares.

use shakmaty::attacks;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS02"),
    name: "kings-adjacent",
    severity: Severity::Error,
    summary: "The kings are on adjacent squares",
    what: "Two kings are never on adjacent squares, because one of them would have moved into \
        check.",
    why: "The position cannot occur in a game. Some engines capture a king.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.8, 3.9",
    fires: &[Sample::Positions("8/8/8/8/8/8/8/R4k⟦K⟧1 w - - 0 1")],
    silent: &[Sample::Positions("8/8/8/8/8/8/8/R3k1K1 b - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(white), Some(black)) = (facts.kings.white, facts.kings.black) else { return };
    if attacks::king_attacks(white).contains(black) {
        let place = facts.square_place(white);
        findings
            .add(&RULE, place)
            .found(format!("{white} {black}"))
            .message(format!("the white king on {white} is next to the black king on {black}"))
            .squares(white)
            .squares(black);
    }
}
