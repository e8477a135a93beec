//! ANN01: glyphs that are none.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{Remark, RemarkFacts},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ANN01"),
    name: "nag-range",
    severity: Severity::Warning,
    summary: "A numeric annotation glyph has no number from 0 to 255, or no move to belong to",
    what: "`$` is followed by no digits or by a number above 255; or the glyph stands before the first move of the game. Before the first move of a variation it is an info, and $140 and above, which may speak of the move behind them, are fair there and everywhere.",
    why: "Programs drop the glyph, or give it to another move.",
    fix: "Correct the number; put the glyph behind its move.",
    source: "PGN standard 7 and 10",
    fires: &[Sample::Moves("1. e4 ⟦$300⟧ *"), Sample::Moves("1. e4 ⟦$⟧ e5 *"), Sample::Moves("⟦$1⟧ 1. e4 *")],
    silent: &[Sample::Moves("1. e4 $1 $13 e5 ({better is} 1... c5 $5) *")],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    let Remark::Nag { number, behind_move, .. } = facts.remark else { return };
    let found = shown(facts.place.of(facts.text));
    let message = match number {
        None if !facts.place.of(facts.text).get(1).is_some_and(u8::is_ascii_digit) => "no number stands behind `$`".to_owned(),
        None | Some(256..) => format!("`{found}` is above 255"),
        Some(..140) if !behind_move => format!("no move stands before `{found}`"),
        Some(_) => return,
    };
    findings.add(&RULE, facts.place).found(found).message(message);
}
