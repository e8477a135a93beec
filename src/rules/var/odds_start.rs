//! VAR06: games played at odds.

use shakmaty::{Board, Color};

use crate::chess::role_name;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("VAR06"),
    name: "odds-start",
    severity: Severity::Info,
    summary: "The game starts with pieces of one side missing",
    what: "One side has its complete starting position, and the other lacks some pieces. The FEN \
           shows no moves: its halfmove clock is 0 and its fullmove number is at most 1. Such a \
           game is played at odds. The rules about counters, castling rights and last moves then \
           accept the missing pieces.",
    why: "Ratings and statistics assume that both sides start equal.",
    fix: "If the game was played at odds, leave it unchanged. Otherwise correct the FEN tag.",
    source: "Handicap games, in use since the 18th century",
    fires: &[Sample::Game {
        tags: "[SetUp \"1\"]\n[FEN \"⟦rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR⟧ w KQkq - 0 1\"]",
        moves: "1. e4 *",
    }],
    silent: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n\
                   [FEN \"rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1\"]",
            moves: "1. e4 *",
        },
        Sample::Positions("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if facts.origin != Origin::FenTag || !facts.begins_at_odds() {
        return;
    }
    let Some(board) = &facts.board else { return };
    let place = facts.placement_place();
    let full = Board::new();
    let missing = full.occupied() & !board.occupied();
    let lacking = if (missing & full.white()).any() { Color::White } else { Color::Black };
    let squares: Vec<String> = missing.into_iter().map(|square| square.to_string()).collect();
    let pieces = match missing.single_square().and_then(|square| full.role_at(square)) {
        Some(role) => role_name(role),
        None => "pieces",
    };
    findings
        .add(&RULE, place)
        .found(shown(place.of(facts.text)))
        .message(format!("{} starts without the {pieces} on {}", color_name(lacking), join_and(&squares)))
        .squares(missing);
}
