//! Operations of an EPD line.

use shakmaty::Chess;

use crate::{chess::FenText, epd::Operations};

/// The operations of an EPD line, each with its span.
#[derive(Debug)]
pub struct OperationFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The fields before them.
    pub fen: &'a FenText,
    /// The operations.
    pub operations: &'a Operations,
    /// The position that moves are played from; `None` where it cannot be played from, or where something in it is wrong.
    pub start: Option<&'a Chess>,
}
