//! Two position lines with the same position.

use crate::{
    epd::{Opcode, Operations},
    identity::{Equality, PositionCard},
    rules::shown,
    text::{Span, wording::thousands},
};

/// A position line, and an earlier one with the same position.
#[derive(Clone, Copy, Debug)]
pub struct PositionPairFacts<'a> {
    /// The line that findings are about.
    pub position: &'a PositionCard<'a>,
    /// The earlier line.
    pub other: &'a PositionCard<'a>,
    /// The name of its input, if that is another one.
    pub other_input: Option<&'a str>,
    /// How they are related.
    pub equality: Equality,
}

impl PositionPairFacts<'_> {
    /// The place of the line.
    pub fn place(&self) -> Span {
        let at = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX);
        Span::new(at(self.position.place.byte), at(self.position.place.end))
    }

    /// The earlier line as a message names it: `line 130 of b.epd`.
    pub fn other_line(&self) -> String {
        let input = self.other_input.map_or_else(String::new, |input| format!(" of {input}"));
        format!("line {}{input}", thousands(self.other.place.line))
    }

    /// The fields of the line.
    pub fn fields(&self) -> String {
        self.position.fields().map_or_else(String::new, |fields| shown(&fields))
    }
}

/// An operation as a message names it: `bm Nf3 e4`.
pub fn shown_operation(card: &PositionCard<'_>, kind: Opcode) -> String {
    let operations = Operations::split(card.text, card.operations());
    let operands = operations.first(kind).map_or_else(String::new, |operation| shown(operation.operands.of(card.text)));
    let opcode = match kind {
        Opcode::Bm => "bm",
        Opcode::Am => "am",
        _ => "ce",
    };
    format!("`{opcode} {operands}`")
}
