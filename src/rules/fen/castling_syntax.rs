//! FEN06: castling availability is not written as the standard requires.

use crate::{
    chess::fen::CastlingSpelling,
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts, shown},
};

pub static RULE: Rule = Rule {
    code: code!("FEN06"),
    name: "castling-syntax",
    severity: Severity::Error,
    summary: "Castling availability is not written as the standard requires",
    what: "The third field is `-`, or one to four different letters of `KQkq`, or of rook files \
        (`A`-`H`, `a`-`h`). Anything else is an error. A repeated letter is a warning. An order \
        other than `KQkq` is an info, reported once per input.",
    why: "Programs reject the position, or grant castling rights that nobody meant.",
    fix: "Write `-`, or the letters in the order `KQkq`.",
    source: "PGN standard 16.1.3.3",
    fires: &[
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦KQx⟧ - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦K-⟧ - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦KQQk⟧ - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦qkQK⟧ - 0 1"),
    ],
    silent: &[Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w Kq - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(place) = facts.fen.castling() else { return };
    if facts.castling.spelling == CastlingSpelling::Regular {
        return;
    }
    let text = shown(place.of(facts.text));
    match facts.castling.spelling {
        CastlingSpelling::Regular => {}
        CastlingSpelling::Unreadable => {
            let finding = findings.add(&RULE, place);
            if matches!(text.as_str(), "–" | "—" | "−" | "_") {
                finding.expected("-");
            }
            finding
                .message(format!(
                    "`{text}` is not a castling availability: it must be `-`, or one to four \
                     letters of KQkq or rook files"
                ))
                .found(text);
        }
        CastlingSpelling::Repeated => {
            let finding = findings.add(&RULE, place).severity(Severity::Warning);
            finding.message(format!("`{text}` repeats a letter")).found(text).expected(in_order(facts));
        }
        CastlingSpelling::Unordered => {
            let _finding = findings
                .add(&RULE, place)
                .severity(Severity::Info)
                .once_per_input()
                .expected(in_order(facts))
                .message(format!("the letters of `{text}` are not in the order KQkq"))
                .found(text);
        }
    }
}

/// The letters in the order of the standard: White before Black, `K` before `Q`, rook files in the
/// order in which they are written.
fn in_order(facts: &PositionFacts<'_>) -> String {
    let mut letters: Vec<char> = facts.castling.letters().map(|letter| char::from(letter.letter)).collect();
    letters.sort_by_key(|letter| "KQ?kq".find(*letter).unwrap_or(if letter.is_ascii_uppercase() { 2 } else { 5 }));
    letters.into_iter().collect()
}
