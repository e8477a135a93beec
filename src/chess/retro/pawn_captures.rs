//! Counts pawn captures across files, for the pawns of both sides at once.
//!
//! Texel's proof kernels (Österlund) search sequences of captures. Here the order of captures on
//! different files does not matter, only how many pawns moved from each file to the next. This is
//! quick to search for any number of captures.
//!
//! One pawn of each side begins on each file, the white one below the black one. As long as it is
//! on its own file, one of four things happens to it: it *stays*, it *leaves* by capturing, it is
//! *promoted*, or it is *captured*. The two cannot pass each other. So they are not both promoted,
//! neither is promoted while the other stays, and if both stay, the file shows a white pawn below a
//! black one. Pawns that arrive from other files stay, leave again, are promoted or are captured.
//! They can arrive at any time and place, so there are no other constraints on them. The
//! constraints are:
//! * Every arrival is a capture by the side that arrives.
//! * A pawn that is captured on its own file is captured by an arrival there, or by a piece, which
//!   is one more capture.
//! * No side makes more captures than the other has lost pieces. No side loses more pawns as pawns
//!   than eight, minus those on the board, minus those that must have been promoted.
//! * Promoted bishops were promoted on files whose last square has their colour.
//! * A pawn on its second rank has stayed. If three of them are next to each other (two at the
//!   edge), no enemy was promoted beyond the middle one: a pawn that arrives there and neither
//!   stays nor leaves was captured.
//!
//! A pawn that was captured after it had changed its file counts as promoted, which is a weaker
//! constraint. Every real game gives such counts. A capture with promotion is an arrival on the
//! promotion file, and an en passant capture is an arrival on the file of the captured pawn. So the
//! position is unreachable if no counts satisfy the constraints.

use rustc_hash::FxHashSet;
use shakmaty::{Bitboard, Role};

use super::side_view::SideView;

/// Maximum number of combinations that are tried. Nothing is proven if they are used up.
const MAX_STEPS: u32 = 4000;

/// What tests show about the captures and promotions before a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No sequence of moves leads to it.
    Impossible,
    /// Captures and promotions explain it.
    Explained,
    /// Neither was shown.
    Open,
}

/// What is known about a side's losses and promotions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Losses {
    /// Pieces that are missing.
    pub missing: u32,
    /// How many of them can only have been captured as pieces by pieces.
    pub captured_at_home: u32,
    /// Minimum number of pieces on the board that are promoted pawns.
    pub promoted: u32,
}

/// What happened to a pawn on its own file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Captured,
    Leaves,
    Promoted,
}

impl Fate {
    const ALL: [Fate; 4] = [Fate::Stays, Fate::Captured, Fate::Leaves, Fate::Promoted];
}

/// The pawns of one side on a file.
#[derive(Clone, Copy, Debug, Default)]
struct FilePawns {
    pawns: u8,
    /// Whether one of them has not moved.
    at_home: bool,
    /// Whether no pawn of this side can have been promoted on this file.
    blocked: bool,
}

/// The pawns of a side, and its limits.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    files: [FilePawns; 8],
    /// Maximum number of captures.
    captures: u8,
    /// Maximum number of pawns that are lost as pawns.
    losses: u8,
    /// Minimum number of bishops promoted on files a, c, e, g and on the other files.
    bishops: [u8; 2],
    /// For each file, the number of pawns on it and to its right, and the minimum number of
    /// captures between these files.
    ahead: [(u8, u8); 8],
}

/// The counts of one side on the files so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Tally {
    /// Pawns that moved to the next file, and pawns that came from there.
    onward: u8,
    back: u8,
    captures: u8,
    losses: u8,
    /// Promotions on files a, c, e, g and on the other files, as far as bishops need them.
    promotions: [u8; 2],
}

/// How pawns may have moved between files by capturing.
#[derive(Clone, Debug)]
pub(super) struct PawnCaptureFlow {
    /// White and Black.
    sides: [Side; 2],
    /// The files with a white pawn below a black one.
    opposed: [bool; 8],
    /// For each file, how many files from it to the right are not opposed. On each of them a pawn
    /// has left or was captured.
    open_ahead: [u8; 8],
}

impl PawnCaptureFlow {
    /// The flow for the views and losses of both sides.
    pub fn new(white: (&SideView, Losses), black: (&SideView, Losses)) -> PawnCaptureFlow {
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
        PawnCaptureFlow { sides: [Side::new(white, black), Side::new(black, white)], opposed, open_ahead }
    }

    /// Whether captures lead to the position.
    pub fn verdict(&self) -> Verdict {
        let mut search = Search { flow: self, steps: 0, failed: FxHashSet::default() };
        let succeeds = search.succeeds_from(0, [Tally::default(); 2]);
        match (succeeds, search.steps < MAX_STEPS) {
            (_, false) => Verdict::Open,
            (true, true) => Verdict::Explained,
            (false, true) => Verdict::Impossible,
        }
    }

    /// Whether the remaining captures can be enough for the files from `file` to the right.
    fn can_continue(&self, file: usize, tallies: [Tally; 2]) -> bool {
        let mut departures = 0;
        for (side, tally) in self.sides.iter().zip(tallies) {
            let (pawns, crossed) = side.ahead[file];
            let captures = side.captures - tally.captures - tally.onward;
            if pawns + tally.back > 8 - file as u8 + tally.onward || crossed > captures {
                return false;
            }
            // Pawns that have left these files, will leave them, or will be captured there.
            departures += tally.back + captures + side.losses - tally.losses;
        }
        self.open_ahead[file] <= departures
    }

    /// The counts of `side` after `file`, with this fate of its own pawn and these moves to and
    /// from the next file. Captures of pawns by pieces are not included. `None` if this is
    /// impossible.
    fn after(&self, side: usize, file: usize, before: Tally, fate: Fate, (onward, back): (u8, u8)) -> Option<Tally> {
        let own = &self.sides[side];
        let pawns_here = own.files[file];
        if (pawns_here.at_home && fate != Fate::Stays) || (pawns_here.blocked && fate == Fate::Promoted) {
            return None;
        }
        let arrivals = before.onward + back;
        let staying = pawns_here.pawns.checked_sub(u8::from(fate == Fate::Stays))?;
        let leaving = (before.back + onward).checked_sub(u8::from(fate == Fate::Leaves))?;
        let disappeared = arrivals.checked_sub(staying + leaving)?;
        let captures = before.captures + arrivals;
        let losses = before.losses + u8::from(fate == Fate::Captured) + if pawns_here.blocked { disappeared } else { 0 };
        if losses > own.losses {
            return None;
        }
        let mut promotions = before.promotions;
        if !pawns_here.blocked {
            let on = &mut promotions[file % 2];
            *on = (*on + disappeared + u8::from(fate == Fate::Promoted)).min(own.bishops[file % 2]);
        }
        Some(Tally { onward, back, captures, losses, promotions })
    }

    /// The counts of `side` after `file` for each fate of its own pawn.
    fn after_each_fate(&self, side: usize, file: usize, before: Tally, moves: (u8, u8)) -> [Option<Tally>; 4] {
        Fate::ALL.map(|fate| self.after(side, file, before, fate, moves))
    }

    /// Whether the two pawns that began on `file` can have these fates.
    fn agree(&self, file: usize, white: Fate, black: Fate) -> bool {
        match (white, black) {
            (Fate::Stays, Fate::Stays) => self.opposed[file],
            (Fate::Promoted, Fate::Stays | Fate::Promoted) | (Fate::Stays, Fate::Promoted) => false,
            _ => true,
        }
    }
}

impl Side {
    fn new(own: (&SideView, Losses), other: (&SideView, Losses)) -> Side {
        let (pawns, homes) = (own.0.pawns(), own.0.pawns_at_home());
        let unmoved_enemies = files_of(other.0.pawns_at_home());
        let closed = unmoved_enemies & (unmoved_enemies << 1 | 1) & (unmoved_enemies >> 1 | 0x80);
        let files: [FilePawns; 8] = std::array::from_fn(|file| FilePawns {
            pawns: (pawns & on_file(file)).count() as u8,
            at_home: (homes & on_file(file)).any(),
            blocked: closed >> file & 1 == 1,
        });
        let all: u8 = files.iter().map(|pawns_here| pawns_here.pawns).sum();
        let (mut pawns_ahead, mut crossed) = (0, 0);
        let mut ahead = [(0, 0); 8];
        for file in (0..8).rev() {
            pawns_ahead += files[file].pawns;
            ahead[file] = (pawns_ahead, crossed);
            // Pawns moved between this file and the previous one if one part has more pawns than
            // began there.
            let (began_ahead, began_before) = (8 - file as u8, file as u8);
            crossed += pawns_ahead.saturating_sub(began_ahead).max((all - pawns_ahead).saturating_sub(began_before));
        }
        let left = u32::from(all) + own.1.promoted;
        // Seen from the own back rank, a8 is a light square for both sides.
        let bishops = own.0.of(Role::Bishop);
        let promoted = |squares: Bitboard| ((bishops & squares).count() as u8).saturating_sub(1);
        Side {
            files,
            captures: other.1.missing.saturating_sub(other.1.captured_at_home).min(16) as u8,
            losses: 8u32.saturating_sub(left) as u8,
            bishops: [promoted(Bitboard::LIGHT_SQUARES), promoted(Bitboard::DARK_SQUARES)],
            ahead,
        }
    }
}

const fn on_file(file: usize) -> Bitboard {
    Bitboard(0x0101_0101_0101_0101 << file)
}

/// The files of these squares, one bit each.
fn files_of(squares: Bitboard) -> u8 {
    squares.into_iter().fold(0, |files, square| files | 1 << square.file() as u8)
}

/// A search over the files, from left to right.
struct Search<'a> {
    flow: &'a PawnCaptureFlow,
    steps: u32,
    failed: FxHashSet<(u8, [Tally; 2])>,
}

impl Search<'_> {
    /// Whether the files from `file` to the right can be explained after these counts, or too many
    /// combinations were tried.
    fn succeeds_from(&mut self, file: usize, tallies: [Tally; 2]) -> bool {
        let flow = self.flow;
        if file == 8 {
            return tallies.iter().zip(&flow.sides).all(|(tally, side)| tally.promotions == side.bishops);
        }
        if !flow.can_continue(file, tallies) || self.failed.contains(&(file as u8, tallies)) {
            return false;
        }
        let max = [0, 1].map(|side| {
            let Tally { captures, onward, .. } = tallies[side];
            if file == 7 { 0 } else { flow.sides[side].captures - captures - onward }
        });
        // Small numbers first: most positions need few captures.
        for moving in 0..=max[0] + max[1] {
            for of_white in moving.saturating_sub(max[1])..=moving.min(max[0]) {
                let of_black = moving - of_white;
                for white_onward in 0..=of_white {
                    let white_moves = (white_onward, of_white - white_onward);
                    let white_after = flow.after_each_fate(0, file, tallies[0], white_moves);
                    for black_onward in 0..=of_black {
                        let moves = [white_moves, (black_onward, of_black - black_onward)];
                        if self.succeeds_with(file, tallies, &white_after, moves) {
                            return true;
                        }
                    }
                }
            }
        }
        self.failed.insert((file as u8, tallies));
        false
    }

    /// The same for given numbers of pawns that move from `file` to the next one and back, by side.
    /// `white_after` are White's counts after `file` for each fate.
    fn succeeds_with(
        &mut self,
        file: usize,
        [white, black]: [Tally; 2],
        white_after: &[Option<Tally>; 4],
        flows: [(u8, u8); 2],
    ) -> bool {
        self.steps += 1;
        if self.steps >= MAX_STEPS {
            return true;
        }
        if white_after.iter().all(Option::is_none) {
            return false;
        }
        let flow = self.flow;
        let black_after = flow.after_each_fate(1, file, black, flows[1]);
        for (white_fate, white_after) in Fate::ALL.into_iter().zip(*white_after) {
            let Some(white_after) = white_after else { continue };
            for (black_fate, black_after) in Fate::ALL.into_iter().zip(black_after) {
                let Some(black_after) = black_after.filter(|_| flow.agree(file, white_fate, black_fate)) else { continue };
                let mut after = [white_after, black_after];
                // Captured by a piece if no pawn arrived.
                after[0].captures += u8::from(black_fate == Fate::Captured && white.onward + flows[0].1 == 0);
                after[1].captures += u8::from(white_fate == Fate::Captured && black.onward + flows[1].1 == 0);
                let affordable =
                    after.iter().zip(&flow.sides).all(|(tally, side)| tally.captures + tally.onward <= side.captures);
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

    use super::{super::HomeRank, *};

    /// Whether no captures explain the board with these numbers of promoted pieces.
    fn impossible(placement: &str, promoted: [u32; 2]) -> bool {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        let [white, black] =
            [Color::White, Color::Black].map(|color| SideView::new(&board, Bitboard::EMPTY, color, Some(HomeRank::STANDARD)));
        let losses = |view: &SideView, promoted| Losses { missing: 16 - view.count(), captured_at_home: 0, promoted };
        let flow = PawnCaptureFlow::new((&white, losses(&white, promoted[0])), (&black, losses(&black, promoted[1])));
        flow.verdict() == Verdict::Impossible
    }

    #[test]
    fn pawns_that_need_no_captures() {
        assert!(!impossible("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", [0, 0]));
        assert!(!impossible("4k3/8/2P5/8/8/3P4/PP1PPP1P/4K3", [0, 0]));
    }

    #[test]
    fn captures_let_pawns_pass() {
        // The h-pawn captured the knight on g7 and went on to g8. No second pawn can have passed.
        assert!(!impossible("rnbqkb1r/pppppp1p/6p1/8/8/2N5/PPPPPPP1/RNBQKBNR", [1, 0]));
        assert!(impossible("rnbqkb1r/pppppp1p/6p1/8/8/2N2N2/PPPPPP2/RNBQKBNR", [2, 0]));
        // It captured the g-pawn, so White's g-pawn and Black's h-pawn are free as well, but no
        // other.
        assert!(!impossible("rnbqkbnr/pppppp2/5n2/8/8/2N2N2/PPPPPP2/RNBQKBNR", [2, 1]));
        assert!(impossible("rnbqkbnr/pppppp2/5n2/8/8/2N1NN2/PPPPP3/RNBQKBNR", [3, 1]));
    }

    #[test]
    fn no_promotion_behind_three_unmoved_pawns() {
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
        // On each file the white pawn is above the black one: two captures for each pair of files.
        assert!(impossible("rnbqkbnr/8/8/PPPPPPPP/pppppppp/8/8/RNBQKBN1", [0, 0]));
        // Eight captures on each side.
        assert!(!impossible("4k3/8/8/PPPPPPPP/pppppppp/8/8/4K3", [0, 0]));
    }
}
