//! Operations of an EPD line.

use shakmaty::Chess;

use super::PositionFacts;
use crate::{
    chess::FenText,
    epd::{MoveWord, Opcode, Operation, Operations, integer},
    rules::facts::PositionChecks,
    text::Span,
};

/// The operations of an EPD line, each with its span.
#[derive(Debug)]
pub struct OperationFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The fields before them.
    pub fen: &'a FenText,
    /// What the fields mean.
    pub position: &'a PositionFacts<'a>,
    /// The operations.
    pub operations: &'a Operations,
    /// The position that moves are played from; `None` where it cannot be played from, or where something in it is wrong.
    pub start: Option<&'a Chess>,
    /// The words that are moves of that position, in the order of the operations.
    pub moves: &'a [MoveWord],
    /// How closely they are looked at.
    pub position_checks: PositionChecks,
}

impl OperationFacts<'_> {
    /// The first operation with this opcode.
    pub fn first(&self, kind: Opcode) -> Option<&Operation> {
        self.operations.list.iter().find(|operation| operation.kind == kind)
    }

    /// The one operand of an operation, where it is an integer.
    pub fn integer(&self, operation: &Operation) -> Option<i64> {
        let mut operands = operation.operands(self.text).filter(|operand| !operand.quoted);
        let value = integer(operands.next()?.place.of(self.text))?;
        operands.next().is_none().then_some(value)
    }

    /// Where the operands of an operation stand, or its opcode where it has none.
    pub fn place_of(&self, operation: &Operation) -> Span {
        if operation.operands.start < operation.operands.end { operation.operands } else { operation.opcode }
    }

    /// The operation that a word is in.
    pub fn operation_of(&self, word: &MoveWord) -> &Operation {
        &self.operations.list[word.operation]
    }
}
