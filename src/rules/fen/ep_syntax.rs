//! FEN07: the en passant field is malformed.

use shakmaty::Color;

use crate::rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts, shown};

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
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦e9⟧ 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦–⟧ 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - ⟦-1⟧ 12"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1")],
    check: Check::Field(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(place) = facts.fen.en_passant().filter(|_| facts.en_passant.is_none()) else { return };
    let found = place.of(facts.text);
    let text = shown(found);
    let finding = findings.add(&RULE, place);
    match found {
        [b'-', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
            finding
                .message("the space between the en passant field and the halfmove clock is missing")
                .expected(format!("- {}", &text[1..]));
        }
        &[file @ b'a'..=b'h', rank @ (b'4' | b'5')]
            if facts.turn == Some(if rank == b'4' { Color::Black } else { Color::White }) =>
        {
            let expected = format!("{}{}", char::from(file), if rank == b'4' { '3' } else { '6' });
            finding
                .message(format!("{text} is the square of the pawn: the field names {expected}, which it crossed"))
                .expected(expected);
        }
        [b'A'..=b'H', b'3' | b'6'] => {
            finding.message(format!("`{text}` is written in uppercase")).expected(text.to_ascii_lowercase());
        }
        _ => {
            if matches!(text.as_str(), "–" | "—" | "−" | "_") {
                finding.expected("-");
            }
            finding.message(format!("`{text}` is not an en passant square: it must be `-` or a square on rank 3 or 6"));
        }
    }
    finding.found(text);
}
