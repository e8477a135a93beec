//! `clock-150`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts, shown};

/// CTR08: the halfmove clock is greater than 150.
pub static RULE: Rule = Rule {
    code: code!("CTR08"),
    name: "clock-150",
    severity: Severity::Warning,
    summary: "The halfmove clock is greater than 150",
    what: "After 75 moves of each side without a capture or pawn move the game is drawn, unless the last of them mated; so the clock ends at 150. A warning where a date from July 2014 on says that this article holds, otherwise an info.",
    why: "The game went on after it had ended, or the clock is false.",
    fix: "Correct the clock, or end the game.",
    source: "Laws of Chess, article 9.6.2",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - ⟦160⟧ 200"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/3R4/K7 w - - ⟦160⟧ 200\"]\n\n*\n",
        ),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/3R4/K7 w - - 98 200")],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(clock @ 151..), Some(place)) = (facts.halfmove_clock, facts.fen.halfmove_clock()) else { return };
    let severity = if facts.declared.seventy_five_move_rule { Severity::Warning } else { Severity::Info };
    findings
        .add(&RULE, place)
        .severity(severity)
        .found(shown(place.of(facts.text)))
        .expected("at most 150")
        .message(format!("at a clock of {clock} the 75-move rule has ended the game"));
}
