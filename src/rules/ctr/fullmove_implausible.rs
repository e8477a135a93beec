//! CTR10: the fullmove number is too high or too low.

use shakmaty::Color;

use crate::rules::placeholders::FULLMOVE_NUMBER_REAL;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR10"),
    name: "fullmove-implausible",
    severity: Severity::Warning,
    summary: "The fullmove number is too high or too low",
    what: "Under the 75-move rule no game lasts longer than 8848.5 moves. A number above 8849 is a \
        warning, or an info if that rule is not known to apply. At move 1 with White to move, \
        Black cannot have made the double step that an en passant square shows. Checked only if \
        the fullmove numbers of this input are real values.",
    why: "Plies were counted instead of moves, or the number was reset.",
    fix: "Correct the fullmove number.",
    source: "FIDE Laws 9.6.2; PGN standard 16.1.3.6",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦99999⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 3 60\n4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 ⟦1⟧"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 8849"), Sample::Positions("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(number), Some(place)) = (facts.fullmove_number, facts.number_place()) else { return };
    let found = || shown(place.of(facts.text));
    if number > 8849 {
        let severity = if facts.declared.seventy_five_move_rule { Severity::Warning } else { Severity::Info };
        findings
            .add(&RULE, place)
            .severity(severity)
            .only_if(FULLMOVE_NUMBER_REAL)
            .found(found())
            .expected("at most 8849")
            .message(format!("no game under the 75-move rule reaches move {number}"));
    }
    if let Some(en_passant) = facts.sound_en_passant().filter(|_| number == 1 && facts.turn == Some(Color::White)) {
        findings
            .add(&RULE, place)
            .only_if(FULLMOVE_NUMBER_REAL)
            .found(found())
            .expected("at least 2")
            .message(format!(
                "Black has just moved a pawn from {} to {}, so the fullmove number is at least 2",
                en_passant.origin, en_passant.pawn
            ))
            .squares(en_passant.pawn);
    }
}
