//! Operations of an EPD line.

use shakmaty::Chess;

use super::PositionFacts;
use crate::{
    chess::FenText,
    epd::{MoveWord, Opcode, Operation, Operations},
    rules::facts::PositionChecks,
    text::Span,
};

/// The operations of an EPD line, each with its span.
#[derive(Debug)]
pub struct OperationFacts<'a> {
    /// The text that spans refer to.
    pub text: &'a [u8],
    /// The fields before them.
    pub fen: &'a FenText,
    /// The meaning of the fields.
    pub position: &'a PositionFacts<'a>,
    /// The operations.
    pub operations: &'a Operations,
    /// The position in which the moves are played; `None` if something in it is wrong.
    pub start: Option<&'a Chess>,
    /// The words in the operands of moves, in the order of the operations.
    pub moves: &'a [MoveWord],
    /// How thoroughly they are checked.
    pub position_checks: PositionChecks,
}

impl OperationFacts<'_> {
    /// The first operation with this opcode.
    pub fn first(&self, kind: Opcode) -> Option<&Operation> {
        self.operations.first(kind)
    }

    /// The operand of an operation, if it is a single integer.
    pub fn integer(&self, operation: &Operation) -> Option<i64> {
        operation.integer(self.text)
    }

    /// The place of the operands of an operation, or of its opcode if it has none.
    pub fn place_of(&self, operation: &Operation) -> Span {
        if operation.operands.start < operation.operands.end { operation.operands } else { operation.opcode }
    }

    /// The operation of a word.
    pub fn operation_of(&self, word: &MoveWord) -> &Operation {
        &self.operations.list[word.operation]
    }
}
