//! FEN07: the en passant field is malformed.

use shakmaty::{Rank, Square};

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN07"),
    name: "ep-syntax",
    severity: Severity::Error,
    summary: "The en passant field is malformed",
    what: "The fourth field is `-`, or the square that a pawn has just crossed in a double \
        step. That square is on rank 3 or 6 and written in lowercase.",
    why: "Programs reject the position or ignore the field.",
    fix: "Write `-`, or the square that the pawn has crossed.",
    source: "PGN standard 16.1.3.4",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦e9⟧ 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦–⟧ 0 1"),
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - ⟦E3⟧ 0 30"),
        Sample::Positions("4k3/8/8/8/3pP3/8/8/4K3 b - ⟦e4⟧ 0 30"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦-1⟧ 12"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦-0⟧ 0 30"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(place) = facts.fen.en_passant() else { return };
    let found = place.of(facts.text);
    if facts.en_passant.is_some() && !found[0].is_ascii_uppercase() {
        return;
    }
    let text = shown(found);
    let finding = findings.add(&RULE, place);
    match found {
        // Both counters follow, so the digits are not a counter.
        [b'-', digits @ ..] | [b'a'..=b'h', b'3' | b'6', digits @ ..]
            if digits.iter().all(u8::is_ascii_digit) && facts.halfmove_clock.is_some() && facts.fullmove_number.is_some() =>
        {
            let (field, digits) = text.split_at(found.len() - digits.len());
            let extra = Span::new(place.start + field.len(), place.end);
            finding
                .once_if_usual("digits")
                .message(format!("`{digits}` after `{field}` is superfluous: the two counters follow"))
                .repair(Certainty::Likely, Patch::remove(facts.text, extra))
                .expected(field);
        }
        [b'-', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
            finding
                .once_if_usual("space")
                .message("the space between the en passant field and the halfmove clock is missing")
                .expected(format!("- {}", &text[1..]));
            // The counter after it is then the fullmove number.
            if facts.fen.count() == 5 && facts.halfmove_clock.is_some() {
                finding.repair(Certainty::Likely, Patch::insert(place.start + 1, *b" "));
            }
        }
        &[file @ b'a'..=b'h', rank @ (b'4' | b'5')] if is_square_of_pawn(facts, found) => {
            let expected = format!("{}{}", char::from(file), if rank == b'4' { '3' } else { '6' });
            finding
                .once_if_usual("pawn")
                .message(format!("{text} is the square of the pawn: the field names {expected}, which it crossed"))
                .repair(Certainty::Likely, Patch::replace(facts.text, place, expected.as_str()))
                .expected(expected);
        }
        [b'A'..=b'H', b'3' | b'6'] => {
            finding
                .once_if_usual("uppercase")
                .message(format!("`{text}` is written in uppercase"))
                .expected(text.to_ascii_lowercase());
            finding.repair(Certainty::Certain, Patch::replace(facts.text, place, text.to_ascii_lowercase()));
        }
        _ => {
            if matches!(text.as_str(), "–" | "—" | "−" | "_") {
                finding.expected("-").repair(Certainty::Certain, Patch::replace(facts.text, place, *b"-"));
            } else if matches!(text.as_str(), "O" | "o" | "0" | "--" | "none" | "no") {
                finding.expected("-").repair(Certainty::Likely, Patch::replace(facts.text, place, *b"-"));
            }
            finding
                .once_if_usual("")
                .message(format!("`{text}` is not an en passant square: it must be `-` or a square on rank 3 or 6"));
        }
    }
    finding.found(text);
}

/// Whether a pawn of the side that has just moved is on this square of rank 4 or 5.
fn is_square_of_pawn(facts: &PositionFacts<'_>, square: &[u8]) -> bool {
    let (Some(board), Some(turn), Ok(square)) = (&facts.board, facts.turn, Square::from_ascii(square)) else { return false };
    square.rank() == (!turn).fold_wb(Rank::Fourth, Rank::Fifth) && board.piece_at(square) == Some((!turn).pawn())
}
