//! VAR03: Chess960 games with an impossible starting position.

use shakmaty::{Bitboard, Color, Rank};

use crate::chess::fen::written_ranks;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("VAR03"),
    name: "invalid-chess960-start",
    severity: Severity::Error,
    summary: "The game does not start from a Chess960 starting position",
    what: "A side has both bishops on squares of the same colour. Or, at move 1 with a halfmove \
           clock of 0, its king is not between its rooks. Checked if a Chess960 game starts with \
           all pawns at home and all pieces on their back ranks. The two sides may differ: that is \
           double Chess960.",
    why: "The game was not set up by the rules, or its FEN is damaged.",
    fix: "Correct the piece placement or the Variant tag.",
    source: "FIDE Guidelines for Chess960",
    fires: &[Sample::Game {
        tags: "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/⟦BNBRKRQN⟧ w - - 0 1\"]\n[SetUp \"1\"]\n\
               [Variant \"Chess960\"]",
        moves: "*",
    }],
    silent: &[Sample::Game {
        tags: "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\
               [Variant \"Chess960\"]",
        moves: "*",
    }],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

/// A side whose pieces are not those of a starting position is left to the rules about promotions.
fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = facts.board.as_ref().filter(|_| facts.origin == Origin::FenTag && facts.declared.chess960) else { return };
    let Some(placement) = facts.fen.placement() else { return };
    let pawns_at_home = board.by_piece(Color::White.pawn()) == Bitboard::from_rank(Rank::Second)
        && board.by_piece(Color::Black.pawn()) == Bitboard::from_rank(Rank::Seventh);
    if !pawns_at_home
        || (board.white() & Bitboard::from_rank(Rank::First)).count() != 8
        || (board.black() & Bitboard::from_rank(Rank::Eighth)).count() != 8
    {
        return;
    }
    let at_start = facts.turn == Some(Color::White) && facts.halfmove_clock == Some(0) && facts.fullmove_number == Some(1);
    for color in [Color::Black, Color::White] {
        let ours = board.by_color(color);
        let count = |pieces: Bitboard| (pieces & ours).count();
        if [board.kings(), board.queens(), board.rooks(), board.bishops(), board.knights()].map(count) != [1, 1, 2, 2, 2] {
            continue;
        }
        let (bishops, rooks, kings) = (board.bishops() & ours, board.rooks() & ours, board.kings() & ours);
        let is_one_colour = bishops.is_subset(Bitboard::LIGHT_SQUARES) || bishops.is_subset(Bitboard::DARK_SQUARES);
        let is_between = rooks.first() < kings.first() && kings.first() < rooks.last();
        let name = color_name(color);
        let (message, squares) = if is_one_colour {
            (format!("{name} has both bishops on squares of the same colour, and neither can have moved"), bishops)
        } else if at_start && !is_between {
            (format!("{name}'s king is not between the rooks"), kings | rooks)
        } else {
            continue;
        };
        let back = color.fold_wb(1, 8);
        let place = written_ranks(facts.text, placement).find(|rank| rank.number == back).map_or(placement, |rank| rank.place);
        findings.add(&RULE, place).found(shown(place.of(facts.text))).message(message).squares(squares);
    }
}
