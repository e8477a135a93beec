//! ANN01: numeric annotation glyphs (NAGs) without a valid number or without a move.

use crate::rules::patches::without_token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("ANN01"),
    name: "nag-range",
    severity: Severity::Warning,
    summary: "A NAG is invalid or does not follow a move",
    what: "A numeric annotation glyph (NAG) has no number, or one above 255. Or it comes before \
           the first move of the game. There `$140` and above are allowed, because they may refer \
           to the next move.",
    why: "Programs drop the glyph, or apply it to another move.",
    fix: "Correct the number. Put the glyph after its move.",
    source: "PGN standard 7, 10",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves("1. e4 ⟦$300⟧ *"), Sample::Moves("1. e4 ⟦$⟧ e5 *"), Sample::Moves("⟦$1⟧ 1. e4 *")],
    silent: &[Sample::Moves("1. e4 $1 $13 e5 ({better is} 1... c5 $5) *")],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

/// In a variation a glyph may come before the first move.
fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    let Remark::Nag { number, after_move, .. } = facts.remark else { return };
    let found = shown(facts.place.of(facts.text));
    let message = match number {
        None if !facts.place.of(facts.text).get(1).is_some_and(u8::is_ascii_digit) => "`$` has no number".to_owned(),
        None | Some(256..) => format!("`{found}` is above 255"),
        Some(..140) if !after_move => format!("there is no move before `{found}`"),
        Some(_) => return,
    };
    let is_empty = found == "$";
    let finding = findings.add(&RULE, facts.place).once_if_usual("").found(found).message(message);
    if is_empty {
        finding.repair(Certainty::Likely, without_token(facts.text, facts.place));
    }
}
