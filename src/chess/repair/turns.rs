//! Changes that shift the turns and cannot lead to the end of a line.
//!
//! After an inserted or removed ply, the other side plays the rest of the text. A move of a pawn then asks for a pawn of
//! that side. Often it has none there in the position before the change, and no move of the text brings one.

use crate::chess::{PreparedMove, Snapshot};

/// Maximum number of moves that are compared with positions.
const MAX_MOVES: usize = 4;

/// A move of a pawn after the failing ply, as played by the side that does not play it in the line as written.
#[derive(Clone, Copy, Debug, Default)]
struct ShiftedMove {
    black: bool,
    /// The pawn comes from one of these squares. No move of the text before this one brings a pawn there.
    origins: u64,
}

/// Some moves of pawns after the failing ply. No two of them can be made by the same pawn without another move of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShiftedTurns {
    moves: [ShiftedMove; MAX_MOVES],
    count: usize,
}

impl ShiftedTurns {
    /// Chooses moves from the plies of a line that Black (`black`) or White begins, after the ply `failing`.
    pub fn of(plies: &[PreparedMove], failing: usize, black: bool) -> ShiftedTurns {
        let mut turns = ShiftedTurns::default();
        // The squares to which the text brings pawns, by the side that plays after a change.
        let mut brought = [0; 2];
        let mut chosen = 0;
        for (at, ply) in plies.iter().enumerate() {
            if ply.is_of_any_piece() {
                return turns;
            }
            let shifted = black == (at % 2 == 1);
            let Some((origins, target)) = ply.of_pawn(shifted) else { continue };
            if at > failing && origins & (brought[usize::from(shifted)] | chosen) == 0 {
                turns.moves[turns.count] = ShiftedMove { black: shifted, origins };
                turns.count += 1;
                chosen |= origins;
                if turns.count == MAX_MOVES {
                    break;
                }
            }
            brought[usize::from(shifted)] |= target;
        }
        turns
    }

    /// Whether the text cannot be played to its end after a removed ply before which this is the position.
    pub fn rule_out_removal(&self, before: &Snapshot) -> bool {
        self.missing(before).next().is_some()
    }

    /// Whether the text cannot be played to its end after a move by Black (`black`) or White that is inserted in this
    /// position.
    pub fn rule_out_insertion(&self, before: &Snapshot, black: bool) -> bool {
        // The inserted move can bring one pawn.
        self.missing(before).any(|shifted| shifted.black != black) || self.missing(before).nth(1).is_some()
    }

    /// The moves for which a pawn is missing.
    fn missing(&self, before: &Snapshot) -> impl Iterator<Item = &ShiftedMove> {
        self.moves[..self.count].iter().filter(|shifted| before.pawns(shifted.black) & shifted.origins == 0)
    }
}
