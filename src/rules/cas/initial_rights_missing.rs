//! CAS06: castling rights are missing in the starting position.

use shakmaty::{Board, Color};

use crate::rules::prelude::*;
use crate::rules::variant_shown::STANDARD_CHESS;

pub static RULE: Rule = Rule {
    code: code!("CAS06"),
    name: "initial-rights-missing",
    severity: Severity::Info,
    summary: "Castling rights are missing in the starting position",
    what: "At the start of a standard game, both sides can castle on both sides. FEN tags and \
        inputs with Chess960 are not checked.",
    why: "A program that drops castling rights here probably drops them in all positions.",
    fix: "Write `KQkq`.",
    source: "FIDE Laws 3.8.2",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w ⟦-⟧ - 0 1")],
    silent: &[
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 4 3"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(place)) = (&facts.board, facts.fen.castling()) else { return };
    let at_start = matches!((facts.halfmove_clock, facts.fullmove_number), (None, None) | (Some(0), Some(1)));
    let rights = facts.rights().filter(|right| right.reading.rook().is_some()).count();
    if facts.origin == Origin::Line
        && facts.turn == Some(Color::White)
        && at_start
        && rights < 4
        && facts.castling_is_readable()
        && *board == Board::new()
    {
        findings
            .add(&RULE, place)
            .only_if(STANDARD_CHESS)
            .found(shown(place.of(facts.text)))
            .expected("KQkq")
            .repair(Certainty::Likely, Patch::replace(facts.text, place, *b"KQkq"))
            .message("castling rights are missing in the starting position, where both sides can castle on both sides");
    }
}
