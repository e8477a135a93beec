//! Facts for rules that ask oracles.

use super::{Ending, OperationFacts};
use crate::oracle::Inquiry;

/// A game, and the oracles that can be asked about its positions.
#[derive(Clone, Copy, Debug)]
pub struct AskedGame<'a> {
    /// The end of the game, with all that precedes it.
    pub ending: &'a Ending<'a>,
    /// The oracles.
    pub inquiry: &'a Inquiry<'a>,
    /// Whether every position is asked about, not only the final one and those with a claim.
    pub every_position: bool,
}

/// The operations of an EPD line, and the oracles that can be asked about its position.
#[derive(Clone, Copy, Debug)]
pub struct AskedLine<'a> {
    /// The operations.
    pub operations: &'a OperationFacts<'a>,
    /// The oracles.
    pub inquiry: &'a Inquiry<'a>,
}
