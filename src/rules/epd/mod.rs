//! EPD operations.

pub mod bad_string;
pub mod bm_am_conflict;
pub mod ce_mate_form;
pub mod counter_opcodes;
pub mod dm_false;
pub mod duplicate_id;
pub mod duplicate_opcode;
pub mod epd_move_form;
pub mod fen_as_epd;
pub mod illegal_epd_move;
pub mod missing_semicolon;
pub mod no_move_record;
pub mod opcode_order;
pub mod opcode_syntax;
pub mod operand_type;
pub mod perft_count;
pub mod pm_pv_conflict;
pub mod protocol_opcodes;

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
