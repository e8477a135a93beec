//! The positions that a game reaches, and what is known of them.

use shakmaty::Chess;

use super::opening::MovetextStart;
use crate::rules::{CodeSet, Declared};

/// Which of the positions that games reach are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReachedChecks {
    /// None: legal moves from a legal position reach legal positions.
    #[default]
    None,
    /// All. The rules run on those that the fast path does not accept.
    InDoubt,
    /// All, by the rules.
    Thorough,
}

impl ReachedChecks {
    /// Whether positions are checked.
    pub fn is_any(self) -> bool {
        self != ReachedChecks::None
    }
}

/// What is known of the positions that a game reaches.
#[derive(Debug, Default)]
pub(super) struct ReplayedPositions {
    pub(super) declared: Declared,
    /// Whether the game began in the standard starting position.
    pub(super) from_start: bool,
    /// Whether no game reaches the first position. The rules about that then do not apply to later
    /// ones.
    pub(super) unreachable: bool,
    /// Rules that were reported in this game.
    pub(super) reported: CodeSet,
    /// The position as text.
    pub(super) fen: String,
}

impl ReplayedPositions {
    /// The positions of a reading from `start`. The memory of `fen` is reused.
    pub(super) fn new(opening: &MovetextStart, start: &Chess, fen: String) -> ReplayedPositions {
        ReplayedPositions {
            declared: opening.declared,
            from_start: *start == Chess::default(),
            unreachable: opening.unreachable && *start == opening.start,
            reported: opening.broken,
            fen,
        }
    }

    /// Returns the memory, for reuse.
    pub(super) fn take_memory(&mut self) -> String {
        std::mem::take(&mut self.fen)
    }
}
