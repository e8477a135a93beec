//! CTR08: the 75-move rule has already ended the game.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR08"),
    name: "seventy-five-move-rule",
    severity: Severity::Warning,
    summary: "The 75-move rule has already ended the game",
    what: "After 75 moves by each side without a capture or pawn move, the game is drawn unless \
        the last move was checkmate. So the halfmove clock is at most 150. This is a warning if a \
        date from July 2014 on shows that the rule applies, otherwise an info.",
    why: "The game continued after its end, or the clock is wrong.",
    fix: "Correct the clock, or end the game earlier.",
    source: "FIDE Laws 9.6.2",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - ⟦160⟧ 200"),
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[SetUp \"1\"]\n\
                   [FEN \"4k3/8/8/8/8/8/3R4/K7 w - - ⟦160⟧ 200\"]",
            moves: "*",
        },
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - 98 200")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock @ 151..), Some(place)) = (facts.halfmove_clock, facts.clock_place()) else { return };
    let severity = if facts.declared.seventy_five_move_rule { Severity::Warning } else { Severity::Info };
    findings
        .add(&RULE, place)
        .severity(severity)
        .found(shown(place.of(facts.text)))
        .expected("at most 150")
        .message(format!("the halfmove clock is {clock}, but the 75-move rule ends the game at 150"));
}
