//! NUM02: periods that indicate the wrong side.

use shakmaty::Color;

use super::goes_on;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NUM02"),
    name: "wrong-side-dots",
    severity: Severity::Warning,
    summary: "The periods after the move number indicate the wrong side",
    what: "The number is correct, but two or more periods come before a move of White. Or the game \
           or a variation starts with a move of Black after a single period. Numbers without \
           periods are not reported, and neither is a single period before a move of Black later \
           in a line. If 20 or more records have this fault, it is reported once per input.",
    why: "A move may be missing, and readers may attribute the move to the wrong side.",
    fix: "If a move is missing before it, add it. Otherwise write `N.` for White and `N...` for \
          Black.",
    source: "PGN standard 8.2.2.2",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves("1. e4 e5 ⟦2...⟧ Nf3 *"), Sample::Moves("1. e4 e5 (⟦1.⟧ c5) 2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 e5 (1... c5) 2. Nf3 *")],
    check: Check::Number(check),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    if facts.aspect != NumberAspect::Count || facts.value != Some(facts.expected) || goes_on(&RULE, facts, findings) {
        return;
    }
    let (expected, message) = match (facts.turn, facts.dots) {
        (Color::White, 2..) => (format!("{}.", facts.expected), "announces a move by Black, but White is to move"),
        (Color::Black, 1) if facts.starts_line => {
            (format!("{}...", facts.expected), "announces a move by White, but Black is to move")
        }
        _ => return,
    };
    let found = shown(facts.place.of(facts.text));
    findings
        .add(&RULE, facts.place)
        .repair(Certainty::Likely, Patch::replace(facts.text, facts.place, expected.as_bytes()))
        .grouped(facts.turn.char().to_string())
        .message(format!("`{found}` {message}"))
        .found(found)
        .expected(expected);
}
