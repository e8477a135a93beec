//! One reading of a movetext.
//!
//! A movetext is read again if its moves are in another notation, or if the game does not begin in the position of its FEN tag.
//! Everything that a reading learns is in a [`MovetextReading`], which is built anew for each.

use shakmaty::{Bitboard, Chess, Move, Position};

use super::{
    annotations::Annotations,
    exhaustive::ReplayedPositions,
    line::{Frame, Line},
    opening::Opening,
    repair::Mendings,
    variant::VariantGame,
};
use crate::{chess::Notation, chess::pass_turn, pgn::MarkerKind, text::Span};

/// Number of plies after which a position is kept. A line is played again from the last position that was kept.
const MILESTONE: usize = 64;

/// Memory that is used again from reading to reading; all of it is empty.
#[derive(Debug, Default)]
pub(super) struct ReadingMemory {
    folded: Vec<usize>,
    played: Vec<Option<Move>>,
    milestones: Vec<Chess>,
    frames: Vec<Frame>,
    fen: String,
}

/// What one reading of a movetext has learned so far.
#[derive(Debug)]
pub(super) struct MovetextReading {
    /// The notation of the moves, if that is not English.
    pub notation: Option<Notation>,
    /// The position before the first ply.
    pub start: Chess,
    /// The position after the last ply.
    pub position: Chess,
    /// The pieces that give check in `position`.
    pub checkers: Bitboard,
    /// The line that is being read.
    pub line: Line,
    /// The moves of that line, `None` for a null move.
    pub played: Vec<Option<Move>>,
    /// The positions after every [`MILESTONE`] plies of the line, as far as they were needed.
    milestones: Vec<Chess>,
    /// The lines that wait while a variation is read.
    pub frames: Vec<Frame>,
    /// The replay of a game of another variant than chess.
    pub variant: Option<Box<VariantGame>>,
    /// How far the numbers of the game are ahead of those of the board, for good reason.
    pub numbering: i64,
    /// Whether the first number of the main line sets the numbering.
    pub free_numbering: bool,
    /// How many open variations are nested too deeply to be replayed.
    pub too_deep: usize,
    /// The line that waits while those are read.
    pub above_too_deep: Option<Line>,
    /// Styles of numbers that were reported, a bit for each.
    pub styles_reported: u8,
    /// Plies replayed.
    pub plies: u64,
    /// Plies read but not replayed.
    pub plies_not_replayed: u64,
    /// The last token of the game.
    pub last_token: Span,
    /// How many lines may still be repaired, and with how many steps.
    pub mending: Mendings,
    /// Whether a token of the movetext was read.
    pub has_begun: bool,
    /// Whether the token just read may be a termination marker in another spelling.
    pub may_be_marker: bool,
    /// The finding about unknown tokens that the next one may continue.
    pub unknown: Option<usize>,
    /// What was read next to the moves.
    pub annotations: Annotations,
    /// The positions that the moves reach, if each is checked.
    pub replayed_positions: ReplayedPositions,
    /// Whether what is being read comes before the movetext, or after the marker.
    pub outside_movetext: bool,
    /// Whether the notation was reported.
    pub notation_reported: bool,
    /// What the words mean that replace a termination marker.
    pub marker_meant: Option<MarkerKind>,
    /// Whether HTML was reported.
    pub html_reported: bool,
    /// Findings that have become part of others, as indices.
    pub folded: Vec<usize>,
}

impl MovetextReading {
    /// What comes before the movetext, up to the end of the tag section.
    pub fn before(opening: &Opening, memory: ReadingMemory) -> MovetextReading {
        MovetextReading { outside_movetext: true, ..MovetextReading::new(opening, opening.start.clone(), None, memory) }
    }

    /// A reading from `start` in `notation`, of which nothing has been read yet.
    pub fn new(opening: &Opening, start: Chess, notation: Option<Notation>, memory: ReadingMemory) -> MovetextReading {
        let ReadingMemory { folded, played, milestones, frames, fen } = memory;
        let from_fen = opening.has_fen && start == opening.start;
        MovetextReading {
            notation,
            position: start.clone(),
            checkers: start.checkers(),
            line: Line::at(0, 0),
            played,
            milestones,
            frames,
            variant: None,
            numbering: 0,
            free_numbering: from_fen,
            too_deep: 0,
            above_too_deep: None,
            styles_reported: 0,
            plies: 0,
            plies_not_replayed: 0,
            last_token: opening.last_token,
            mending: Mendings::default(),
            has_begun: false,
            may_be_marker: false,
            unknown: None,
            annotations: Annotations::new(opening),
            replayed_positions: ReplayedPositions::new(opening, &start, fen),
            outside_movetext: false,
            notation_reported: false,
            marker_meant: None,
            html_reported: false,
            folded,
            start,
        }
    }

    /// The memory of a reading that is over, emptied.
    pub fn take_memory(&mut self) -> ReadingMemory {
        ReadingMemory {
            folded: emptied(&mut self.folded),
            played: emptied(&mut self.played),
            milestones: emptied(&mut self.milestones),
            frames: emptied(&mut self.frames),
            fen: self.replayed_positions.take_memory(),
        }
    }

    /// Cuts plies off the end of the line, so that `plies` are left.
    pub fn cut_line(&mut self, plies: usize) {
        self.played.truncate(plies);
        self.milestones.truncate(plies / MILESTONE);
    }

    /// The position after the first `plies` of the line. It is played again from the last milestone: positions are not kept
    /// while nothing is wrong, because copying each would cost more.
    pub fn position_after(&mut self, plies: usize) -> Chess {
        let line = &self.played[..plies.min(self.played.len())];
        let known = self.milestones.len().min(line.len() / MILESTONE);
        let mut position = known.checked_sub(1).map_or(&self.start, |last| &self.milestones[last]).clone();
        for (played, plies) in line[known * MILESTONE..].iter().zip(known * MILESTONE + 1..) {
            match played {
                Some(played) => position.play_unchecked(*played),
                None => position = pass_turn(&position).unwrap_or(position),
            }
            if plies == (self.milestones.len() + 1) * MILESTONE {
                self.milestones.push(position.clone());
            }
        }
        position
    }
}

/// The memory of `list`, without its content.
fn emptied<T>(list: &mut Vec<T>) -> Vec<T> {
    let mut memory = std::mem::take(list);
    memory.clear();
    memory
}
