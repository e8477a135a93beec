//! TAG23: FIDE ids that contradict other games of the input.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span};

pub static RULE: Rule = Rule {
    code: code!("TAG23"),
    name: "fide-id-conflict",
    severity: Severity::Info,
    summary: "A FIDE id does not match the player's other games",
    what: "A FIDE id (WhiteFideId, BlackFideId) occurs with two names that have no word in common, \
           not even a similar one. Or one full name has two ids. Or the ratings of two games at \
           most 60 days apart differ by more than 400 points. Each id or name is reported once per \
           input.",
    why: "Games are credited to the wrong player, because ids or namesakes were mixed up. FIDE has \
           sometimes reassigned ids, so this is only a hint.",
    fix: "Look up the player in the FIDE rating list, and correct the id or the name.",
    source: "PGN supplemental tags; FIDE rating list",
    fires: &[
        Sample::Pgn(concat!(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Quill, Ada\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteFideId \"1234567\"]\n\n1. e4 *\n\n",
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.02\"]\n[Round \"2\"]\n[White \"Raines, Tom\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteFideId \"⟦1234567⟧\"]\n\n1. d4 *\n",
        )),
        Sample::Pgn(concat!(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Quill, Ada\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteElo \"2100\"]\n[WhiteFideId \"1234567\"]\n\n1. e4 *\n\n",
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.02.01\"]\n[Round \"2\"]\n[White \"?\"]\n[Black \"Quill, A\"]\n[Result \"*\"]\n[BlackElo \"2600\"]\n[BlackFideId \"⟦1234567⟧\"]\n\n1. d4 *\n",
        )),
    ],
    silent: &[Sample::Pgn(concat!(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Quill, Ada\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteElo \"2100\"]\n[WhiteFideId \"1234567\"]\n\n1. e4 *\n\n",
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2021.01.01\"]\n[Round \"2\"]\n[White \"Quil, A\"]\n[Black \"?\"]\n[Result \"*\"]\n[WhiteElo \"2600\"]\n[WhiteFideId \"1234567\"]\n\n1. d4 *\n",
    ))],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports the FIDE id at `place`. The pipeline calls this, because it sees all games of an input.
pub fn report(findings: &mut Findings, place: Span, found: &str, message: String) {
    findings.add(&RULE, place).found(found).message(message);
}
