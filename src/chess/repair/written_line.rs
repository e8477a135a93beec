//! A line of moves as written, and what is known of it.

use shakmaty::{Chess, Move};

use super::plies::WrittenPly;

/// What is known of the moves of a line. It only saves work.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    /// The first moves, `None` for a null move.
    pub played: &'a [Option<Move>],
    /// The position after them.
    pub reached: &'a Chess,
    /// Whether the first plies are these moves as written, and the next one cannot be played.
    pub is_as_written: bool,
}

/// A line of moves as written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenLine<'a> {
    /// The text that the places refer to.
    pub text: &'a [u8],
    /// The position before its first ply.
    pub start: &'a Chess,
    /// Its plies.
    pub plies: &'a [WrittenPly],
    /// What is known of it.
    pub replay: Replay<'a>,
    /// Whether there are more plies in the text: then no repair is certain.
    pub cut: bool,
}
