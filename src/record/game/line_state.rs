//! The state of a line of moves: the main line or a variation.

use shakmaty::{Bitboard, Chess, Move};

use crate::{
    chess::{Resolved, WrittenSan},
    rules::FindingId,
    text::Span,
};

/// The last ply that was played in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastPly {
    /// The move as written.
    pub written: WrittenSan,
    /// The move itself; `None` for a null move.
    pub resolved: Option<Resolved>,
    /// Where it is written.
    pub place: Span,
    /// Whether the rules have checked it.
    pub checked: bool,
}

/// Where a line stopped being replayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    /// The finding that gives the reason.
    pub finding: Option<FindingId>,
    /// Plies read since then, without the ply that stopped the line.
    pub plies_after: u32,
}

/// The state of a line: the main line or a variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Plies from the start of the game.
    pub ply: u32,
    /// Whether a ply of this line was read.
    pub has_begun: bool,
    /// Where it stopped being replayed.
    pub stop: Option<Stop>,
    /// The first null move on the way here.
    pub passed: Option<u32>,
    /// Difference between the move numbers of the text and those of the board.
    pub numbering: i64,
    /// Its last ply.
    pub last: Option<LastPly>,
    /// The finding about an unknown token in this line: a move may have been lost there.
    pub damage: Option<FindingId>,
    /// The last finding about a move number.
    pub wrong_number: Option<FindingId>,
    /// Whether it is a variation that goes on after the ply that it should replace.
    pub goes_on: bool,
}

impl Line {
    /// A line that begins after `ply` plies.
    pub const fn at(ply: u32, numbering: i64) -> Line {
        Line {
            ply,
            has_begun: false,
            stop: None,
            passed: None,
            numbering,
            last: None,
            damage: None,
            wrong_number: None,
            goes_on: false,
        }
    }
}

/// A line that waits while a variation is read.
#[derive(Debug)]
pub(super) struct Frame {
    /// The line.
    pub line: Line,
    /// Its position.
    pub position: Chess,
    /// The pieces that give check in it.
    pub checkers: Bitboard,
    /// Plies played when the variation began.
    pub played: usize,
    /// The ply that the variation replaces.
    pub replaced: Option<Option<Move>>,
    /// Place of the parenthesis that opens the variation.
    pub open: usize,
    /// Number of findings at that point.
    pub findings: usize,
}
