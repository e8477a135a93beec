//! VAR04: Chess960 games that are not declared as such.

use shakmaty::{Bitboard, Board, Color};

use crate::chess::fen::RightReading;
use crate::rules::prelude::*;
use crate::rules::variant_shown;
use crate::rules::variant_shown::CHESS960;

pub static RULE: Rule = Rule {
    code: code!("VAR04"),
    name: "chess960-undeclared",
    severity: Severity::Warning,
    summary: "The game is Chess960, but no Variant tag says so",
    what: "The castling rights in the FEN tag fit Chess960 or double Chess960, but not standard \
           chess. Or the game starts from one of the 959 Chess960 starting positions that differ \
           from the standard one. Reported once per input, if most games of the input that allow \
           a decision are Chess960. Otherwise the castling rights are probably wrong: see CAS01 \
           and CAS02. Position lines have no tags and are not checked.",
    why: "Programs that rely on the tag reject the position, drop the castling rights or stop at \
          the first castling move.",
    fix: "Add `[Variant \"Chess960\"]`.",
    source: "XBoard PGN extension `Variant`; FIDE Guidelines for Chess960",
    fires: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n\
                   [FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w ⟦KQkq⟧ - 0 1\"]",
            moves: "1. c4 c5 *",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n\
                   [FEN \"⟦rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR⟧ w KQkq - 0 1\"]",
            moves: "1. c4 c5 *",
        },
        // Black does not begin.
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR b KQkq - 0 1\"]\n\n1... c5 *\n\n\
             [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"⟦rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR⟧ w KQkq - 0 1\"]\n\n1. c4 c5 *\n",
        ),
    ],
    silent: &[
        // The games with a Variant tag show that this is a file of standard chess.
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Standard\"]\n\
             [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n\n30. e4 *\n\n\
             [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Variant \"Standard\"]\n\
             [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 40\"]\n\n40. e3 *\n\n\
             [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1\"]\n\n1. c4 c5 *\n",
        ),
        Sample::Game {
            tags: "[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
                   [FEN \"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\"]",
            moves: "1. c4 c5 *",
        },
        Sample::Positions(
            "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1\nrbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1",
        ),
    ],
    check: Check::Position(check),
    note: Some(&variant_shown::NOTE),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    // VAR07 reports positions that are said to be set up.
    let declared = &facts.declared;
    if facts.origin != Origin::FenTag || declared.chess960 || declared.other_variant || declared.set_up {
        return;
    }
    if let Some(place) = facts.fen.castling().filter(|_| facts.only_chess960) {
        let found = shown(place.of(facts.text));
        let message = format!("the castling rights `{found}` fit only Chess960, but no Variant tag says so");
        let finding = findings.add(&RULE, place).found(found).expected("[Variant \"Chess960\"]").message(message);
        finding.only_if(CHESS960).once_per_input();
        for claimed in facts.rights() {
            if let (RightReading::Chess960(rook), Some(king)) = (claimed.reading, *facts.kings.get(claimed.letter.color())) {
                finding.squares(Bitboard::from(king).with(rook));
            }
        }
        return;
    }
    let at_start = facts.turn == Some(Color::White) && facts.halfmove_clock == Some(0) && facts.fullmove_number == Some(1);
    let Some(place) = facts.fen.placement().filter(|_| at_start) else { return };
    let is_chess960_start = |board: &Board| *board != Board::new() && (0..960).any(|number| Board::chess960(number) == *board);
    // The cheap test first: all pawns are at home.
    let Some(board) = &facts.board else { return };
    if board.pawns() == Board::new().pawns() && is_chess960_start(board) {
        findings
            .add(&RULE, place)
            .found(shown(place.of(facts.text)))
            .expected("[Variant \"Chess960\"]")
            .message("the game starts from a Chess960 starting position, but no Variant tag says so")
            .only_if(CHESS960)
            .once_per_input();
    }
}
