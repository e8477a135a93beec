//! ANN04: positions beside the moves that are not those on the board.

use shakmaty::{Chess, EnPassantMode, Position, fen::Fen};

use crate::rules::{
    Check, Findings, Rule, Sample, Severity,
    facts::{Remark, RemarkFacts},
    shown,
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ANN04"),
    name: "embedded-fen-mismatch",
    severity: Severity::Warning,
    summary: "A position written beside the moves is not the one that they lead to",
    what: "The CurrentPosition tag is not the last position of the game: other men, another side to move, or castling rights or an en passant capture that the game does not leave. \
           A FEN in a comment that is called one, as `[%fen ...]`, `FEN: ...` or `Position after 12. Nf3: ...`, is an info where it is neither the position after the move that it stands behind nor the one before it. \
           Counters are not compared. Where the FEN itself is at fault, that is the finding.",
    why: "Moves were added, lost or changed after the position was written down.",
    fix: "Replay the game; correct whichever is wrong.",
    source: "PGN standard 16.1; chess.com's CurrentPosition tag",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\
             [CurrentPosition \"⟦rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -⟧\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Moves("1. e4 e5 {FEN: ⟦rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2⟧} *"),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\
             [CurrentPosition \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Moves("1. e4 e5 {[%fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2]} *"),
    ],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    let Remark::Position { position, stated, last } = facts.remark else { return };
    let expected = Fen::from_position(position, EnPassantMode::Legal).to_string();
    let what = difference(position, stated);
    let whose =
        if last { "the moves lead to another position than CurrentPosition says" } else { "the moves lead to another position" };
    let finding = findings.add(&RULE, facts.place);
    if !last {
        finding.severity(Severity::Info);
    }
    finding.found(shown(facts.place.of(facts.text))).message(format!("{whose}: {what}"));
    finding.expected(expected.clone()).fen(expected);
}

/// What is different, in words.
fn difference(position: &Chess, stated: &Chess) -> String {
    if position.board() == stated.board() {
        return if position.turn() != stated.turn() {
            "it is the other side's move".to_owned()
        } else if position.castles().castling_rights() != stated.castles().castling_rights() {
            "castling rights differ".to_owned()
        } else {
            "the en passant captures differ".to_owned()
        };
    }
    let (board, other) = (position.board(), stated.board());
    let squares: Vec<String> = shakmaty::Square::ALL
        .into_iter()
        .filter(|square| board.piece_at(*square) != other.piece_at(*square))
        .map(|square| square.to_string())
        .collect();
    match squares.len() {
        1..=6 => format!("they differ on {}", squares.join(", ")),
        count => format!("they differ on {count} squares"),
    }
}
