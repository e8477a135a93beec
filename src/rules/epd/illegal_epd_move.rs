//! EPD08: illegal and ambiguous moves in operations.

use shakmaty::{
    Bitboard, Move, Position, Square,
    san::{San, SanPlus},
};

use super::{draw, position_at, show_position};
use crate::chess::{Arrow, IllegalCastling, IllegalMove};
use crate::epd::{MoveWord, Opcode, Resolved, written_move};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD08"),
    name: "illegal-epd-move",
    severity: Severity::Error,
    summary: "A move among the operands is illegal or ambiguous",
    what: "The moves of `bm`, `am`, `pm` and `sm` must be legal in the position, and those of \
           `pv` one after the other. Moves with scores in a comment, such as `c0 \"Nf3=10, \
           e4=5\"`, are checked too. Coordinates, missing or wrong marks and superfluous \
           disambiguation do not matter here. A word that is not a move is a warning, and \
           positions that are wrong themselves are not checked.",
    why: "The move cannot be played, so the position or the move is wrong.",
    fix: "Compare the position and the move with the source. Check the side to move.",
    source: "PGN standard 16.2.5",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("EPD16")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦Rf4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - pv e4 Kd7 ⟦e6⟧;"),
        Sample::Positions("k7/8/8/8/8/5N2/8/KN6 w - - bm ⟦Nd2⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e4=10, ⟦Kd7⟧=3\";"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦hello⟧;"),
        Sample::Positions("4k3/8/8/8/1b6/2P5/8/4K3 b - - bm ⟦Bcx3+⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - am Kd2 exd5; pv exd5 Kd7;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; c0 \"e4=10, Kd7=3 would be for Black\";"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    for word in facts.moves {
        match &word.resolved {
            Resolved::Move(_) | Resolved::Null | Resolved::Aside => {}
            Resolved::Unreadable => report_unreadable(facts, word, findings),
            Resolved::Ambiguous(moves) => report_ambiguous(facts, word, moves, findings),
            Resolved::Illegal(reason) => {
                let after = if word.ply > 1 { " after the moves before it" } else { "" };
                let found = found(facts, word);
                let message = format!("`{found}` is not legal{after}: {reason}");
                let finding = add(facts, word, findings).message(message);
                finding.squares(squares_of(reason));
                draw(finding, written_arrows(facts, word), &[]);
            }
        }
    }
}

/// The squares that a reason speaks of.
fn squares_of(reason: &IllegalMove) -> Bitboard {
    let of = |squares: &[Square]| squares.iter().copied().collect();
    match reason {
        IllegalMove::NoSuchPiece { file: Some(file), rank: Some(rank), .. } => of(&[Square::from_coords(*file, *rank)]),
        IllegalMove::OwnPieceOnTarget(piece) => of(&[piece.square]),
        IllegalMove::CannotReach { to, .. } | IllegalMove::NothingToCapture { to } | IllegalMove::EnPassantExpired { to } => {
            of(&[*to])
        }
        IllegalMove::PathBlocked { piece, by } | IllegalMove::Pinned { piece, by } => of(&[piece.square, by.square]),
        IllegalMove::NullInCheck { by } | IllegalMove::LeavesKingInCheck { by } => of(&[by.square]),
        IllegalMove::KingAttacked { to, by } => of(&[*to, by.square]),
        IllegalMove::Castling(IllegalCastling::Blocked(piece) | IllegalCastling::InCheck(piece)) => of(&[piece.square]),
        IllegalMove::Castling(IllegalCastling::Passes { attacked, by, .. }) => of(&[*attacked, by.square]),
        _ => Bitboard::EMPTY,
    }
}

/// The arrows of a word as written.
fn written_arrows(facts: &OperationFacts<'_>, word: &MoveWord) -> Vec<Arrow> {
    // A mark can be separated from its move.
    let text = word.place.of(facts.text).split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let position = position_at(facts, word);
    written_move(text).zip(position).map_or_else(Vec::new, |(written, position)| Arrow::of_written(&position, &written))
}

fn found(facts: &OperationFacts<'_>, word: &MoveWord) -> String {
    shown(word.place.of(facts.text))
}

fn add<'a>(facts: &OperationFacts<'_>, word: &MoveWord, findings: &'a mut Findings) -> &'a mut Finding {
    let finding = findings.add(&RULE, word.place).found(found(facts, word));
    show_position(finding, facts, word);
    if facts.operation_of(word).kind == Opcode::Pv {
        finding.ply(word.ply);
    }
    finding
}

#[cold]
fn report_unreadable(facts: &OperationFacts<'_>, word: &MoveWord, findings: &mut Findings) {
    let written = found(facts, word);
    let meant = with_letters_exchanged(facts, word);
    let finding = add(facts, word, findings).severity(Severity::Warning);
    match meant {
        None => finding.message(format!("`{written}` is not a move")),
        Some(san) => finding
            .message(format!("`{written}` is not a move: two letters are exchanged, {san} is probably meant"))
            .repair(Certainty::Likely, Patch::replace(facts.text, word.place, san.as_str()))
            .expected(san),
    };
}

/// The SAN of the only legal move that differs from a word by the order of two neighbouring
/// letters, as `Bxc3+` from `Bcx3+`. Marks do not matter.
fn with_letters_exchanged(facts: &OperationFacts<'_>, word: &MoveWord) -> Option<String> {
    let position = position_at(facts, word)?;
    let core = |text: &[u8]| {
        let end = text.iter().rposition(u8::is_ascii_alphanumeric).map_or(0, |last| last + 1);
        text[..end].to_vec()
    };
    let written = core(word.place.of(facts.text));
    let is_exchanged = |san: &String| {
        let meant = core(san.as_bytes());
        let first = meant.iter().zip(&written).position(|(one, other)| one != other);
        let mut exchanged = meant.clone();
        first.filter(|first| first + 1 < meant.len()).is_some_and(|first| {
            exchanged.swap(first, first + 1);
            exchanged == written
        })
    };
    let sans = position.legal_moves().into_iter().map(|played| SanPlus::from_move(position.clone(), played).to_string());
    let mut meant = sans.filter(is_exchanged);
    meant.next().filter(|_| meant.next().is_none())
}

#[cold]
fn report_ambiguous(facts: &OperationFacts<'_>, word: &MoveWord, moves: &[Move], findings: &mut Findings) {
    let Some(position) = position_at(facts, word) else { return };
    let candidates: Vec<String> = moves.iter().map(|played| San::from_move(&position, *played).to_string()).collect();
    let message = format!("`{}` is ambiguous: {}", found(facts, word), join_or(&candidates));
    let finding = add(facts, word, findings).alternatives(candidates).message(message);
    draw(finding, written_arrows(facts, word), moves);
}
