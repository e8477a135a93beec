//! One reading of a movetext.
//!
//! A movetext is read again if its moves are in another notation, or if the game does not begin in
//! the position of its FEN tag. Each reading has its own [`MovetextReading`].

use std::cell::Cell;

use shakmaty::{Bitboard, Chess, Move, Position};

use super::{
    annotations_read::Annotations,
    line_state::{Frame, Line},
    opening::MovetextStart,
    reached_positions::ReplayedPositions,
    repair_budget::RepairBudget,
    variant_game::VariantGame,
};
use crate::{
    chess::{Notation, pass_turn},
    identity::{FirstPosition, MainLine, Ply},
    pgn::MarkerKind,
    rules::FindingId,
    text::Span,
};

/// Number of plies between stored positions. A line is replayed from the last stored position.
const MILESTONE: usize = 64;

/// Memory that is reused from reading to reading; all of it is empty.
#[derive(Debug, Default)]
pub(super) struct ReadingMemory {
    played: Vec<Option<Move>>,
    milestones: Vec<Chess>,
    frames: Vec<Frame>,
    fen: String,
}

/// The state of one reading of a movetext.
#[derive(Debug)]
pub(super) struct MovetextReading {
    /// The notation of the moves, if it is not English.
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
    /// The replay of a variant game.
    pub variant: Option<Box<VariantGame>>,
    /// Accepted difference between the move numbers of the game and those of the board.
    pub numbering: i64,
    /// Whether the first number of the main line sets the numbering.
    pub free_numbering: bool,
    /// Number of open variations that are nested too deeply to be replayed.
    pub too_deep: usize,
    /// The line that waits while those are read.
    pub above_too_deep: Option<Line>,
    /// For each style of numbers that was met, the finding about it, if it is reported.
    pub styles_met: [Option<Option<FindingId>>; 5],
    /// Plies replayed.
    pub plies: u64,
    /// Plies read but not replayed.
    pub plies_not_replayed: u64,
    /// The last token of the game.
    pub last_token: Span,
    /// The work that may still be spent on repairs.
    pub repair_budget: RepairBudget,
    /// Number of bytes that were read ahead.
    pub read_ahead: Cell<usize>,
    /// Whether a token of the movetext was read.
    pub has_begun: bool,
    /// Whether the token just read may be a termination marker in another spelling.
    pub may_be_marker: bool,
    /// The finding about unknown tokens that the next token may continue.
    pub unknown: Option<FindingId>,
    /// The annotations read so far.
    pub annotations: Annotations,
    /// What is known of the positions that the moves reach.
    pub replayed_positions: ReplayedPositions,
    /// Whether the current token is before the movetext, or after the marker.
    pub outside_movetext: bool,
    /// Whether a legal move in the notation was read, and the finding about it, if it is reported.
    pub notation_met: Option<Option<FindingId>>,
    /// The meaning of words that replace a termination marker.
    pub marker_meant: Option<MarkerKind>,
    /// The finding about HTML.
    pub html: Option<FindingId>,
    /// The finding about placeholders in place of move numbers.
    pub placeholder: Option<FindingId>,
    /// The finding about missing spaces between tokens.
    pub glued: Option<FindingId>,
}

impl MovetextReading {
    /// A reading of the text before the movetext.
    pub fn before(opening: &MovetextStart, memory: ReadingMemory) -> MovetextReading {
        MovetextReading { outside_movetext: true, ..MovetextReading::new(opening, opening.start.clone(), None, memory) }
    }

    /// A new reading from `start` in `notation`.
    pub fn new(opening: &MovetextStart, start: Chess, notation: Option<Notation>, memory: ReadingMemory) -> MovetextReading {
        let ReadingMemory { played, milestones, frames, fen } = memory;
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
            styles_met: [None; 5],
            plies: 0,
            plies_not_replayed: 0,
            last_token: opening.last_token,
            repair_budget: RepairBudget::default(),
            read_ahead: Cell::default(),
            has_begun: false,
            may_be_marker: false,
            unknown: None,
            annotations: Annotations::new(opening),
            replayed_positions: ReplayedPositions::new(opening, &start, fen),
            outside_movetext: false,
            notation_met: None,
            marker_meant: None,
            html: None,
            placeholder: None,
            glued: None,
            start,
        }
    }

    /// Puts the line that was read into `main_line`, as far as it was replayed.
    #[cold]
    pub fn main_line_to(&self, main_line: &mut MainLine) {
        main_line.plies.clear();
        main_line.goes_on = self.line.stop.is_some();
        if let Some(variant) = &self.variant {
            variant.main_line_to(main_line);
            main_line.goes_on = self.plies_not_replayed > 0;
            return;
        }
        main_line.first = FirstPosition::of(&self.start);
        main_line.plies.extend(self.played.iter().map(|played| played.map_or(Ply::NULL, Ply::of)));
    }

    /// Empties the memory of a finished reading, for reuse.
    pub fn take_memory(&mut self) -> ReadingMemory {
        ReadingMemory {
            played: emptied(&mut self.played),
            milestones: emptied(&mut self.milestones),
            frames: emptied(&mut self.frames),
            fen: self.replayed_positions.take_memory(),
        }
    }

    /// Shortens the line to `plies` plies.
    pub fn cut_line(&mut self, plies: usize) {
        self.played.truncate(plies);
        self.milestones.truncate(plies / MILESTONE);
    }

    /// The position after the first `plies` of the line, replayed from the last milestone. Copying
    /// every position on the way would cost more.
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
