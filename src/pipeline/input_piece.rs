//! Pieces of inputs, which shards read: where they begin and end, and what was read of them.

use serde::{Deserialize, Serialize};

use crate::corpus::Packing;

/// A piece of an input.
#[derive(Clone, Debug)]
pub(super) struct PieceOfInput {
    /// How the input is compressed.
    pub packing: Option<Packing>,
    /// Where the piece begins in the file.
    pub from: u64,
    /// Where the next piece begins; `None` if there is none.
    pub to: Option<u64>,
    /// The size of the file.
    pub size: u64,
    /// Where the text of the piece begins in the input, or any place if that is not known.
    pub base: u64,
    /// Where its first record begins.
    pub begin: Begin,
    /// Number of bytes that are needed before a record that is guessed.
    pub context: usize,
}

/// Where the first record of a piece begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Begin {
    /// At the start of the input.
    AtStart,
    /// Where a record seems to begin.
    Guessed,
    /// Here.
    At { start: u64, line_start: u64 },
}

/// What was read of a piece. All places are counted from its start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PieceRead {
    /// Where its first record seemed to begin; `None` if no place was found.
    pub start: Option<u64>,
    /// Where the next record begins.
    pub next: u64,
    /// Where the line of that record begins.
    pub line_start: u64,
    /// Where the first record of the next piece seems to begin; `None` if the input ends here.
    pub target: Option<u64>,
    /// The length of the decompressed text.
    pub length: u64,
    /// Why the rest of the input cannot be read, and from where on.
    pub failure: Option<(u64, String)>,
}
