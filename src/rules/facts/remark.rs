//! Facts about annotations: commands and clocks in comments, glyphs, variations, written positions.

use shakmaty::{Chess, Color};

use crate::{
    pgn::{Command, Elapsed, Evaluation, TimeControl},
    rules::Span,
};

/// A command in a comment that needs a closer look.
#[derive(Clone, Copy, Debug)]
pub struct CommandFacts<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// The command.
    pub command: &'a Command,
    /// The position at the comment, if it is known.
    pub position: Option<&'a Chess>,
    /// The position before the move that the comment follows.
    pub before: Option<&'a Chess>,
}

/// A clock after a move of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// In milliseconds.
    pub time: u64,
    /// The number of moves that this side had made.
    pub moves: u32,
    /// Where it is written.
    pub place: Span,
}

/// Why a clock needs a closer look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockQuestion {
    /// It shows more time than the previous clock of the side.
    Gain(ClockReading),
    /// It is the first one of its side, after its first move, and does not match the time control.
    First,
    /// The same move has this other clock, too.
    Twice(ClockReading),
    /// The move also has an elapsed time in milliseconds. With the previous clock of the side.
    Elapsed(u64, ClockReading),
}

/// A clock in the main line that needs a closer look.
#[derive(Clone, Copy, Debug)]
pub struct ClockFacts<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// The clock.
    pub now: ClockReading,
    /// Whose clock it is.
    pub color: Color,
    /// The TimeControl tag, if it says how much time there is at every move.
    pub control: Option<&'a TimeControl>,
    /// Why it needs a closer look.
    pub question: ClockQuestion,
}

/// The clocks of a whole game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockSummary {
    /// The first clock of White and of Black.
    pub first_of_side: [Option<ClockReading>; 2],
    /// The last clock of White and of Black.
    pub last: [Option<ClockReading>; 2],
    /// The first and last ply of the first gap between clocks, and the place of the next clock.
    pub gap: Option<(u32, u32, Span)>,
    /// The place of the first clock.
    pub first: Option<Span>,
    /// The time of the first clock in milliseconds.
    pub first_time: Option<u64>,
    /// Number of clocks.
    pub count: u32,
    /// Whether a move has more than one clock.
    pub is_repeated: bool,
    /// Number of clocks that show another time than the first one.
    pub changed: u32,
    /// Number of pairs of a clock of the first side and the next clock of the other side.
    pub pairs: u32,
    /// Number of those pairs that show the same time.
    pub equal_pairs: u32,
}

impl ClockSummary {
    /// The last clock of a side.
    pub fn last_of(&self, color: Color) -> Option<ClockReading> {
        self.last[color.fold_wb(0, 1)]
    }
}

/// Who has evaluated a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluator {
    /// One program has evaluated the whole game after it was played: `%eval` without a depth.
    Analysis,
    /// The engine that has made the move.
    Player,
}

/// An evaluation after a move of the main line, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationReading {
    /// The ply that it follows.
    pub ply: u32,
    /// Its value.
    pub value: Evaluation,
    /// Who has evaluated the position.
    pub by: Evaluator,
    /// Where it is written.
    pub place: Span,
}

/// A time after a move of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeReading {
    /// The ply that it follows.
    pub ply: u32,
    /// Its value.
    pub time: MoveTime,
    /// Where it is written.
    pub place: Span,
}

/// A time after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveTime {
    /// The remaining time of the side that has made the move, in milliseconds.
    Clock(u64),
    /// The time used for the move.
    Elapsed(Elapsed),
}

/// A glyph that judges a move of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgingGlyph {
    /// The ply of the move.
    pub ply: u32,
    /// The number of the glyph: from 1 (`!`) to 6 (`?!`).
    pub number: u32,
    /// Where it is written.
    pub place: Span,
}

/// The annotations of a whole game, each kind in the order of the text. Times, judgements and the
/// remarks of engines are collected only if infos are shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameAnnotations<'a> {
    /// The evaluations, at most one after a ply.
    pub evaluations: &'a [EvaluationReading],
    /// The times.
    pub times: &'a [TimeReading],
    /// The judgements.
    pub judgements: &'a [JudgingGlyph],
}

/// An annotation that needs a closer look.
#[derive(Clone, Copy, Debug)]
pub enum Remark<'a> {
    /// A numeric annotation glyph.
    Nag {
        /// Its number; `None` if it is missing or far too large.
        number: Option<u32>,
        /// Whether it follows a move, or is in a variation.
        after_move: bool,
        /// Another glyph of the same move that contradicts it.
        contrary: Option<u32>,
    },
    /// A variation begins with the move that it replaces. The place is that move.
    RepeatsMove,
    /// A written position differs from the position of the game.
    Position {
        /// The position of the game.
        position: &'a Chess,
        /// The written position.
        stated: &'a Chess,
        /// Whether it is given as the final position of the game, not in a comment.
        last: bool,
    },
}

/// An annotation that needs a closer look, with its place.
#[derive(Clone, Copy, Debug)]
pub struct RemarkFacts<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// The place of the remark.
    pub place: Span,
    /// What it is.
    pub remark: Remark<'a>,
}
