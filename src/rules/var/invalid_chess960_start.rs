//! `960-array`.

use shakmaty::{Bitboard, Color, Rank};

use crate::{
    chess::fen::written_ranks,
    rules::{
        Check, Findings, Rule, Sample, Severity,
        facts::{Origin, PositionFacts, color_name},
        shown,
    },
};

/// VAR03: the declared start is no array of Chess960.
pub static RULE: Rule = Rule {
    code: code!("VAR03"),
    name: "960-array",
    severity: Severity::Error,
    summary: "The declared start is no array of Chess960",
    what: "Judged where a Chess960 game starts from a board with all pawns at home and all pieces on their back ranks. Each side has its bishops on squares of both colours, and, at move 1 with a clock of 0, its king between its rooks. The two sides need not be mirrored: that is double Chess960.",
    why: "The game was not set up by the rules, or its FEN is damaged.",
    fix: "Correct the placement or the Variant tag.",
    source: "FIDE Guidelines for Chess960",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/⟦BNBRKRQN⟧ w - - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n*\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n*\n",
    )],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

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
        let count = |men: Bitboard| (men & ours).count();
        // Other men than an array has are the business of the rules about promotions.
        if [board.kings(), board.queens(), board.rooks(), board.bishops(), board.knights()].map(count) != [1, 1, 2, 2, 2] {
            continue;
        }
        let (bishops, rooks, kings) = (board.bishops() & ours, board.rooks() & ours, board.kings() & ours);
        let one_colour = bishops.is_subset(Bitboard::LIGHT_SQUARES) || bishops.is_subset(Bitboard::DARK_SQUARES);
        let between = rooks.first() < kings.first() && kings.first() < rooks.last();
        let reason = if one_colour {
            "the bishops stand on squares of one colour, and no bishop can have moved"
        } else if at_start && !between {
            "the king does not stand between the rooks"
        } else {
            continue;
        };
        let back = color.fold_wb(1, 8);
        let place = written_ranks(facts.text, placement).find(|rank| rank.number == back).map_or(placement, |rank| rank.place);
        findings.add(&RULE, place).found(shown(place.of(facts.text))).message(format!("{}: {reason}", color_name(color)));
    }
}
