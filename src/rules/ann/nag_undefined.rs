//! ANN02: glyphs without a meaning.

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{Remark, RemarkFacts},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ANN02"),
    name: "nag-undefined",
    severity: Severity::Info,
    summary: "A numeric annotation glyph has no meaning in the PGN standard, or two of one move contradict each other",
    what: "The number is 0, the null annotation, or from 140 to 255, which the standard leaves open: once per input and number. \
           Programs agree on some of these ($140 `with the idea`, $142 `better is`, $145 `editorial comment`, $146 `novelty`, $220 and $221 diagrams, $238 to $249 ChessBase's signs), and the message says so. \
           Or one move has two different glyphs of the kind `good move`, `mistake`, $1 to $6.",
    why: "Other programs show nothing, or something else.",
    fix: "Write the meaning as a comment; take one of the two glyphs out.",
    source: "PGN standard 10",
    fires: &[Sample::Moves("1. e4 e5 2. Nf3 ⟦$146⟧ *"), Sample::Moves("1. e4 ⟦$0⟧ *"), Sample::Moves("1. e4 $1 ⟦$2⟧ e5 *")],
    silent: &[Sample::Moves("1. e4 $1 $14 $139 e5 $2 *")],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    let Remark::Nag { number: Some(number), contrary, .. } = facts.remark else { return };
    let found = shown(facts.place.of(facts.text));
    if let Some(other) = contrary {
        let message = format!("`{found}` and `${other}` of the same move contradict each other");
        findings.add(&RULE, facts.place).found(found).message(message);
        return;
    }
    let meaning = match number {
        0 => "the null annotation",
        140 => "which programs take for `with the idea`",
        141 => "which programs take for `aimed against`",
        142 => "which programs take for `better is`",
        143 => "which programs take for `worse is`",
        144 => "which programs take for `equivalent is`",
        145 => "which programs take for `editorial comment`",
        146 => "which programs take for `novelty`",
        220 | 221 => "which programs take for a diagram",
        238..=249 => "which ChessBase has a sign for",
        147..=255 => "of no known meaning",
        _ => return,
    };
    let finding = findings.add(&RULE, facts.place);
    finding.once_per_input_and(number.to_string()).message(format!("`{found}` is not defined by the PGN standard: {meaning}"));
    finding.found(found);
}
