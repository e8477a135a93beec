//! NUM02: periods that name the wrong side.

use shakmaty::Color;

use crate::rules::{
    Check, Findings, Repair, Rule, Sample, Severity,
    facts::{NumberAspect, NumberIndication},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("NUM02"),
    name: "dots-side",
    severity: Severity::Warning,
    summary: "The periods after the move number speak of the other side",
    what: "The number is right, but two or more periods stand before a move of White, or just one before a move of Black with which the game or a variation begins. \
           No period at all is spared, and so is one period before a move of Black within a line.",
    why: "A half-move may be missing, and people who read the line take it for the other side's.",
    fix: "Look whether a move is missing before it; if not, write `N.` for White and `N...` for Black.",
    source: "PGN standard 8.2.2.2",
    fires: &[Sample::Moves("1. e4 e5 ⟦2...⟧ Nf3 *"), Sample::Moves("1. e4 e5 (⟦1.⟧ c5) 2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 e5 (1... c5) 2. Nf3 *")],
    check: Check::Number(check),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    if facts.aspect != NumberAspect::Count || facts.value != Some(facts.expected) {
        return;
    }
    let (expected, message) = match (facts.turn, facts.dots) {
        (Color::White, 2..) => (format!("{}.", facts.expected), "announces a move of Black, but White is to move"),
        (Color::Black, 1) if facts.starts_line => {
            (format!("{}...", facts.expected), "announces a move of White, but Black is to move")
        }
        _ => return,
    };
    let found = shown(facts.place.of(facts.text));
    let finding = findings.add(&RULE, facts.place).message(format!("`{found}` {message}")).found(found).expected(expected);
    finding.repair = Some(Repair::Likely);
}
