//! Pawns that cross to other files, counted over both pawn structures at once.
//!
//! Texel's proof kernels (Österlund) try sequences of captures. Here the order in which captures were made on different files is
//! not asked, only how many pawns crossed from each file to the next: that is quickly tried for any number of captures.
//!
//! On each file one pawn of each side begins, the white one below the black one. What becomes of each, as long as it is on its
//! own file, is one of four things: it *stays*, it *leaves* by capturing, it is *promoted*, it is *taken*. The two cannot pass one
//! another, so that not both are promoted, neither is promoted while the other stays, and where both stay the file shows a
//! white pawn below a black one. Pawns that come from other files stay, leave again, are promoted or are taken; they may have
//! come at any time to any place in the order, so nothing else is asked of them. What is counted:
//!
//! * every arrival is a capture by the side that arrives;
//! * a pawn that is taken on its own file was taken by an arrival there, or else by a piece, which is a capture more;
//! * no side makes more captures than the other has lost men, and no side loses more pawns as pawns than the eight that it had,
//!   less those that are left, less those that must have been promoted;
//! * promoted bishops of a colour were promoted on files whose last square has that colour;
//! * a pawn on its second rank has stayed, and where three of them stand side by side (two at the edge) no enemy has been promoted
//!   behind the middle one: a pawn that arrives there and neither stays nor leaves has been taken.
//!
//! A pawn that was captured after it had come from another file is elsewhere counted as if it had been promoted, which asks for
//! less. Every real game gives such counts, with a capture that promotes at once as an arrival on the file of promotion, and en
//! passant as an arrival on the file of the pawn that is taken. So where no counts fit, the position is unreachable.

use rustc_hash::FxHashSet;
use shakmaty::{Bitboard, Role};

use super::side_view::Camp;

/// So many combinations are looked at; when they are used up nothing is proven.
const MOST_STEPS: u32 = 4000;

/// What is known of a side's losses and promotions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Losses {
    /// Pieces that are missing.
    pub missing: u32,
    /// How many of these can only have been captured as pieces by pieces.
    pub died_at_home: u32,
    /// How many of those that are left are promoted pawns, at least.
    pub promoted: u32,
}

/// What has become of a pawn on the file where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Taken,
    Leaves,
    Promoted,
}

impl Fate {
    const ALL: [Fate; 4] = [Fate::Stays, Fate::Taken, Fate::Leaves, Fate::Promoted];
}

/// What one side shows on a file.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    pawns: u8,
    /// One of them has not moved.
    at_home: bool,
    /// No pawn of this side can have been promoted on this file.
    shut: bool,
}

/// What a side has, and what it can spend.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    files: [Seen; 8],
    /// Captures that it makes, at most.
    captures: u8,
    /// Pawns that it loses as pawns, at most.
    losses: u8,
    /// Bishops promoted on files a, c, e, g and on the others.
    bishops: [u8; 2],
    /// For each file its pawns that stand there and further on, and the least number of captures by which pawns have crossed
    /// from one of these files to another.
    ahead: [(u8, u8); 8],
}

/// What one side has done on the files so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Tally {
    /// Pawns that go on to the next file, and pawns that come from there.
    onward: u8,
    back: u8,
    captures: u8,
    losses: u8,
    /// Promotions on files a, c, e, g and on the others, as far as bishops ask for them.
    promotions: [u8; 2],
}

/// The crossings that a position asks for.
#[derive(Clone, Debug)]
pub(super) struct Crossings {
    /// White and Black.
    sides: [Side; 2],
    /// The files on which a white pawn stands below a black one.
    opposed: [bool; 8],
    /// For each file how many from it on are not opposed: on each of them a pawn has left or has been taken.
    open_ahead: [u8; 8],
}

impl Crossings {
    /// Those of a position with these camps, each with its losses; White's first.
    pub fn new(white: (&Camp, Losses), black: (&Camp, Losses)) -> Crossings {
        let pawns = [white.0.pawns(), black.0.pawns().flip_vertical()];
        let opposed: [bool; 8] = std::array::from_fn(|file| {
            let (lowest, highest) = ((pawns[0] & on_file(file)).first(), (pawns[1] & on_file(file)).last());
            lowest.zip(highest).is_some_and(|(lowest, highest)| lowest < highest)
        });
        let mut open_ahead = [0; 8];
        let mut open = 0;
        for file in (0..8).rev() {
            open += u8::from(!opposed[file]);
            open_ahead[file] = open;
        }
        Crossings { sides: [Side::new(white, black), Side::new(black, white)], opposed, open_ahead }
    }

    /// Whether it is proven that no crossings lead to the position.
    pub fn are_impossible(&self) -> bool {
        let mut search = Search { crossings: self, steps: 0, failed: FxHashSet::default() };
        !search.succeeds_from(0, [Tally::default(); 2]) && search.steps < MOST_STEPS
    }

    /// Whether what is left to spend can be enough for the files from `file` on.
    fn may_go_on(&self, file: usize, tallies: [Tally; 2]) -> bool {
        let mut departures = 0;
        for (side, tally) in self.sides.iter().zip(tallies) {
            let (pawns, crossed) = side.ahead[file];
            let captures = side.captures - tally.captures - tally.onward;
            if pawns + tally.back > 8 - file as u8 + tally.onward || crossed > captures {
                return false;
            }
            // Pawns that have left the files ahead, that will leave them, that will be taken there.
            departures += tally.back + captures + side.losses - tally.losses;
        }
        self.open_ahead[file] <= departures
    }

    /// What `side` has done after `file`, where its own pawn had this fate and so many cross to the next file and come back from
    /// it; its pieces' captures of pawns apart. `None` where that cannot be.
    fn after(&self, side: usize, file: usize, before: Tally, fate: Fate, (onward, back): (u8, u8)) -> Option<Tally> {
        let own = &self.sides[side];
        let seen = own.files[file];
        if (seen.at_home && fate != Fate::Stays) || (seen.shut && fate == Fate::Promoted) {
            return None;
        }
        let arrivals = before.onward + back;
        let staying = seen.pawns.checked_sub(u8::from(fate == Fate::Stays))?;
        let leaving = (before.back + onward).checked_sub(u8::from(fate == Fate::Leaves))?;
        let gone = arrivals.checked_sub(staying + leaving)?;
        let captures = before.captures + arrivals;
        let losses = before.losses + u8::from(fate == Fate::Taken) + if seen.shut { gone } else { 0 };
        if losses > own.losses {
            return None;
        }
        let mut promotions = before.promotions;
        if !seen.shut {
            let on = &mut promotions[file % 2];
            *on = (*on + gone + u8::from(fate == Fate::Promoted)).min(own.bishops[file % 2]);
        }
        Some(Tally { onward, back, captures, losses, promotions })
    }

    /// Whether the two pawns that began on `file` can have had these fates, White's first.
    fn agree(&self, file: usize, white: Fate, black: Fate) -> bool {
        match (white, black) {
            (Fate::Stays, Fate::Stays) => self.opposed[file],
            (Fate::Promoted, Fate::Stays | Fate::Promoted) | (Fate::Stays, Fate::Promoted) => false,
            _ => true,
        }
    }
}

impl Side {
    fn new(own: (&Camp, Losses), other: (&Camp, Losses)) -> Side {
        let (pawns, homes) = (own.0.pawns(), own.0.pawns_at_home());
        let walls = files_of(other.0.pawns_at_home());
        let closed = walls & (walls << 1 | 1) & (walls >> 1 | 0x80);
        let files: [Seen; 8] = std::array::from_fn(|file| Seen {
            pawns: (pawns & on_file(file)).count() as u8,
            at_home: (homes & on_file(file)).any(),
            shut: closed >> file & 1 == 1,
        });
        let all: u8 = files.iter().map(|seen| seen.pawns).sum();
        let (mut pawns_ahead, mut crossed) = (0, 0);
        let mut ahead = [(0, 0); 8];
        for file in (0..8).rev() {
            pawns_ahead += files[file].pawns;
            ahead[file] = (pawns_ahead, crossed);
            // Between this file and the one before it pawns crossed where more stand on one side than began there.
            let (began_ahead, began_before) = (8 - file as u8, file as u8);
            crossed += pawns_ahead.saturating_sub(began_ahead).max((all - pawns_ahead).saturating_sub(began_before));
        }
        let left = u32::from(all) + own.1.promoted;
        // A camp is seen from its own back rank, so that its a8 is a light square whichever side it is.
        let bishops = own.0.of(Role::Bishop);
        let promoted = |squares: Bitboard| ((bishops & squares).count() as u8).saturating_sub(1);
        Side {
            files,
            captures: other.1.missing.saturating_sub(other.1.died_at_home).min(16) as u8,
            losses: 8u32.saturating_sub(left) as u8,
            bishops: [promoted(Bitboard::LIGHT_SQUARES), promoted(Bitboard::DARK_SQUARES)],
            ahead,
        }
    }
}

const fn on_file(file: usize) -> Bitboard {
    Bitboard(0x0101_0101_0101_0101 << file)
}

/// A bit for each file with one of these squares.
fn files_of(squares: Bitboard) -> u8 {
    squares.into_iter().fold(0, |files, square| files | 1 << square.file() as u8)
}

/// A search over the files, from left to right.
struct Search<'a> {
    crossings: &'a Crossings,
    steps: u32,
    failed: FxHashSet<(u8, [Tally; 2])>,
}

impl Search<'_> {
    /// Whether the files from `file` on can be as they are after what has been done on those before, or it was tried too often.
    fn succeeds_from(&mut self, file: usize, tallies: [Tally; 2]) -> bool {
        let crossings = self.crossings;
        if file == 8 {
            return tallies.iter().zip(&crossings.sides).all(|(tally, side)| tally.promotions == side.bishops);
        }
        if !crossings.may_go_on(file, tallies) || self.failed.contains(&(file as u8, tallies)) {
            return false;
        }
        let most = [0, 1].map(|side| {
            let Tally { captures, onward, .. } = tallies[side];
            if file == 7 { 0 } else { crossings.sides[side].captures - captures - onward }
        });
        // Few crossings first: most positions need few.
        for crossing in 0..=most[0] + most[1] {
            for of_white in crossing.saturating_sub(most[1])..=crossing.min(most[0]) {
                let of_black = crossing - of_white;
                for white_onward in 0..=of_white {
                    for black_onward in 0..=of_black {
                        let flows = [(white_onward, of_white - white_onward), (black_onward, of_black - black_onward)];
                        if self.succeeds_with(file, tallies, flows) {
                            return true;
                        }
                    }
                }
            }
        }
        self.failed.insert((file as u8, tallies));
        false
    }

    /// The same, where so many pawns of each side cross from `file` to the next, and so many come back.
    fn succeeds_with(&mut self, file: usize, [white, black]: [Tally; 2], flows: [(u8, u8); 2]) -> bool {
        self.steps += 1;
        if self.steps >= MOST_STEPS {
            return true;
        }
        let crossings = self.crossings;
        let black_after = Fate::ALL.map(|fate| crossings.after(1, file, black, fate, flows[1]));
        for white_fate in Fate::ALL {
            let Some(white_after) = crossings.after(0, file, white, white_fate, flows[0]) else { continue };
            for (black_fate, black_after) in Fate::ALL.into_iter().zip(black_after) {
                let Some(black_after) = black_after.filter(|_| crossings.agree(file, white_fate, black_fate)) else { continue };
                let mut after = [white_after, black_after];
                // Taken by a piece where no pawn has arrived.
                after[0].captures += u8::from(black_fate == Fate::Taken && white.onward + flows[0].1 == 0);
                after[1].captures += u8::from(white_fate == Fate::Taken && black.onward + flows[1].1 == 0);
                let affordable =
                    after.iter().zip(&crossings.sides).all(|(tally, side)| tally.captures + tally.onward <= side.captures);
                if affordable && self.succeeds_from(file + 1, after) {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, Color};

    use super::*;

    /// Whether no crossings explain the board, with so many promoted men of each side.
    fn impossible(placement: &str, promoted: [u32; 2]) -> bool {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        let [white, black] = [Color::White, Color::Black].map(|color| Camp::new(&board, Bitboard::EMPTY, color));
        let losses = |camp: &Camp, promoted| Losses { missing: 16 - camp.count(), died_at_home: 0, promoted };
        Crossings::new((&white, losses(&white, promoted[0])), (&black, losses(&black, promoted[1]))).are_impossible()
    }

    #[test]
    fn pawns_that_have_not_met() {
        assert!(!impossible("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", [0, 0]));
        assert!(!impossible("4k3/8/2P5/8/8/3P4/PP1PPP1P/4K3", [0, 0]));
    }

    #[test]
    fn captures_let_pawns_pass() {
        // The h-pawn took the knight on g7 and went on to g8; no second pawn has come through.
        assert!(!impossible("rnbqkb1r/pppppp1p/6p1/8/8/2N5/PPPPPPP1/RNBQKBNR", [1, 0]));
        assert!(impossible("rnbqkb1r/pppppp1p/6p1/8/8/2N2N2/PPPPPP2/RNBQKBNR", [2, 0]));
        // It took the g-pawn, so that the g-pawn behind it and Black's h-pawn are free as well, and no other.
        assert!(!impossible("rnbqkbnr/pppppp2/5n2/8/8/2N2N2/PPPPPP2/RNBQKBNR", [2, 1]));
        assert!(impossible("rnbqkbnr/pppppp2/5n2/8/8/2N1NN2/PPPPP3/RNBQKBNR", [3, 1]));
    }

    #[test]
    fn nobody_is_promoted_behind_three_unmoved_pawns() {
        assert!(impossible("rnbqkb1r/pppppppp/8/8/8/2N5/PPPPPPP1/RNBQKBNR", [1, 0]));
    }

    #[test]
    fn bishops_are_promoted_on_squares_of_their_colour() {
        // The h-pawn reaches g8, which is light.
        assert!(!impossible("rnbqkb1r/pppppp1p/6p1/8/8/3B4/PPPPPPP1/RNBQKBNR", [1, 0]));
        assert!(impossible("rnbqkb1r/pppppp1p/6p1/8/8/4B3/PPPPPPP1/RNBQKBNR", [1, 0]));
        // The same for Black, whose h-pawn reaches g1, which is dark.
        assert!(!impossible("rnbqkbnr/ppppppp1/3b4/8/8/6P1/PPPPPP1P/RNBQKB1R", [0, 1]));
        assert!(impossible("rnbqkbnr/ppppppp1/4b3/8/8/6P1/PPPPPP1P/RNBQKB1R", [0, 1]));
    }

    #[test]
    fn pawns_that_have_passed_each_other_have_captured() {
        // On each file the white pawn stands above the black one: two captures for each pair of files.
        assert!(impossible("rnbqkbnr/8/8/PPPPPPPP/pppppppp/8/8/RNBQKBN1", [0, 0]));
        // Eight captures on each side.
        assert!(!impossible("4k3/8/8/PPPPPPPP/pppppppp/8/8/4K3", [0, 0]));
    }
}
