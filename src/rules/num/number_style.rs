//! NUM05: numbers in another style than that of export format.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{NumberAspect, NumberIndication, NumberStyle},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("NUM05"),
    name: "number-style",
    severity: Severity::Info,
    summary: "Move numbers are not written as in export format",
    what: "No blank between number and move (`1.e4`), no period (`1 e4`), periods that stand apart (`1. ... e5`), another number of periods than three before a move of Black, \
           or a number before a move of Black that directly follows one of White (`1. e4 1... e5`). Looked at once in a game, reported once per input and style.",
    why: "Import format allows all of it; readers that look for `1. e4` or compare texts stumble.",
    fix: "Export the games again: `N. ` before a move of White, `N... ` before one of Black behind a comment or a variation.",
    source: "PGN standard 8.2.2",
    fires: &[
        Sample::Moves("⟦1.⟧e4 e5 2. Nf3 *"),
        Sample::Moves("⟦1⟧ e4 e5 *"),
        Sample::Moves("1. e4 {best by test} ⟦1. ...⟧ e5 *"),
        Sample::Moves("1. e4 {best by test} ⟦1..⟧ e5 *"),
        Sample::Moves("1. e4 ⟦1...⟧ e5 2. Nf3 *"),
    ],
    silent: &[
        Sample::Moves("1. e4 {best by test} 1... e5 2. Nf3 *"),
        Sample::Moves("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3.\nBb5 *"),
    ],
    check: Check::Number(check),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    let NumberAspect::Style(style) = facts.aspect else { return };
    let found = shown(facts.place.of(facts.text));
    let (value, message) = match style {
        NumberStyle::Glued => ("glued", format!("no blank stands between `{found}` and the move")),
        NumberStyle::NoPeriod => ("no-period", format!("no period stands behind the number `{found}`")),
        NumberStyle::Apart => ("apart", format!("the periods of `{found}` stand apart")),
        NumberStyle::Periods => ("periods", format!("before a move of Black `{found}` should have three periods")),
        NumberStyle::Superfluous => {
            ("superfluous", format!("`{found}` stands directly behind the move of White, where no number is needed"))
        }
    };
    findings.add(&RULE, facts.place).found(found).message(message).once_per_input_and(value);
}
