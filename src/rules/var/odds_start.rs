//! `odds-start`.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{Origin, PositionFacts},
    shown,
};

/// VAR06: a game is played at odds.
pub static RULE: Rule = Rule {
    code: code!("VAR06"),
    name: "odds-start",
    severity: Severity::Info,
    summary: "The game starts from the initial array without some men of one side",
    what: "Of the initial array one side has all its men and the other lacks some; nobody has moved (clock 0, move 1). Such a game is played at odds: that no last move, no counters and no castling rights explain what is missing is no fault then.",
    why: "Ratings and statistics are about games that both sides begin alike.",
    fix: "Leave it, where the game was played at odds; else correct the FEN tag.",
    source: "Handicap games, in use since the 18th century",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"⟦rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR⟧ w KQkq - 0 1\"]\n\n1. e4 *\n",
    )],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1\"]\n\n1. e4 *\n",
        ),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if facts.origin != Origin::FenTag || !facts.begins_at_odds() {
        return;
    }
    let place = facts.placement_place();
    findings
        .add(&RULE, place)
        .found(shown(place.of(facts.text)))
        .message("one side has the initial array, the other lacks men of it");
}
