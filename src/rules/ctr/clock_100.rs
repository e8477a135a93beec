//! `clock-100`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts, shown};

/// CTR07: the halfmove clock is 100 or more.
pub static RULE: Rule = Rule {
    code: code!("CTR07"),
    name: "clock-100",
    severity: Severity::Info,
    summary: "The halfmove clock is 100 or more",
    what: "After fifty moves of each side without a capture or pawn move the player to move may claim a draw. The game may go on until the clock stands at 150.",
    why: "Tablebases and engines treat the position as drawn.",
    fix: "Leave it, where that is meant.",
    source: "Laws of Chess, article 9.3",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - ⟦100⟧ 120"),
        Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - ⟦150⟧ 180"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - 99 120")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock @ 100..=150), Some(place)) = (facts.halfmove_clock, facts.fen.halfmove_clock()) else { return };
    findings.add(&RULE, place).found(shown(place.of(facts.text))).message(format!("at a clock of {clock} a draw can be claimed"));
}
