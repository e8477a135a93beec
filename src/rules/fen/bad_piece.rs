//! FEN03: a character in the piece placement is not a piece.

use crate::chess::fen::{PlacementNotes, read_placement};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("FEN03"),
    name: "bad-piece",
    severity: Severity::Error,
    summary: "A character in the piece placement is not a piece",
    what: "The pieces are `PNBRQK` for White and `pnbrqk` for Black. Letters of other languages \
        and chess symbols such as `♔` are errors. Markers of chess variants, such as `~` and \
        pieces in brackets, are reported by VAR05.",
    why: "The content of the square is unknown. Programs reject the position or leave the square \
        empty.",
    fix: "Write the English letter of the piece.",
    source: "PGN standard 16.1.3.1",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("rnbq⟦x⟧bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/8/4⟦♔⟧3 w - - 0 1"),
        Sample::Positions("4k3/8/8/7⟦\0⟧/8/8/4P3/4K3 w - - 0 1"),
    ],
    silent: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(placement) = facts.fen.placement().filter(|_| facts.placement_notes.contains(PlacementNotes::CHARACTER)) else {
        return;
    };
    let bytes = placement.of(facts.text);
    let Some(offset) = bytes.iter().position(|&byte| !is_known(byte)) else { return };
    let length = 1 + bytes[offset + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80 && bytes[offset] >= 0xC0).count();
    let place = Span::new(placement.start + offset, placement.start + offset + length);
    let rank = 8 - bytes[..offset].iter().filter(|byte| **byte == b'/').count() as i64;
    let found = shown(place.of(facts.text));
    let finding = findings
        .add(&RULE, place)
        .once_if_usual(found.as_str())
        .message(format!("`{found}` on rank {rank} is not a piece: pieces are PNBRQK and pnbrqk"));
    if let Some(letter) = figurine(&found) {
        finding.expected(letter);
        for patch in letters_for_figurines(facts.text, placement) {
            finding.repair(Certainty::Likely, patch);
        }
    }
    finding.found(found);
}

/// Whether a byte can be in a piece placement.
fn is_known(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'/' | b'\\' | b',') || b"pnbrqkPNBRQK".contains(&byte)
}

/// Replaces all chess symbols by letters. Nothing, if the placement cannot be read then either.
fn letters_for_figurines(text: &[u8], placement: Span) -> Vec<Patch> {
    let Ok(written) = str::from_utf8(placement.of(text)) else { return Vec::new() };
    let (mut patches, mut readable) = (Vec::new(), String::new());
    for (offset, character) in written.char_indices() {
        let letter = figurine(character.encode_utf8(&mut [0; 4]));
        readable.push(letter.unwrap_or(character));
        if let Some(letter) = letter {
            let start = placement.start + offset;
            patches.push(Patch::replace(text, Span::new(start, start + character.len_utf8()), letter.to_string()));
        }
    }
    if read_placement(readable.as_bytes()).0.is_some() { patches } else { Vec::new() }
}

/// The FEN letter of the piece that a chess symbol shows.
fn figurine(symbol: &str) -> Option<char> {
    symbol
        .chars()
        .next()
        .and_then(|symbol| "♔♕♖♗♘♙♚♛♜♝♞♟".chars().zip("KQRBNPkqrbnp".chars()).find(|(shown, _)| *shown == symbol))
        .map(|(_, letter)| letter)
}
