//! NUM05: move numbers that are not written as in export format.

use shakmaty::Color;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NUM05"),
    name: "number-style",
    severity: Severity::Info,
    summary: "Move numbers are not written as in export format",
    what: "There is no space between number and move (`1.e4`), no period (`1 e4`), or the periods \
           are separated (`1. ... e5`). A move of Black does not have exactly three periods, or \
           its number directly follows White's move (`1. e4 1... e5`). Reported once per input and \
           style.",
    why: "Import format allows all of this. But tools that search for `1. e4` or compare games as \
          text miss it.",
    fix: "Export the games again: `N. ` before a move of White, `N... ` before a move of Black \
          after a comment or a variation.",
    source: "PGN standard 8.2.2",
    repairs: Some(Certainty::Certain),
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
    wakes: Wakes::Signs(&[Sign::NumberStyle]),
    ..Rule::DEFAULTS
};

/// The value with which a style is reported once per input.
pub const fn value(style: NumberStyle) -> &'static str {
    match style {
        NumberStyle::Glued => "glued",
        NumberStyle::NoPeriod => "no-period",
        NumberStyle::Apart => "apart",
        NumberStyle::Periods => "periods",
        NumberStyle::Superfluous => "superfluous",
    }
}

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    let NumberAspect::Style(style) = facts.aspect else { return };
    let found = shown(facts.place.of(facts.text));
    let message = match style {
        NumberStyle::Glued => format!("there is no space between `{found}` and the move"),
        NumberStyle::NoPeriod => format!("there is no period after the move number `{found}`"),
        NumberStyle::Apart => format!("the periods of `{found}` are separated from the number"),
        NumberStyle::Periods => format!("`{found}` does not have exactly three periods before a move of Black"),
        NumberStyle::Superfluous => format!("`{found}` directly follows White's move, where no number is needed"),
    };
    let finding = findings.add(&RULE, facts.place).found(found).message(message).once_per_input_and(value(style));
    if facts.stands_alone() {
        finding.repair(Certainty::Certain, patch(facts));
    }
}

/// Writes the number as in export format: with its periods and a space, or not at all where none is
/// needed.
pub fn patch(facts: &NumberIndication<'_>) -> Patch {
    let NumberIndication { text, place, expected, turn, aspect, .. } = *facts;
    match aspect {
        NumberAspect::Style(NumberStyle::Superfluous) => {
            let after = text[place.end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            Patch::remove(text, Span::new(place.start, place.end + after))
        }
        NumberAspect::Style(NumberStyle::Glued) => Patch::insert(place.end, *b" "),
        _ => {
            let periods = if turn == Color::White { "." } else { "..." };
            let space = if text.get(place.end).is_some_and(u8::is_ascii_graphic) { " " } else { "" };
            Patch::replace(text, place, format!("{expected}{periods}{space}"))
        }
    }
}
