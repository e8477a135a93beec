//! FEN06: castling availability is not written as the standard requires.

use crate::chess::fen::{CastlingSpelling, CastlingText};
use crate::rules::prelude::*;

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
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦KQx⟧ - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦K-⟧ - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦KQQk⟧ - 0 1"),
        Sample::Positions("4k3/8/4p3/8/8/8/8/4K3 w ⟦O⟧ - 0 1"),
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
            let finding = findings.add(&RULE, place).once_if_usual("unreadable");
            if let Some((meant, certainty)) = meant(facts, &text) {
                finding.repair(certainty, Patch::replace(facts.text, place, meant.as_str())).expected(meant);
            }
            finding
                .message(format!(
                    "`{text}` is not a castling availability: it must be `-`, or one to four \
                     letters of KQkq or rook files"
                ))
                .found(text);
        }
        CastlingSpelling::Repeated => {
            let finding = findings.add(&RULE, place).severity(Severity::Warning).once_if_usual("repeated");
            finding.message(format!("`{text}` repeats a letter")).found(text).expected(in_order(facts));
            finding.repair(certainty_of_repeated(facts, place), Patch::replace(facts.text, place, in_order(facts)));
        }
        CastlingSpelling::Unordered => {
            findings
                .add(&RULE, place)
                .severity(Severity::Info)
                .once_per_input()
                .repair(Certainty::Certain, Patch::replace(facts.text, place, in_order(facts)))
                .expected(in_order(facts))
                .message(format!("the letters of `{text}` are not in the order KQkq"))
                .found(text);
        }
    }
}

/// The letters in the order of the standard: White before Black, `K` before `Q`, rook files in the
/// order in which they are written.
fn in_order(facts: &PositionFacts<'_>) -> String {
    castling_field(facts.castling.letters().map(|letter| letter.letter))
}

/// What an unreadable field means. Where no side can castle, only `-` fits.
fn meant(facts: &PositionFacts<'_>, text: &str) -> Option<(String, Certainty)> {
    let none = || "-".to_owned();
    if matches!(text, "–" | "—" | "−" | "_") {
        return Some((none(), Certainty::Certain));
    }
    // The en passant field may be attached.
    if text.len() > 1 && text.starts_with('-') {
        return None;
    }
    if !facts.allows_castling() {
        let has_letters = text.bytes().any(|byte| b"KQkq".contains(&byte));
        return Some((none(), if has_letters { Certainty::Likely } else { Certainty::Certain }));
    }
    if matches!(text, "O" | "o" | "0" | "--" | "none" | "no") {
        return Some((none(), Certainty::Likely));
    }
    let letters: Vec<u8> = text.bytes().filter(|byte| *byte != b'-').collect();
    let is_regular = CastlingText::read(&letters).spelling == CastlingSpelling::Regular;
    let fits = is_regular && letters.len() < text.len() && letters.iter().all(|letter| facts.fits_castling(*letter));
    fits.then(|| (castling_field(letters), Certainty::Likely))
}

/// A repeated letter may stand for the letter of the other side.
fn certainty_of_repeated(facts: &PositionFacts<'_>, place: Span) -> Certainty {
    let field = place.of(facts.text);
    let is_repeated = |letter: &&u8| field.iter().filter(|other| other == letter).count() > 1;
    let other_side = |letter: &u8| letter ^ 0x20;
    let may_be_other =
        field.iter().filter(is_repeated).map(other_side).any(|other| !field.contains(&other) && facts.fits_castling(other));
    if may_be_other { Certainty::Likely } else { Certainty::Certain }
}
