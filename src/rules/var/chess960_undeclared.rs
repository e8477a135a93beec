//! VAR04: Chess960 that is not declared.

use shakmaty::{Board, Color};

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{Origin, PositionFacts},
    shown,
};

/// VAR04: a game that can only be Chess960 does not say so.
pub static RULE: Rule = Rule {
    code: code!("VAR04"),
    name: "960-undeclared",
    severity: Severity::Warning,
    summary: "A game that can only be Chess960 has no Variant tag that says so",
    what: "The castling availability of the FEN tag fits Chess960 or double Chess960 but not standard chess, or the game starts from one of the 959 \
           other arrays of Chess960. A game with the same start is read alike with or without the tag here; position lines have no tags and are spared.",
    why: "Programs that go by the tag refuse the position, drop the castling rights or stop at the first castling.",
    fix: "Add `[Variant \"Chess960\"]`.",
    source: "XBoard PGN extension `Variant`; FIDE Guidelines for Chess960",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w ⟦KQkq⟧ - 0 1\"]\n\n1. c4 c5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"⟦rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR⟧ w KQkq - 0 1\"]\n\n1. c4 c5 *\n",
        ),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Chess960\"]\n\
             [SetUp \"1\"]\n[FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\"]\n\n1. c4 c5 *\n",
        ),
        Sample::Positions("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if facts.origin != Origin::FenTag || facts.declared.chess960 || facts.declared.other_variant {
        return;
    }
    if let Some(place) = facts.fen.castling().filter(|_| facts.only_chess960) {
        let found = shown(place.of(facts.text));
        let message = format!("the castling availability `{found}` fits Chess960 only, and no Variant tag says so");
        findings.add(&RULE, place).found(found).expected("[Variant \"Chess960\"]").message(message);
        return;
    }
    let at_start = facts.turn == Some(Color::White) && facts.halfmove_clock == Some(0) && facts.fullmove_number == Some(1);
    let Some(place) = facts.fen.placement().filter(|_| at_start) else { return };
    let is_array = |board: &Board| *board != Board::new() && (0..960).any(|number| Board::chess960(number) == *board);
    // A cheap test first: an array has all its pawns at home.
    let Some(board) = &facts.board else { return };
    if board.pawns() == Board::new().pawns() && is_array(board) {
        findings
            .add(&RULE, place)
            .found(shown(place.of(facts.text)))
            .expected("[Variant \"Chess960\"]")
            .message("the game starts from an array of Chess960, and no Variant tag says so");
    }
}
