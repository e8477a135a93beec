//! `fullmove-huge`.

use shakmaty::Color;

use crate::rules::{Check, Condition, Findings, Rule, Sample, Severity, facts::PositionFacts, shown};

/// CTR10: the fullmove number is impossible or beyond every game.
pub static RULE: Rule = Rule {
    code: code!("CTR10"),
    name: "fullmove-huge",
    severity: Severity::Warning,
    summary: "The fullmove number is impossible or beyond every game",
    what: "Under the 75-move rule no game is longer than 8848 moves and a half; where that rule is not known to hold, a greater number is an info. At move 1 with White to move nobody has moved, so that no pawn of Black can have made a double step. Judged where the numbers of the input are no fillers.",
    why: "Plies were written for moves, or the number was reset.",
    fix: "Correct the number.",
    source: "Laws of Chess, article 9.6.2; PGN standard 1994, section 16.1.3.6",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 ⟦99999⟧"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 3 60\n4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 ⟦1⟧"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - 0 8849"), Sample::Positions("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(number), Some(place)) = (facts.fullmove_number, facts.fen.fullmove_number()) else { return };
    let found = || shown(place.of(facts.text));
    if number > 8849 {
        let severity = if facts.declared.seventy_five_move_rule { Severity::Warning } else { Severity::Info };
        findings
            .add(&RULE, place)
            .severity(severity)
            .only_if(Condition::NumberTrusted)
            .found(found())
            .expected("at most 8849")
            .message("no game under the 75-move rule is that long");
    }
    if number == 1 && facts.turn == Some(Color::White) && facts.sound_en_passant().is_some() {
        findings
            .add(&RULE, place)
            .only_if(Condition::NumberTrusted)
            .found(found())
            .expected("at least 2")
            .message("Black has just made a double step, so that this is move 2 at the earliest");
    }
}
