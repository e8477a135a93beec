//! EPD operations.

pub(crate) mod bad_string;
pub(crate) mod bm_am_conflict;
pub(crate) mod counter_opcode_conflict;
pub(crate) mod duplicate_id;
pub(crate) mod duplicate_opcode;
pub(crate) mod fen_as_epd;
pub(crate) mod illegal_epd_move;
pub(crate) mod invalid_mate_score;
pub(crate) mod invalid_opcode;
pub(crate) mod invalid_operand;
pub(crate) mod missing_semicolon;
pub(crate) mod move_after_game_end;
pub(crate) mod non_san_move;
pub(crate) mod pm_pv_conflict;
pub(crate) mod protocol_opcode_conflict;
pub(crate) mod unknown_or_unsorted_opcode;
pub(crate) mod wrong_mate_distance;
pub(crate) mod wrong_perft_count;

family! {
    fen_as_epd, invalid_opcode, missing_semicolon, bad_string, duplicate_opcode,
    unknown_or_unsorted_opcode, invalid_operand, illegal_epd_move, non_san_move, bm_am_conflict,
    pm_pv_conflict, invalid_mate_score, wrong_mate_distance, counter_opcode_conflict,
    protocol_opcode_conflict, move_after_game_end, duplicate_id, wrong_perft_count,
}

use shakmaty::{Chess, Move, Position, san::SanPlus};

use super::{Finding, facts::OperationFacts};
use crate::{
    chess::{Arrow, fen_of},
    epd::{MoveWord, Resolved},
};

/// The position in which a word is a move: that of the line, or in a variation the one after the
/// moves before it.
fn position_at(facts: &OperationFacts<'_>, word: &MoveWord) -> Option<Chess> {
    let mut position = facts.start?.clone();
    // Words are in order, and a line can have very many.
    let first = facts.moves.partition_point(|other| other.operation < word.operation);
    for other in facts.moves[first..].iter().take_while(|other| other.operation == word.operation && other.ply < word.ply) {
        if let Resolved::Move(played) = other.resolved {
            position.play_unchecked(played);
        }
    }
    Some(position)
}

/// The SAN of the move that a word means.
fn san(facts: &OperationFacts<'_>, word: &MoveWord) -> Option<String> {
    let Resolved::Move(played) = word.resolved else { return None };
    Some(SanPlus::from_move(position_at(facts, word)?, played).to_string())
}

/// Shows the position in which a word is a move. The position of the line is set for all other
/// findings.
fn show_position(finding: &mut Finding, facts: &OperationFacts<'_>, word: &MoveWord) {
    if word.ply > 1
        && let Some(position) = position_at(facts, word)
    {
        finding.fen(fen_of(&position));
    }
}

/// The arrow of the move that a word means, in the position of the word.
fn arrow(word: &MoveWord) -> Option<Arrow> {
    match word.resolved {
        Resolved::Move(played) => Arrow::of(played),
        _ => None,
    }
}

/// Draws the arrows of a move as written, and those of the `suggested` moves if they are different
/// ones.
fn draw(finding: &mut Finding, written: Vec<Arrow>, suggested: &[Move]) {
    let mut repaired: Vec<Arrow> = Vec::new();
    for arrow in suggested.iter().filter_map(|played| Arrow::of(*played)) {
        // All promotions of a pawn on one square have the same arrow.
        if !repaired.contains(&arrow) {
            repaired.push(arrow);
        }
    }
    if repaired.len() != written.len() || repaired.iter().any(|arrow| !written.contains(arrow)) {
        finding.repaired(repaired);
    }
    finding.written(written);
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Square};

    use super::super::{Code, Finding};
    use crate::rules::testing::found_in_line;

    /// The first finding of the rule `code` in `line`.
    fn found(line: &str, code: Code) -> Finding {
        found_in_line(line).into_iter().find(|finding| finding.rule.code == code).expect(line)
    }

    /// The arrows of a finding: those of the move as written, then those of the suggested moves.
    fn arrows(line: &str, code: Code) -> (String, String) {
        let marks = found(line, code).marks;
        let [written, repaired] =
            [marks.written, marks.repaired].map(|arrows| arrows.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
        (written, repaired)
    }

    fn pair(written: &str, repaired: &str) -> (String, String) {
        (written.to_owned(), repaired.to_owned())
    }

    #[test]
    fn moves_have_arrows() {
        let pawn = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        assert_eq!(arrows(&format!("{pawn} bm e2e4;"), code!("EPD09")), pair("e2e4", ""), "the same move");
        assert_eq!(arrows(&format!("{pawn} bm e5;"), code!("EPD08")), pair("e2e5", ""));
        assert_eq!(arrows(&format!("{pawn} pm e3; pv e4;"), code!("EPD11")), pair("e2e3", "e2e4"));
        assert_eq!(arrows(&format!("{pawn} am e4; bm e4;"), code!("EPD10")), pair("e2e4", ""));
        assert_eq!(arrows(&format!("{pawn} e4;"), code!("EPD06")), pair("e2e4", ""));
        let later = format!("{pawn} pv e4 Kd7 e6;");
        assert_eq!(arrows(&later, code!("EPD08")), pair("e4e6", ""));
        assert_eq!(found(&later, code!("EPD08")).fen, "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2", "the position reached");
        let knights = "k7/8/8/8/8/5N2/8/KN6 w - - bm Nd2;";
        assert_eq!(arrows(knights, code!("EPD08")), pair("b1d2 f3d2", ""), "both moves are shown as written");
        assert_eq!(arrows("4k3/1P6/8/8/8/8/8/4K3 w - - bm b8;", code!("EPD08")), pair("b7b8", ""));
    }

    #[test]
    fn reasons_mark_squares() {
        let squares = |line: &str, code| found(line, code).marks.squares;
        assert_eq!(squares("4k3/8/8/8/8/8/4P3/4K3 w - - bm Ke2;", code!("EPD08")), Bitboard::from(Square::E2));
        assert_eq!(squares("4R1k1/5ppp/8/8/8/8/8/K7 b - - bm Kf8;", code!("EPD16")), Bitboard::from(Square::G8));
        assert_eq!(squares("4k3/8/8/8/3pP3/8/8/4K3 b - e3 hmvc 4;", code!("CTR01")), Bitboard::from(Square::E3));
        assert_eq!(squares("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4+;", code!("EPD09")), Bitboard::from(Square::E8));
        assert_eq!(squares("4k3/8/8/8/8/8/4P3/4K3 w - - resign; sm e4;", code!("EPD15")), Bitboard::EMPTY);
    }
}
