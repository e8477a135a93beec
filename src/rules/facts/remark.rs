//! What comments, glyphs and variations say beside the moves.

use shakmaty::{Chess, Color};

use crate::{
    pgn::{Command, TimeControl},
    rules::Span,
};

/// A command embedded in a comment, and something about it is out of the ordinary.
#[derive(Clone, Copy, Debug)]
pub struct CommandFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The command.
    pub command: &'a Command,
    /// The position that the comment stands behind, where that is known.
    pub position: Option<&'a Chess>,
    /// The position before the move that it stands behind.
    pub before: Option<&'a Chess>,
}

/// A clock as it stood after a move of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// In milliseconds.
    pub time: u64,
    /// How many moves that side had made.
    pub moves: u32,
    /// Where it is written.
    pub place: Span,
}

/// What about a clock is out of the ordinary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockQuestion {
    /// It shows more than before.
    Gain(Reading),
    /// It is the first one of its side, after the first move, and not what the time control gives.
    First,
    /// Another one stands behind the same move.
    Twice(Reading),
    /// The time used for the move stands beside it, in milliseconds; before that there was so much.
    Elapsed(u64, Reading),
}

/// A clock in the main line that does not fit what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct ClockFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The clock.
    pub now: Reading,
    /// Whose clock it is.
    pub color: Color,
    /// What the TimeControl tag says, where that is enough to know how much time there is at every move.
    pub control: Option<&'a TimeControl>,
    /// What is out of the ordinary.
    pub question: ClockQuestion,
}

/// The clocks of a game, as seen from its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockSummary {
    /// The last clock of White and of Black.
    pub last: [Option<Reading>; 2],
    /// The first plies without a clock between others, from and to, and where the next clock stands.
    pub gap: Option<(u32, u32, Span)>,
    /// The first clock.
    pub first: Option<Span>,
}

impl ClockSummary {
    /// The last clock of a side.
    pub fn last_of(&self, color: Color) -> Option<Reading> {
        self.last[color.fold_wb(0, 1)]
    }
}

/// An annotation that is out of the ordinary.
#[derive(Clone, Copy, Debug)]
pub enum Remark<'a> {
    /// A numeric annotation glyph.
    Nag {
        /// Its number; `None` where there is none, or it is too large to be one.
        number: Option<u32>,
        /// Whether a move stands before it in its line.
        behind_move: bool,
        /// Another glyph of the same move, which says the contrary.
        contrary: Option<u32>,
    },
    /// A variation begins with the move that it replaces; the place is that move.
    Echo,
    /// A position is written down that is not the one on the board.
    Position {
        /// The position of the game, where the moves could be replayed.
        position: &'a Chess,
        /// The position that is written down.
        stated: &'a Chess,
        /// Whether it is said to be the last one of the game, rather than one that a comment speaks of.
        last: bool,
    },
}

/// An annotation that is out of the ordinary.
#[derive(Clone, Copy, Debug)]
pub struct RemarkFacts<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// Where it stands.
    pub place: Span,
    /// What it is.
    pub remark: Remark<'a>,
}
