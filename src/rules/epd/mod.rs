//! EPD operations.

family! {
    fen_as_epd,
    opcode_syntax,
    missing_semicolon,
    bad_string,
    duplicate_opcode,
    opcode_order,
    operand_type,
    illegal_epd_move,
    epd_move_form,
    bm_am_conflict,
    pm_pv_conflict,
    ce_mate_form,
    dm_false,
    counter_opcodes,
    protocol_opcodes,
    no_move_record,
    duplicate_id,
    perft_count,
}

use shakmaty::{Chess, Position, san::SanPlus};

use super::facts::OperationFacts;
use crate::epd::{MoveWord, Resolved};

/// The position in which a word is a move: that of the line, or, in a variation, the one that the moves before it lead to.
fn position_at(facts: &OperationFacts<'_>, word: &MoveWord) -> Option<Chess> {
    let mut position = facts.start?.clone();
    let before = facts.moves.iter().filter(|other| other.operation == word.operation && other.ply < word.ply);
    for other in before {
        if let Resolved::Move(played) = other.resolved {
            position.play_unchecked(played);
        }
    }
    Some(position)
}

/// The move that a word means in SAN.
fn san(facts: &OperationFacts<'_>, word: &MoveWord) -> Option<String> {
    let Resolved::Move(played) = word.resolved else { return None };
    Some(SanPlus::from_move(position_at(facts, word)?, played).to_string())
}
