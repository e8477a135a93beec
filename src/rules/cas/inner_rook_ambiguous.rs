//! CAS04: a castling letter can mean two different rooks.

use shakmaty::{Color, Square};

use crate::chess::fen::RightReading;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CAS04"),
    name: "inner-rook-ambiguous",
    severity: Severity::Warning,
    summary: "A castling letter can mean two different rooks",
    what: "In Chess960, `K` and `Q` mean the outermost rook on that side of the king (X-FEN), but \
        there can be an inner rook as well. If the castling rights of the other side show that the \
        inner rook is meant, this is a warning. Otherwise it is an info, reported once per input. \
        It never applies to the standard squares of king and rook.",
    why: "Programs castle with different rooks.",
    fix: "Write the file of the rook instead of `K` or `Q`.",
    source: "X-FEN, Shredder-FEN",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"3k1r2/8/8/4p3/8/8/4P3/3K1R1R w ⟦K⟧k - 0 30\"]\n\
                   [Variant \"Chess960\"]",
            moves: "*",
        },
        Sample::Positions("3k4/8/8/4p3/8/8/4P3/3K1R1R w ⟦K⟧ - 0 30\n3k4/8/8/4p3/8/8/4P3/3K3R w K - 0 30"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/4p3/8/8/4P3/4K1RR w K - 0 30"),
        Sample::Positions("3k4/8/8/4p3/8/8/4P3/3K1R1R w F - 0 30"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

/// In X-FEN the letter itself is not ambiguous, and in the standard starting position the outermost
/// rook is always the right one. The info is for Chess960, where programs without X-FEN may take
/// another rook.
fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if !facts.only_chess960 {
        return;
    }
    for right in facts.rights() {
        let RightReading::Chess960(rook) = right.reading else { continue };
        let inner = facts.inner_rooks(right);
        if inner.is_empty() {
            continue;
        }
        let place = facts.letter_place(right.letter);
        let letter = shown(place.of(facts.text));
        let finding = findings.add(&RULE, place).found(letter.as_str()).squares(rook);
        let color = right.letter.color();
        let file_letter = |square: Square| char::from(file_letter(color, square)).to_string();
        match facts.inner_rook_meant(right) {
            Some(meant) => {
                let message = format!(
                    "`{letter}` means the outermost rook, on {rook}, but {}'s castling rights show \
                     that the rook on {meant} is meant",
                    color_name(!color)
                );
                finding.expected(file_letter(meant)).message(message).squares(meant);
            }
            None => {
                let message = format!(
                    "`{letter}` means the outermost rook, on {rook}, but programs without X-FEN \
                     may take {}",
                    facts.names_of(inner)
                );
                finding.severity(Severity::Info).once_per_input().expected(file_letter(rook)).message(message).squares(inner);
            }
        }
        if let Some(field) = facts.fen.castling() {
            finding.repair(Certainty::Likely, Patch::replace(facts.text, field, by_files(facts)));
        }
    }
}

/// The letter of a right to castle with the rook on `square`.
fn file_letter(color: Color, square: Square) -> u8 {
    let letter = b'a' + square.file() as u8;
    color.fold_wb(letter.to_ascii_uppercase(), letter)
}

/// All castling rights by the files of their rooks: `K` and `Q` are not mixed with files.
fn by_files(facts: &PositionFacts<'_>) -> String {
    castling_field(facts.rights().filter_map(|right| {
        let rook = right.reading.rook()?;
        Some(file_letter(right.letter.color(), facts.inner_rook_meant(right).unwrap_or(rook)))
    }))
}
