//! The work that may be spent on repairs in a game.

/// Number of search steps that every game has for its repairs.
pub(super) const STEPS: usize = 2_000;

/// Additional steps for each byte of the game that was read.
pub(super) const STEPS_PER_BYTE: usize = 10;

/// Maximum number of steps per game.
pub(super) const MAX_STEPS: usize = 200_000;

/// The work that may still be spent on repairs in a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct RepairBudget {
    /// Number of lines that may still be repaired.
    pub(super) lines: u8,
    /// Steps taken so far.
    pub(super) spent: usize,
}

impl Default for RepairBudget {
    fn default() -> RepairBudget {
        RepairBudget { lines: 16, spent: 0 }
    }
}
