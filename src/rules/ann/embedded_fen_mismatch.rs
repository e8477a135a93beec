//! ANN04: positions in tags and comments that differ from those of the game.

use shakmaty::{Bitboard, Chess, EnPassantMode, Position, Square};

use crate::chess::fen_of;
use crate::rules::prelude::*;

/// Maximum number of different squares that a message lists.
const MAX_LISTED: usize = 6;

pub static RULE: Rule = Rule {
    code: code!("ANN04"),
    name: "embedded-fen-mismatch",
    severity: Severity::Warning,
    summary: "A written position differs from the position of the game",
    what: "The CurrentPosition tag is not the final position of the game. A FEN in a comment \
           (`[%fen ...]`, `FEN: ...`, `Position after 12. Nf3: ...`) is an info if it is neither \
           the position after the previous move nor the one before that move. Counters are not \
           compared. If the FEN itself is wrong, only that is reported.",
    why: "Moves were added, lost or changed after the position was written.",
    fix: "Replay the game, and correct whichever is wrong.",
    source: "PGN standard 16.1; chess.com's CurrentPosition tag",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Game {
            tags: "[CurrentPosition \"⟦rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -⟧\"]",
            moves: "1. e4 e5 *",
        },
        Sample::Moves("1. e4 e5 {FEN: ⟦rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2⟧} *"),
    ],
    silent: &[
        Sample::Game {
            tags: "[CurrentPosition \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\"]",
            moves: "1. e4 e5 *",
        },
        Sample::Moves("1. e4 e5 {[%fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2]} *"),
    ],
    check: Check::Remark(check),
    ..Rule::DEFAULTS
};

/// In a comment the position in which the game starts is accepted, too; the pipeline sees to that.
fn check(facts: &RemarkFacts<'_>, findings: &mut Findings) {
    let Remark::Position { position, stated, last } = facts.remark else { return };
    let expected = fen_of(position);
    let (what, squares) = difference(position, stated);
    let which = if last {
        "CurrentPosition is not the final position of the game"
    } else {
        "the position in the comment is not the position of the game"
    };
    let finding = findings.add(&RULE, facts.place);
    if !last {
        finding.severity(Severity::Info);
    }
    finding.found(shown(facts.place.of(facts.text))).message(format!("{which}: {what}"));
    if last {
        // Often the counters are left out.
        let stated = facts.place.of(facts.text);
        let fields = stated.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
        let new = expected.split(' ').take(fields).collect::<Vec<_>>().join(" ");
        finding.repair(Certainty::Likely, Patch::replace(facts.text, facts.place, new));
    }
    finding.expected(expected.clone()).fen(expected).squares(squares);
}

/// The difference as the end of a sentence, and its squares: those of different pieces, else the
/// rooks of different castling rights or the different en passant squares.
fn difference(position: &Chess, stated: &Chess) -> (String, Bitboard) {
    let (board, other) = (position.board(), stated.board());
    if board == other {
        let rooks = position.castles().castling_rights() ^ stated.castles().castling_rights();
        let en_passant = |position: &Chess| position.ep_square(EnPassantMode::Legal).map_or(Bitboard::EMPTY, Bitboard::from);
        return if position.turn() != stated.turn() {
            ("the other side is to move".to_owned(), Bitboard::EMPTY)
        } else if rooks.any() {
            ("its castling rights differ".to_owned(), rooks)
        } else {
            ("its en passant captures differ".to_owned(), en_passant(position) ^ en_passant(stated))
        };
    }
    let squares: Bitboard = Square::ALL.into_iter().filter(|square| board.piece_at(*square) != other.piece_at(*square)).collect();
    let what = match squares.count() {
        1..=MAX_LISTED => {
            let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            format!("it differs on {}", join_and(&names))
        }
        count => format!("it differs on {count} squares"),
    };
    (what, squares)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::text::Span;

    /// The message and the marked squares for two positions.
    fn found(position: &str, stated: &str) -> (String, Bitboard) {
        let read = |fen: &str| fen.parse::<Fen>().unwrap().into_position::<Chess>(CastlingMode::Standard).unwrap();
        let (position, stated) = (read(position), read(stated));
        let remark = Remark::Position { position: &position, stated: &stated, last: true };
        let mut findings = Findings::new();
        check(&RemarkFacts { text: b"", place: Span::new(0, 0), remark }, &mut findings);
        let finding = &findings.all()[0];
        (finding.message.clone(), finding.marks.squares)
    }

    #[test]
    fn differences_are_marked() {
        let game = "r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 0 1";
        let squares = |list: &[Square]| list.iter().copied().collect::<Bitboard>();
        for (stated, end, marked) in [
            ("r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq - 0 1", "it differs on e2 and e4", squares(&[Square::E2, Square::E4])),
            ("r3k2r/8/8/8/8/8/4P3/R3K2R w KQq - 0 1", "its castling rights differ", squares(&[Square::H8])),
            ("r3k2r/8/8/8/8/8/4P3/R3K2R b KQkq - 0 1", "the other side is to move", Bitboard::EMPTY),
        ] {
            let (message, squares) = found(game, stated);
            assert_eq!(message, format!("CurrentPosition is not the final position of the game: {end}"));
            assert_eq!(squares, marked, "{stated}");
        }
        let pawns = "4k3/8/8/8/3pP3/8/8/4K3 b";
        let (message, squares) = found(&format!("{pawns} - e3 0 1"), &format!("{pawns} - - 0 1"));
        assert!(message.ends_with("its en passant captures differ"), "{message}");
        assert_eq!(squares, Bitboard::from(Square::E3));
    }
}
