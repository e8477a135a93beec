//! `castling-syntax`.

use crate::{
    chess::fen::CastlingSpelling,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::PositionFacts, shown},
};

/// FEN06: castling availability is not spelt as the standard wants it.
pub static RULE: Rule = Rule {
    code: code!("FEN06"),
    name: "castling-syntax",
    severity: Severity::Error,
    summary: "Castling availability is not spelt as the standard wants it",
    what: "The third field is `-`, or one to four different letters of `KQkq`, or files of rooks (`A`-`H`, `a`-`h`). Anything else is an error, a letter written twice a warning, another order than `KQkq` an info, once per input.",
    why: "Readers refuse the position or grant rights that nobody meant.",
    fix: "Write `-` or the letters in the order `KQkq`.",
    source: "PGN standard 1994, section 16.1.3.3",
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
                finding.expected("-").repair = Some(Repair::Certain);
            }
            finding
                .message(format!("`{text}` is no castling availability: `-`, or one to four of KQkq or of rook files"))
                .found(text);
        }
        CastlingSpelling::Repeated => {
            let finding = findings.add(&RULE, place).severity(Severity::Warning);
            finding.message(format!("a letter is written twice in `{text}`")).found(text).expected(in_order(facts));
            finding.repair = Some(Repair::Certain);
        }
        CastlingSpelling::Unordered => {
            let finding = findings
                .add(&RULE, place)
                .severity(Severity::Info)
                .once_per_input()
                .expected(in_order(facts))
                .message(format!("the letters of `{text}` are not in the order KQkq"))
                .found(text);
            finding.repair = Some(Repair::Certain);
        }
    }
}

/// The letters as the standard orders them: those of White, those of Black; `K` before `Q`, files of rooks as they stand.
fn in_order(facts: &PositionFacts<'_>) -> String {
    let mut letters: Vec<char> = facts.castling.letters().map(|letter| char::from(letter.letter)).collect();
    letters.sort_by_key(|letter| "KQ?kq".find(*letter).unwrap_or(if letter.is_ascii_uppercase() { 2 } else { 5 }));
    letters.into_iter().collect()
}
