//! Shards: an audit that is done in parts, by many machines, and reported by one.
//!
//! A shard keeps what it has read in a part: chunks that no longer need their text. The report is
//! made from the parts by the same code that reports chunks, in the same order. So nothing that
//! depends on whole inputs, on a baseline or on limits of the report is decided in a shard.
//!
//! A large input is cut into pieces. The first record of a piece is a guess, like the start of a
//! chunk. Whoever merges sees where the piece before really ended, and audits a piece again if its
//! guess was wrong.

mod check;
mod merge;
mod part;
mod part_lines;
mod recorder;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::corpus::{Input, Packing};

pub use check::{Part, PartFault};
pub use merge::MergeError;
pub use part_lines::PartEnd;

/// The work of one machine.
#[derive(Clone, Debug)]
pub enum Shard {
    /// Whole inputs.
    Inputs(Vec<WholeInput>),
    /// A piece of an input.
    Piece(Box<Piece>),
}

/// A whole input.
#[derive(Clone, Debug)]
pub struct WholeInput {
    /// The input.
    pub input: Input,
    /// The size of the file in bytes, if it was known when the shards were planned. A file of
    /// another size is a failure.
    pub size: Option<u64>,
}

/// A piece of an input.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The input.
    pub input: Input,
    /// How it is compressed.
    pub packing: Option<Packing>,
    /// The size of the file in bytes.
    pub size: u64,
    /// Where the piece is.
    pub range: PieceRange,
}

/// Where a piece is in its file, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceRange {
    /// The start.
    pub from: u64,
    /// The start of the next piece; `None` for the last one.
    pub to: Option<u64>,
}
