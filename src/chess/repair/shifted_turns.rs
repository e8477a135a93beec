//! Changes that shift the turns and cannot lead to the end of a line.
//!
//! After an inserted or removed ply, the other side plays the rest of the text. A move of a pawn
//! then asks for a pawn of that side. Often it has none there in the position before the change,
//! and no move of the text brings one.

use shakmaty::Role;

use super::plies::WrittenPly;
use crate::chess::{PreparedMove, Snapshot, WrittenMove};

/// Maximum number of moves that are compared with positions.
const MAX_MOVES: usize = 4;

/// A move of a pawn after the failing ply, as played by the side that does not play it in the line
/// as written.
#[derive(Clone, Copy, Debug, Default)]
struct ShiftedMove {
    black: bool,
    /// The pawn comes from one of these squares. No move of the text before this one brings a pawn
    /// there.
    origins: u64,
}

/// Some moves of pawns after the failing ply. No two of them can be made by the same pawn without
/// another move of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ShiftedTurns {
    moves: [ShiftedMove; MAX_MOVES],
    count: usize,
}

impl ShiftedTurns {
    /// Chooses moves from the plies `after` the failing one. `before` are those up to the failing
    /// one, of which Black (`black`) or White plays the first.
    pub fn of<'a>(before: impl Iterator<Item = &'a WrittenPly>, after: &[PreparedMove], black: bool) -> ShiftedTurns {
        let mut turns = ShiftedTurns::default();
        // The squares to which the text brings pawns, by the side that plays after a change.
        let mut brought = [0; 2];
        let shifted = |at: usize| black == (at % 2 == 1);
        let mut count = 0;
        for (at, ply) in before.enumerate() {
            count += 1;
            match ply.written.map(|written| written.what) {
                Some(WrittenMove::Coordinates { .. }) => return turns,
                Some(WrittenMove::Normal { role: Role::Pawn, to, .. }) => brought[usize::from(shifted(at))] |= 1 << u32::from(to),
                _ => {}
            }
        }
        let mut chosen = 0;
        for (at, ply) in (count..).zip(after) {
            if ply.is_of_any_piece() {
                return turns;
            }
            let shifted = shifted(at);
            let Some((origins, target)) = ply.of_pawn(shifted) else { continue };
            if origins & (brought[usize::from(shifted)] | chosen) == 0 {
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

    /// Whether the text cannot be played to its end after a removed ply before which this is the
    /// position.
    #[inline]
    pub fn rule_out_removal(&self, before: &Snapshot) -> bool {
        self.missing(before).next().is_some()
    }

    /// Whether the text cannot be played to its end after a move by Black (`black`) or White that
    /// is inserted in this position.
    #[inline]
    pub fn rule_out_insertion(&self, before: &Snapshot, black: bool) -> bool {
        // The inserted move can bring one pawn.
        let mut missing = self.missing(before);
        missing.next().is_some_and(|first| first.black != black || missing.next().is_some())
    }

    /// The moves for which a pawn is missing.
    #[inline]
    fn missing(&self, before: &Snapshot) -> impl Iterator<Item = &ShiftedMove> {
        self.moves[..self.count].iter().filter(|shifted| before.pawns(shifted.black) & shifted.origins == 0)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::{
        chess::{Board, WrittenSan},
        text::Span,
    };

    /// What White's first move as the failing ply, and these after it, show about changes before
    /// them.
    fn turns(text: &str) -> ShiftedTurns {
        let read = |token: &str| WrittenSan::read(token.as_bytes());
        let (failing, after) = text.split_once(' ').expect("two plies");
        let failing = WrittenPly { place: Span::new(0, failing.len()), written: read(failing), number: None };
        let prepared = |token| PreparedMove::of(read(token).map_or(WrittenMove::Null, |written| written.what));
        let after: Vec<PreparedMove> = after.split(' ').map(prepared).collect();
        ShiftedTurns::of([failing].iter(), &after, false)
    }

    #[test]
    fn a_pawn_must_be_there_or_be_brought() {
        let before = Board::of(&Chess::default()).snapshot();
        for (text, removal, by_white, by_black) in [
            // White would play 1... e5, for which an inserted `e4` is enough.
            ("Nh4 e5", true, false, true),
            ("Nh4 e5 Nf3 d5", true, true, true),
            // White would play e4 and e5.
            ("Nh4 e4 Nf6 e5", false, false, false),
            // Black would play 2. e6 from e7, and c4 from c5 after d4.
            ("Nh4 Nf6 e6", false, false, false),
            ("Nh4 d4 c4", true, true, false),
            ("Nh4 Nf6 Nf3 Nc6", false, false, false),
            // Any piece may make the move.
            ("Nh4 e7e5 d5", false, false, false),
        ] {
            let turns = turns(text);
            let found = (
                turns.rule_out_removal(&before),
                turns.rule_out_insertion(&before, false),
                turns.rule_out_insertion(&before, true),
            );
            assert_eq!(found, (removal, by_white, by_black), "{text}");
        }
    }
}
