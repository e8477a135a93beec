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
//! * A pawn on its second rank has stayed.
//! * A pawn was promoted on its own file only if it can have advanced to the last rank there, and a
//!   pawn that arrived only if it can have done so, or have arrived on the last rank
//!   ([`PromotionFiles`](super::promotion::PromotionFiles)). One that arrives and neither stays,
//!   leaves nor was promoted was captured.
//! * Of each kind of pieces, enough were promoted on files from whose last square they can have
//!   gone to where they are.
//!
//! A pawn that was captured after it had changed its file counts as promoted, which is a weaker
//! constraint. Every real game gives such counts. A capture with promotion is an arrival on the
//! promotion file, and an en passant capture is an arrival on the file of the captured pawn. So the
//! position is unreachable if no counts satisfy the constraints.

use rustc_hash::FxHashSet;
use shakmaty::Bitboard;

use super::{promoted_kinds::ByKind, side_limits::SideLimits, side_view::SideView};

/// Maximum number of combinations that are tried. Nothing is proven if they are used up.
const MAX_STEPS: u32 = 4000;

/// What tests show about the captures and promotions before a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reachability {
    /// No sequence of moves leads to it.
    Impossible,
    /// Captures and promotions explain it.
    Explained,
    /// Neither was shown.
    Open,
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

/// The pawns of a side, and its limits.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    limits: SideLimits,
    /// The number of pawns on each file.
    files: [u8; 8],
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
    /// Promotions of each kind that the files allow, up to the number that is needed.
    promoted: ByKind,
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
    /// The flow for the views of White and Black, and their limits.
    pub fn new(views: [&SideView; 2], limits: [SideLimits; 2]) -> PawnCaptureFlow {
        let pawns = [views[0].pawns(), views[1].pawns().flip_vertical()];
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
        PawnCaptureFlow { sides: [Side::new(views[0], limits[0]), Side::new(views[1], limits[1])], opposed, open_ahead }
    }

    /// Whether captures lead to the position.
    pub fn reachability(&self) -> Reachability {
        let mut search = Search { flow: self, steps: 0, failed: FxHashSet::default() };
        let succeeds = search.succeeds_from(0, [Tally::default(); 2]);
        match (succeeds, search.steps < MAX_STEPS) {
            (_, false) => Reachability::Open,
            (true, true) => Reachability::Explained,
            (false, true) => Reachability::Impossible,
        }
    }

    /// Whether the remaining captures can be enough for the files from `file` to the right.
    fn can_continue(&self, file: usize, tallies: [Tally; 2]) -> bool {
        let mut departures = 0;
        for (side, tally) in self.sides.iter().zip(tallies) {
            let (pawns, crossed) = side.ahead[file];
            let captures = side.limits.captures - tally.captures - tally.onward;
            if pawns + tally.back > 8 - file as u8 + tally.onward || crossed > captures {
                return false;
            }
            // Pawns that have left these files, will leave them, or will be captured there.
            departures += tally.back + captures + side.limits.losses - tally.losses;
        }
        self.open_ahead[file] <= departures
    }

    /// The counts of `side` after `file`, with this fate of its own pawn and these moves to and
    /// from the next file. Captures of pawns by pieces are not included. `None` if this is
    /// impossible.
    fn after(&self, side: usize, file: usize, before: Tally, fate: Fate, (onward, back): (u8, u8)) -> Option<Tally> {
        let own = &self.sides[side];
        let SideLimits { losses: max_losses, promotion, unmoved_pawns, .. } = &own.limits;
        let is_here = |files: u8| files >> file & 1 == 1;
        let may_advance = is_here(promotion.advance);
        if (is_here(*unmoved_pawns) && fate != Fate::Stays) || (!may_advance && fate == Fate::Promoted) {
            return None;
        }
        let arrivals = before.onward + back;
        let staying = own.files[file].checked_sub(u8::from(fate == Fate::Stays))?;
        let leaving = (before.back + onward).checked_sub(u8::from(fate == Fate::Leaves))?;
        let disappeared = arrivals.checked_sub(staying + leaving)?;
        let captures = before.captures + arrivals;
        let on_last_rank = |files: u8, arrived: u8| if is_here(files) { arrived } else { 0 };
        let may_be_promoted = if may_advance {
            arrivals
        } else {
            on_last_rank(promotion.from_left, before.onward) + on_last_rank(promotion.from_right, back)
        };
        let promoted_here = disappeared.min(may_be_promoted);
        let losses = before.losses + u8::from(fate == Fate::Captured) + disappeared - promoted_here;
        if losses > *max_losses {
            return None;
        }
        let mut promoted = before.promoted;
        if promotion.promoted != promoted {
            let count = promoted_here + u8::from(fate == Fate::Promoted);
            for (kind, promoted) in promoted.iter_mut().enumerate() {
                let here = count.min(promotion.capacity[kind][file]);
                *promoted = (*promoted + here).min(promotion.promoted[kind]);
            }
        }
        Some(Tally { onward, back, captures, losses, promoted })
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
    fn new(view: &SideView, limits: SideLimits) -> Side {
        let files: [u8; 8] = std::array::from_fn(|file| (view.pawns() & on_file(file)).count() as u8);
        let all: u8 = files.iter().sum();
        let (mut pawns_ahead, mut crossed) = (0, 0);
        let mut ahead = [(0, 0); 8];
        for file in (0..8).rev() {
            pawns_ahead += files[file];
            ahead[file] = (pawns_ahead, crossed);
            // Pawns moved between this file and the previous one if one part has more pawns than
            // began there.
            let (began_ahead, began_before) = (8 - file as u8, file as u8);
            crossed += pawns_ahead.saturating_sub(began_ahead).max((all - pawns_ahead).saturating_sub(began_before));
        }
        Side { limits, files, ahead }
    }
}

const fn on_file(file: usize) -> Bitboard {
    Bitboard(0x0101_0101_0101_0101 << file)
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
            return tallies.iter().zip(&flow.sides).all(|(tally, side)| tally.promoted == side.limits.promotion.promoted);
        }
        if !flow.can_continue(file, tallies) || self.failed.contains(&(file as u8, tallies)) {
            return false;
        }
        let max = [0, 1].map(|side| {
            let Tally { captures, onward, .. } = tallies[side];
            if file == 7 { 0 } else { flow.sides[side].limits.captures - captures - onward }
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
                    after.iter().zip(&flow.sides).all(|(tally, side)| tally.captures + tally.onward <= side.limits.captures);
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

    use super::{
        super::{HomeRank, promoted_kinds::PromotedKind, side_limits::Losses},
        *,
    };

    /// Whether no captures explain the board with these promoted pieces.
    fn impossible(placement: &str, promoted: [&[(PromotedKind, u8)]; 2]) -> bool {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("it is a board");
        let [white, black] =
            [Color::White, Color::Black].map(|color| SideView::new(&board, Bitboard::EMPTY, color, Some(HomeRank::STANDARD)));
        let losses = |view: &SideView, promoted: &[(PromotedKind, u8)]| {
            let mut by_kind = ByKind::default();
            promoted.iter().for_each(|(kind, count)| by_kind[*kind as usize] = *count);
            Losses { missing: 16 - view.count(), captured_at_home: 0, promoted: by_kind }
        };
        let (own, other) = ((&white, losses(&white, promoted[0])), (&black, losses(&black, promoted[1])));
        let flow = PawnCaptureFlow::new([&white, &black], [SideLimits::new(own, other), SideLimits::new(other, own)]);
        flow.reachability() == Reachability::Impossible
    }

    #[test]
    fn pawns_that_need_no_captures() {
        assert!(!impossible("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", [&[], &[]]));
        assert!(!impossible("4k3/8/2P5/8/8/3P4/PP1PPP1P/4K3", [&[], &[]]));
    }

    #[test]
    fn captures_let_pawns_pass() {
        // The h-pawn captured the knight on g7 and went on to g8. No second pawn can have passed.
        assert!(!impossible("rnbqkb1r/pppppp1p/6p1/8/8/2N5/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::Knight, 1)], &[]]));
        assert!(impossible("rnbqkb1r/pppppp1p/6p1/8/8/2N2N2/PPPPPP2/RNBQKBNR", [&[(PromotedKind::Knight, 2)], &[]]));
        // It captured the g-pawn, so White's g-pawn and Black's h-pawn are free as well, but no
        // other.
        assert!(!impossible(
            "rnbqkbnr/pppppp2/5n2/8/8/2N2N2/PPPPPP2/RNBQKBNR",
            [&[(PromotedKind::Knight, 2)], &[(PromotedKind::Knight, 1)]]
        ));
        assert!(impossible(
            "rnbqkbnr/pppppp2/5n2/8/8/2N1NN2/PPPPP3/RNBQKBNR",
            [&[(PromotedKind::Knight, 3)], &[(PromotedKind::Knight, 1)]]
        ));
    }

    #[test]
    fn no_promotion_behind_three_unmoved_pawns() {
        assert!(impossible("rnbqkb1r/pppppppp/8/8/8/2N5/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::Knight, 1)], &[]]));
    }

    #[test]
    fn bishops_are_promoted_on_squares_of_their_colour() {
        // The h-pawn reaches g8, which is light.
        assert!(!impossible("rnbqkb1r/ppppp2p/5pp1/8/8/3B4/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::LightBishop, 1)], &[]]));
        assert!(impossible("rnbqkb1r/ppppp2p/5pp1/8/8/4B3/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::DarkBishop, 1)], &[]]));
        // The same for Black, whose h-pawn reaches g1, which is dark.
        assert!(!impossible("rnbqkbnr/ppppppp1/3b4/8/8/5PP1/PPPPP2P/RNBQKB1R", [&[], &[(PromotedKind::DarkBishop, 1)]]));
        assert!(impossible("rnbqkbnr/ppppppp1/4b3/8/8/5PP1/PPPPP2P/RNBQKB1R", [&[], &[(PromotedKind::LightBishop, 1)]]));
    }

    #[test]
    fn promoted_pieces_have_left_their_promotion_squares() {
        // The pawns on f7 and h7 lock in a bishop on g8. A knight jumps.
        assert!(impossible("rnbqkb1r/pppppp1p/6p1/8/8/3B4/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::LightBishop, 1)], &[]]));
        assert!(!impossible("rnbqkb1r/pppppp1p/6p1/8/8/3N4/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::Knight, 1)], &[]]));
        assert!(!impossible("rnbqkbBr/pppppp1p/6p1/8/8/8/PPPPPPP1/RNBQKBNR", [&[(PromotedKind::LightBishop, 1)], &[]]));
    }

    #[test]
    fn pawns_that_have_passed_each_other_have_captured() {
        // On each file the white pawn is above the black one: two captures for each pair of files.
        assert!(impossible("rnbqkbnr/8/8/PPPPPPPP/pppppppp/8/8/RNBQKBN1", [&[], &[]]));
        // Eight captures on each side.
        assert!(!impossible("4k3/8/8/PPPPPPPP/pppppppp/8/8/4K3", [&[], &[]]));
    }
}
