//! ANN02: numeric annotation glyphs (NAGs) without a standard meaning, and contradictory ones.

use crate::rules::patches::without_token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("ANN02"),
    name: "nag-undefined",
    severity: Severity::Info,
    summary: "A NAG has no standard meaning or contradicts another one",
    what: "The number of a numeric annotation glyph (NAG) is 0, the null annotation, or from 140 \
           to 255, which the PGN standard does not define. This is reported once per input and \
           number; if programs use a glyph, such as `$146` for a novelty, the message says so. Or \
           one move has two different glyphs from `$1` to `$6`, such as good move and mistake.",
    why: "Other programs show nothing, or something else.",
    fix: "Write the meaning as a comment. Remove one of two contradictory glyphs.",
    source: "PGN standard 10",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Moves("1. e4 e5 2. Nf3 ⟦$146⟧ *"), Sample::Moves("1. e4 ⟦$0⟧ *"), Sample::Moves("1. e4 $1 ⟦$2⟧ e5 *")],
    silent: &[Sample::Moves("1. e4 $1 $14 $139 e5 $2 *")],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    let Remark::Nag { number: Some(number), contrary, .. } = facts.remark else { return };
    let found = shown(facts.place.of(facts.text));
    if let Some(other) = contrary {
        let message = format!("`{found}` contradicts `${other}` of the same move");
        findings.add(&RULE, facts.place).found(found).message(message);
        return;
    }
    let what = match number {
        0 => "is the null annotation, which says nothing",
        140 => "is not in the PGN standard; programs use it for `with the idea`",
        141 => "is not in the PGN standard; programs use it for `aimed against`",
        142 => "is not in the PGN standard; programs use it for `better is`",
        143 => "is not in the PGN standard; programs use it for `worse is`",
        144 => "is not in the PGN standard; programs use it for `equivalent is`",
        145 => "is not in the PGN standard; programs use it for `editorial comment`",
        146 => "is not in the PGN standard; programs use it for `novelty`",
        220 | 221 => "is not in the PGN standard; programs use it for a diagram",
        238..=249 => "is not in the PGN standard; ChessBase has its own symbol for it",
        147..=255 => "is not in the PGN standard and has no known meaning",
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place);
    finding.once_per_input_and(number.to_string()).message(format!("`{found}` {what}"));
    finding.found(found);
    if number == 0 {
        finding.repair(Certainty::Likely, without_token(facts.text, facts.place));
    }
}
