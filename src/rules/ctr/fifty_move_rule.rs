//! CTR07: a draw can be claimed under the fifty-move rule.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR07"),
    name: "fifty-move-rule",
    severity: Severity::Info,
    summary: "A draw can be claimed under the fifty-move rule",
    what: "After fifty moves by each side without a capture or pawn move, the player to move can \
        claim a draw. The halfmove clock is then 100. The game can continue until the clock is \
        150.",
    why: "Engines and tablebases treat the position as a draw.",
    fix: "Correct the clock if it is wrong. Otherwise keep the position.",
    source: "FIDE Laws 9.3",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - ⟦100⟧ 120"),
        Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - ⟦150⟧ 180"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - 99 120")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock @ 100..=150), Some(place)) = (facts.halfmove_clock, facts.clock_place()) else { return };
    findings
        .add(&RULE, place)
        .found(shown(place.of(facts.text)))
        .message(format!("a draw can be claimed: the halfmove clock is {clock}"));
}
