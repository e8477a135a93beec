//! The proof kernel: captures and promotions counted over both pawn structures at once.
//!
//! Of a game only that is kept which changes the pawn structure: the order of the pawns on each file, and captures. A capture is one of
//! four kinds: a pawn takes a pawn and stands in its place in the order of the next file; a pawn takes a piece and goes anywhere into the
//! order of the next file; a piece takes a pawn; a piece takes a piece. A pawn that has no enemy ahead on its file can be promoted.
//! Every real game is such a sequence (en passant puts a pawn where the pawn it takes stood in the order; a capture with promotion goes
//! to the far end of a file), with as many captures by each side as the other has lost men, and with no more pawns captured as pawns
//! than there were less those that are left and those that must have been promoted. So where all such sequences have been tried and none
//! leads to the pawns of the position, the position is unreachable. (Österlund's Texel proof kernel.)
//!
//! Promoted pawns stay in the order, at the far end of their file, until the end: there they are in nobody's way, as every capture may
//! choose its place in the order.

use rustc_hash::FxHashSet;
use shakmaty::{Bitboard, Role};

use super::camp::Camp;

/// So many states are looked at; when they are used up nothing is proven.
const MOST_STATES: usize = 4000;
/// With more captures than this to spend there is nearly always a way, and it takes long to show that there is none.
const MOST_CAPTURES: u32 = 6;
/// The same for captures that can be wasted.
const MOST_SLACK: i32 = 1;

/// The pawns on a file, in their order from the first rank: a bit each, set for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Column {
    pawns: u8,
    white: u16,
}

impl Column {
    fn is_white(self, index: u8) -> bool {
        self.white >> index & 1 == 1
    }

    fn insert(self, index: u8, white: bool) -> Column {
        let below = (1 << index) - 1;
        Column { pawns: self.pawns + 1, white: self.white & below | u16::from(white) << index | (self.white & !below) << 1 }
    }

    fn remove(self, index: u8) -> Column {
        let below = (1 << index) - 1;
        Column { pawns: self.pawns - 1, white: self.white & below | (self.white >> 1) & !below }
    }

    fn replace(self, index: u8, white: bool) -> Column {
        Column { white: self.white & !(1 << index) | u16::from(white) << index, ..self }
    }

    fn all(self) -> u16 {
        (1 << self.pawns) - 1
    }

    fn black(self) -> u16 {
        self.all() & !self.white
    }

    /// Whether a white pawn has a black one ahead of it.
    fn is_opposed(self) -> bool {
        self.white != 0 && self.black() >> self.white.trailing_zeros() != 0
    }

    /// How many white and black pawns are promoted where this column becomes `goal`; `None` where it cannot.
    fn promotions_to(self, goal: Column) -> Option<(u32, u32)> {
        // White pawns above all black ones, black pawns below all white ones.
        let highest_black = 16 - self.black().leading_zeros();
        let free_white = (self.white >> highest_black).count_ones();
        let free_black = (self.black() & ((1u32 << self.white.trailing_zeros().min(16)) - 1) as u16).count_ones();
        let white = self.white.count_ones().checked_sub(goal.white.count_ones()).filter(|gone| *gone <= free_white)?;
        let black = self.black().count_ones().checked_sub(goal.black().count_ones()).filter(|gone| *gone <= free_black)?;
        // Free black pawns are the first ones, free white pawns the last ones.
        let left = Column { pawns: self.pawns - white as u8 - black as u8, white: self.white >> black };
        let left = Column { white: left.white & left.all(), ..left };
        (left == goal).then_some((white, black))
    }
}

/// What one side can still spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Purse {
    /// Captures that this side makes with or of pawns, at most.
    captures: u8,
    /// Enemy pawns among the victims, at most.
    pawns: u8,
}

/// What is left to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct State {
    columns: [Column; 8],
    /// White's purse, and Black's.
    purses: [Purse; 2],
}

/// What a position asks of a sequence of captures.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    start: State,
    goal: [Column; 8],
    goal_opposed: i32,
    /// Promoted bishops of White on light and dark squares, then those of Black.
    bishops: [[u32; 2]; 2],
}

/// What is known of a side's losses and promotions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Losses {
    /// Men that are missing.
    pub missing: u32,
    /// How many of these can only have been captured as pieces by pieces.
    pub died_at_home: u32,
    /// How many of those that are left are promoted pawns, at least.
    pub promoted: u32,
}

impl Kernel {
    /// The kernel of a position with these camps, each with its losses; White's first.
    pub fn new(white: (&Camp, Losses), black: (&Camp, Losses)) -> Kernel {
        let white_pawns = white.0.pawns();
        let black_pawns = black.0.pawns().flip_vertical();
        let goal: [Column; 8] = std::array::from_fn(|file| {
            let on_file = Bitboard(0x0101_0101_0101_0101 << file);
            let mut column = Column::default();
            for pawn in (white_pawns | black_pawns) & on_file {
                column = column.insert(column.pawns, white_pawns.contains(pawn));
            }
            column
        });
        let purse = |victims: (&Camp, Losses)| {
            let left = victims.0.pawns().count() as u32 + victims.1.promoted;
            let captures = victims.1.missing.saturating_sub(victims.1.died_at_home).min(32) as u8;
            Purse { captures, pawns: (8u32.saturating_sub(left) as u8).min(captures) }
        };
        let columns = [Column { pawns: 2, white: 1 }; 8];
        let promoted_bishops = |camp: &Camp| {
            let bishops = camp.of(Role::Bishop);
            let bishops = if camp.color.is_white() { bishops } else { bishops.flip_vertical() };
            [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES]
                .map(|squares| ((bishops & squares).count() as u32).saturating_sub(1))
        };
        Kernel {
            start: State { columns, purses: [purse(black), purse(white)] },
            goal,
            goal_opposed: opposed(&goal),
            bishops: [promoted_bishops(white.0), promoted_bishops(black.0)],
        }
    }

    /// Whether it is proven that no sequence of captures leads to the position.
    pub fn is_impossible(&self) -> bool {
        let captures: u32 = self.start.purses.iter().map(|purse| u32::from(purse.captures)).sum();
        if self.slack(&self.start) > MOST_SLACK || captures > MOST_CAPTURES {
            return false;
        }
        let mut seen = FxHashSet::default();
        !self.search(self.start, &mut seen) && seen.len() < MOST_STATES
    }

    /// How many captures can be wasted; less than 0 where there is no way left.
    ///
    /// Files with a white pawn below a black one are to become as few as in the goal. A capture by a pawn undoes one at most, that of
    /// a pawn one more.
    fn slack(&self, state: &State) -> i32 {
        let most: i32 = state.purses.iter().map(|purse| i32::from(purse.captures) + i32::from(purse.pawns)).sum();
        most - (opposed(&state.columns) - self.goal_opposed)
    }

    /// Whether a sequence of captures leads from `state` to the goal, or too many states have been looked at.
    fn search(&self, state: State, seen: &mut FxHashSet<State>) -> bool {
        if self.is_goal(&state) {
            return true;
        }
        let captures: u32 = state.purses.iter().map(|purse| u32::from(purse.captures)).sum();
        let unlike = (0..8).filter(|file| state.columns[*file].promotions_to(self.goal[*file]).is_none()).count() as u32;
        // A capture changes two files.
        if captures == 0 || unlike > 2 * captures || self.slack(&state) < 0 {
            return false;
        }
        if seen.len() >= MOST_STATES {
            return true;
        }
        if !seen.insert(state) {
            return false;
        }
        for white in [true, false] {
            let side = usize::from(!white);
            let purse = state.purses[side];
            if purse.captures == 0 {
                continue;
            }
            let without = |pawn: bool| {
                let mut purses = state.purses;
                let captures = purse.captures - 1;
                // No more pawns can be taken than men.
                purses[side] = Purse { captures, pawns: purse.pawns.saturating_sub(u8::from(pawn)).min(captures) };
                purses
            };
            for file in 0..8 {
                if purse.pawns > 0 && self.pieces_take_pawns(&state, file, white, without(true), seen) {
                    return true;
                }
                for next in [file.wrapping_sub(1), file + 1].into_iter().filter(|next| *next < 8) {
                    if self.pawns_take(&state, (file, next), white, (without(true), without(false)), seen) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn pieces_take_pawns(
        &self,
        state: &State,
        file: usize,
        white: bool,
        purses: [Purse; 2],
        seen: &mut FxHashSet<State>,
    ) -> bool {
        let column = state.columns[file];
        (0..column.pawns).filter(|index| column.is_white(*index) != white).any(|index| {
            let mut columns = state.columns;
            columns[file] = column.remove(index);
            self.search(State { columns, purses }, seen)
        })
    }

    /// Pawns of a side on the first of two files take on the second; what is left in the purses when a pawn is taken, and when a piece is.
    fn pawns_take(
        &self,
        state: &State,
        (file, next): (usize, usize),
        white: bool,
        (after_pawn, after_piece): ([Purse; 2], [Purse; 2]),
        seen: &mut FxHashSet<State>,
    ) -> bool {
        let (from, to) = (state.columns[file], state.columns[next]);
        let can_take_pawn = state.purses[usize::from(!white)].pawns > 0;
        (0..from.pawns).filter(|index| from.is_white(*index) == white).any(|index| {
            let mut columns = state.columns;
            columns[file] = from.remove(index);
            let takes_pawn = can_take_pawn
                && (0..to.pawns).filter(|victim| to.is_white(*victim) != white).any(|victim| {
                    columns[next] = to.replace(victim, white);
                    self.search(State { columns, purses: after_pawn }, seen)
                });
            takes_pawn
                || (0..=to.pawns).any(|place| {
                    columns[next] = to.insert(place, white);
                    self.search(State { columns, purses: after_piece }, seen)
                })
        })
    }

    /// Whether the columns are those of the goal once pawns have been promoted, bishops on squares of their colour.
    fn is_goal(&self, state: &State) -> bool {
        // Promotions on files a, c, e, g and on the others.
        let mut promotions = [[0; 2]; 2];
        for (file, (column, goal)) in state.columns.iter().zip(&self.goal).enumerate() {
            let Some((white, black)) = column.promotions_to(*goal) else { return false };
            promotions[0][file % 2] += white;
            promotions[1][file % 2] += black;
        }
        // a8 is a light square, a1 a dark one.
        let [white, black] = promotions;
        let enough = |on: u32, bishops: u32| on >= bishops;
        enough(white[0], self.bishops[0][0])
            && enough(white[1], self.bishops[0][1])
            && enough(black[1], self.bishops[1][0])
            && enough(black[0], self.bishops[1][1])
    }
}

/// The files on which a white pawn has a black one ahead of it.
fn opposed(columns: &[Column; 8]) -> i32 {
    columns.iter().filter(|column| column.is_opposed()).count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(text: &str) -> Column {
        text.bytes().fold(Column::default(), |column, byte| column.insert(column.pawns, byte == b'W'))
    }

    #[test]
    fn pawns_come_and_go() {
        assert_eq!(column("WB").insert(1, true), column("WWB"));
        assert_eq!(column("WWB").remove(0), column("WB"));
        assert_eq!(column("WWB").replace(2, true), column("WWW"));
        assert_eq!(column("WB").insert(2, true), column("WBW"));
    }

    #[test]
    fn pawns_with_nobody_ahead_are_promoted() {
        for (from, to, promotions) in [
            ("WB", "WB", Some((0, 0))),
            ("WB", "B", None),
            ("WB", "", None),
            ("BW", "", Some((1, 1))),
            ("BW", "B", Some((1, 0))),
            ("BW", "W", Some((0, 1))),
            ("WBW", "WB", Some((1, 0))),
            ("WBW", "BW", None),
            ("BWB", "WB", Some((0, 1))),
            ("WW", "W", Some((1, 0))),
            ("", "W", None),
            ("B", "W", None),
        ] {
            assert_eq!(column(from).promotions_to(column(to)), promotions, "{from} {to}");
        }
    }

    #[test]
    fn opposition() {
        assert!(column("WB").is_opposed() && column("BWB").is_opposed());
        assert!(!column("BW").is_opposed() && !column("").is_opposed() && !column("BBW").is_opposed());
    }
}
