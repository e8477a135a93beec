//! FEN03: a character in the piece placement is not a piece.

use crate::{
    chess::fen::PlacementNotes,
    rules::{Check, Findings, Rule, Sample, Severity, Span, facts::PositionFacts, shown},
};

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
    let known = |byte: u8| matches!(byte, b'0'..=b'9' | b'/' | b'\\' | b',') || b"pnbrqkPNBRQK".contains(&byte);
    let bytes = placement.of(facts.text);
    let Some(offset) = bytes.iter().position(|&byte| !known(byte)) else { return };
    let length = 1 + bytes[offset + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80 && bytes[offset] >= 0xC0).count();
    let place = Span::new(placement.start + offset, placement.start + offset + length);
    let rank = 8 - bytes[..offset].iter().filter(|byte| **byte == b'/').count() as i64;
    let found = shown(place.of(facts.text));
    let finding =
        findings.add(&RULE, place).message(format!("`{found}` on rank {rank} is not a piece: pieces are PNBRQK and pnbrqk"));
    if let Some(letter) = figurine(&found) {
        finding.expected(letter);
    }
    finding.found(found);
}

/// The FEN letter of the piece that a chess symbol shows.
fn figurine(symbol: &str) -> Option<char> {
    symbol
        .chars()
        .next()
        .and_then(|symbol| "♔♕♖♗♘♙♚♛♜♝♞♟".chars().zip("KQRBNPkqrbnp".chars()).find(|(shown, _)| *shown == symbol))
        .map(|(_, letter)| letter)
}
