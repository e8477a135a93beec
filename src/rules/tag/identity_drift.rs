//! `identity-drift`.

use crate::rules::{Check, Findings, Rule, Sample, Severity, Span};

/// TAG23: a FIDE id and a name that do not go together.
pub static RULE: Rule = Rule {
    code: code!("TAG23"),
    name: "identity-drift",
    severity: Severity::Info,
    summary: "A FIDE id stands beside another name, another rating or another id of the player than elsewhere",
    what: "Within an input a FIDE id (WhiteFideId, BlackFideId) belongs to one player. Reported once for each id: where it stands beside a name that has no word in common with the first one, spelling apart; \
           where the same name had another id before; where the rating is more than 400 points from that of a game at most 60 days away.",
    why: "Games are credited to the wrong player: ids were mixed up, or namesakes taken for one another. FIDE has given ids anew at times, so this is a hint.",
    fix: "Look the player up in the FIDE rating list, and correct the id or the name.",
    source: "supplemental tags of the PGN standard; FIDE rating list",
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

/// Reports that what stands at `place`, an id, does not go with what is known of it.
pub fn report(findings: &mut Findings, place: Span, found: &str, message: String) {
    findings.add(&RULE, place).found(found).message(message);
}
