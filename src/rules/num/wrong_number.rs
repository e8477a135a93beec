//! NUM01: move numbers that do not fit.

use shakmaty::Color;

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{NumberAspect, NumberIndication},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("NUM01"),
    name: "wrong-number",
    severity: Severity::Warning,
    summary: "The move number is not that of the move which follows",
    what: "The number differs from the one that counting gives: from the FEN's fullmove number, or from 1, or from the first number where the whole game is numbered so. \
           A number that is left out, and one repeated before a move of Black, is no fault. \
           Every number of a variation is held against the place where the variation stands.",
    why: "Moves were lost or doubled here: the best hint there is at where a game was damaged.",
    fix: "Compare the moves before this place with another source; where none is missing, correct the number.",
    source: "PGN standard 8.2.2",
    fires: &[Sample::Moves("1. e4 e5 ⟦3.⟧ Nf3 *")],
    silent: &[
        Sample::Moves("1. e4 {best by test} 1... e5 2. Nf3 *"),
        Sample::Moves("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"]\n\n39... Ke7 40. e4 *\n",
        ),
    ],
    check: Check::Number(check),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    if facts.aspect != NumberAspect::Count || facts.value == Some(facts.expected) {
        return;
    }
    let found = shown(facts.place.of(facts.text));
    let expected = match facts.turn {
        Color::White => format!("{}.", facts.expected),
        Color::Black => format!("{}...", facts.expected),
    };
    let side = if facts.turn == Color::White { "White" } else { "Black" };
    if let Some(plies) = facts.spliced {
        let finding = findings.add(&RULE, facts.place);
        finding.found(found).message(format!(
            "another game begins here, without tag pairs, and the first has no termination marker: {plies} plies replay from \
             the initial array, and were not held against this game"
        ));
        return;
    }
    let hint = match facts.value {
        Some(_) if facts.next.is_some_and(|next| next == facts.expected || next == facts.expected + 1) => {
            "; the numbers behind it go on as if it were right, so that it is wrong by itself"
        }
        Some(value) if value > facts.expected => "; moves may be missing before it",
        Some(_) => "; moves may stand twice before it",
        None => "",
    };
    let finding = findings.add(&RULE, facts.place);
    finding.message(format!("`{found}` stands where move {} of {side} follows{hint}", facts.expected));
    finding.found(found).expected(expected).repair = Some(Repair::Likely);
}
