//! NUM03: numbering that does not begin with that of the FEN.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{NumberAspect, NumberIndication},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("NUM03"),
    name: "start-number",
    severity: Severity::Info,
    summary: "The first move number is not the fullmove number of the FEN",
    what: "A game that begins from a FEN tag is numbered from another number than the FEN's fullmove number; numbers behind it are held against that. \
           Both counting from 1 and going on from the FEN are common: games that count from 1 are reported once per input.",
    why: "Who compares the game with its source by move numbers looks at the wrong place.",
    fix: "Nothing, where a fragment was meant to be numbered from 1; else correct the FEN's fullmove number.",
    source: "PGN standard 8.2.2, 16.1.3.6",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"]\n\n⟦1.⟧ e4 Ke7 2. e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"]\n\n⟦41...⟧ Ke7 42. e4 *\n",
        ),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
         [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"]\n\n39... Ke7 40. e4 *\n",
    )],
    check: Check::Number(check),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    let (NumberAspect::Start, Some(value)) = (facts.aspect, facts.value) else { return };
    let finding = findings
        .add(&RULE, facts.place)
        .found(shown(facts.place.of(facts.text)))
        .message(format!("the game is numbered from {value}, but the fullmove number of the FEN is {}", facts.expected));
    if value == 1 {
        finding.once_per_input_and("1");
    }
}
