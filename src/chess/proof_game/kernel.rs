//! Whether the pawns of both sides can still come home, seen file by file.
//!
//! On a file with its two pawns at home, neither passes the other: a pawn passes only by a capture.
//! So many promoted pieces need captures by pawns, and captures are few. This is a proof kernel as
//! in Peter Österlund's Texel, searched backwards: the pawns of each file in their order, without
//! ranks. The moves are
//!
//! * a capture that is taken back: a pawn goes to a neighbouring file, anywhere among its pawns. A
//!   piece, a pawn or a promoted piece of the other side appears where it came from;
//! * a promotion that is taken back: a pawn appears at the far end of a file. A promoted bishop
//!   needs a file of its colour.
//!
//! Only pieces beyond those of the starting position count as promoted. A position may be refused
//! although another piece is a promoted pawn, so this guides the search, and proves nothing.

use rustc_hash::{FxHashMap, FxHashSet};
use shakmaty::{Bitboard, Board, Color, File, Rank};

/// Nodes of a search. If they do not suffice, the pawns count as able to come home.
const MAX_NODES: u32 = 4000;

/// Maximum number of kernels that are remembered, of 64 bytes each. Then all are forgotten.
const MAX_KEPT: usize = 200_000;

/// The pawns of a file, from White's side of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Stack {
    /// A bit is set for each black pawn.
    black: u16,
    /// A bit is set for each pawn that has not moved.
    unmoved: u16,
    len: u8,
}

impl Stack {
    fn is_black(self, at: u8) -> bool {
        self.black >> at & 1 != 0
    }

    fn is_unmoved(self, at: u8) -> bool {
        self.unmoved >> at & 1 != 0
    }

    fn insert(&mut self, at: u8, is_black: bool) {
        let below = (1u16 << at) - 1;
        self.black = (self.black & below) | (self.black & !below) << 1 | u16::from(is_black) << at;
        self.unmoved = (self.unmoved & below) | (self.unmoved & !below) << 1;
        self.len += 1;
    }

    fn remove(&mut self, at: u8) {
        let below = (1u16 << at) - 1;
        self.black = (self.black & below) | (self.black >> 1 & !below);
        self.unmoved = (self.unmoved & below) | (self.unmoved >> 1 & !below);
        self.len -= 1;
    }

    /// Number of white and black pawns.
    fn counts(self) -> [i32; 2] {
        let black = self.black.count_ones() as i32;
        [i32::from(self.len) - black, black]
    }

    /// Whether a white pawn is below a black one, as at home.
    fn is_in_order(self) -> bool {
        let white = !self.black & ((1 << self.len) - 1);
        white != 0 && u32::from(self.black).checked_ilog2().is_some_and(|black| white.trailing_zeros() < black)
    }

    /// Whether a pawn may be inserted there: not behind one that has not moved.
    fn is_open(self, at: u8) -> bool {
        (0..self.len).all(|other| !self.is_unmoved(other) || if self.is_black(other) { at <= other } else { at > other })
    }
}

/// Promoted pieces, by the files where that can have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promoted {
    Anywhere,
    /// On the files a, c, e, g.
    OnEvenFiles,
    /// On the files b, d, f, h.
    OnOddFiles,
}

impl Promoted {
    const ALL: [Promoted; 3] = [Promoted::Anywhere, Promoted::OnEvenFiles, Promoted::OnOddFiles];

    fn is_possible(self, file: usize) -> bool {
        match self {
            Promoted::Anywhere => true,
            Promoted::OnEvenFiles => file.is_multiple_of(2),
            Promoted::OnOddFiles => !file.is_multiple_of(2),
        }
    }
}

/// The pawns of a position and what is missing. Arrays are for White and Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kernel {
    files: [Stack; 8],
    /// By [`Promoted`].
    promoted: [[i8; 3]; 2],
    /// Pieces and pawns that were captured.
    missing: [i8; 2],
    /// Pawns among them, also promoted ones.
    missing_pawns: [i8; 2],
}

impl Kernel {
    fn of(board: &Board) -> Kernel {
        let mut files = [Stack::default(); 8];
        for (stack, file) in files.iter_mut().zip(File::ALL) {
            for square in board.pawns() & Bitboard::from_file(file) {
                let is_black = board.by_color(Color::Black).contains(square);
                let home = if is_black { Rank::Seventh } else { Rank::Second };
                stack.unmoved |= u16::from(square.rank() == home) << stack.len;
                stack.black |= u16::from(is_black) << stack.len;
                stack.len += 1;
            }
        }
        let promoted = Color::ALL.map(|color| {
            let own = board.by_color(color);
            let beyond = |kind: Bitboard, start: usize| (own & kind).count().saturating_sub(start) as i8;
            let dark = beyond(board.bishops() & Bitboard::DARK_SQUARES, 1);
            let light = beyond(board.bishops() & Bitboard::LIGHT_SQUARES, 1);
            // a8 is light, and a1 is dark.
            let (even, odd) = color.fold_wb((light, dark), (dark, light));
            [beyond(board.knights(), 2) + beyond(board.rooks(), 2) + beyond(board.queens(), 1), even, odd]
        });
        let units = Color::ALL.map(|color| board.by_color(color).count() as i8);
        let pawns = Color::ALL.map(|color| board.by_piece(color.pawn()).count() as i8);
        let missing_pawns = [0, 1].map(|side| 8 - pawns[side] - promoted[side].iter().sum::<i8>());
        Kernel { files, promoted, missing: units.map(|units| 16 - units), missing_pawns }
    }

    /// A lower bound of captures by pawns. Each file has its two pawns at the end: of those on the
    /// board, at most as many pairs are in order as there are files, and a capture brings only one
    /// pair in order.
    fn needed(&self) -> i32 {
        let mut needed = self.promoted_units() - 8;
        let mut surplus = 0;
        for stack in &self.files {
            needed += i32::from(stack.len) - i32::from(stack.is_in_order());
            surplus += stack.counts().into_iter().map(|count| (count - 1).max(0)).sum::<i32>();
        }
        needed.max(surplus)
    }

    fn promoted_units(&self) -> i32 {
        self.promoted.as_flattened().iter().map(|count| i32::from(*count)).sum()
    }

    /// Captures that are left for pawns, beyond those that are needed.
    fn slack(&self) -> i32 {
        i32::from(self.missing[0] + self.missing[1]) - self.needed()
    }

    /// Whether no capture by a pawn is needed any more.
    fn is_home(&self) -> bool {
        let mut empty = [0, 0];
        for (file, stack) in self.files.iter().enumerate() {
            let counts = stack.counts();
            if counts.into_iter().any(|count| count > 1) || (counts == [1, 1] && !stack.is_in_order()) {
                return false;
            }
            empty[file % 2] += i8::from(stack.len == 0);
        }
        let of = |kind: Promoted| self.promoted[0][kind as usize] + self.promoted[1][kind as usize];
        of(Promoted::OnEvenFiles) <= empty[0]
            && of(Promoted::OnOddFiles) <= empty[1]
            && self.promoted_units() <= i32::from(empty[0] + empty[1])
    }

    /// Calls back with every kernel before this one.
    fn for_each_before(&self, found: &mut impl FnMut(Kernel)) {
        for side in 0..2 {
            for kind in Promoted::ALL {
                if self.promoted[side][kind as usize] == 0 {
                    continue;
                }
                for file in (0..8).filter(|file| kind.is_possible(*file)) {
                    let mut before = *self;
                    before.promoted[side][kind as usize] -= 1;
                    if self.files[file].len == 0 {
                        let mut stays = before;
                        stays.files[file].insert(0, side == 1);
                        found(stays);
                    }
                    let far_end = if side == 0 { self.files[file].len } else { 0 };
                    before.for_each_capture(side, file, far_end, found);
                }
            }
            for file in 0..8 {
                let stack = self.files[file];
                for at in (0..stack.len).filter(|at| stack.is_black(*at) == (side == 1) && !stack.is_unmoved(*at)) {
                    let mut before = *self;
                    before.files[file].remove(at);
                    before.for_each_capture(side, file, at, found);
                }
            }
        }
    }

    /// Calls back with every kernel in which a pawn of a side is on a neighbouring file and will
    /// capture what was at a place. Here the pawn is nowhere.
    fn for_each_capture(&self, side: usize, file: usize, at: u8, found: &mut impl FnMut(Kernel)) {
        let other = 1 - side;
        if self.missing[other] == 0 {
            return;
        }
        for next in [file.wrapping_sub(1), file + 1].into_iter().filter(|next| *next < 8) {
            for to in (0..=self.files[next].len).filter(|to| self.files[next].is_open(*to)) {
                let mut before = *self;
                before.files[next].insert(to, side == 1);
                before.missing[other] -= 1;
                if self.missing[other] > self.missing_pawns[other] {
                    found(before);
                }
                if self.missing_pawns[other] > 0 {
                    before.missing_pawns[other] -= 1;
                    let mut promoted = before;
                    promoted.promoted[other][Promoted::Anywhere as usize] += 1;
                    found(promoted);
                    before.files[file].insert(at, other == 1);
                    found(before);
                }
            }
        }
    }

    /// Whether the pawns can come home. `None` if too many nodes are needed to say so. `failed` has
    /// kernels of which they cannot.
    fn can_come_home(&self, failed: &mut FxHashSet<Kernel>, nodes: &mut u32) -> Option<bool> {
        if self.is_home() {
            return Some(true);
        }
        if self.slack() < 0 || failed.contains(self) {
            return Some(false);
        }
        *nodes += 1;
        if *nodes > MAX_NODES {
            return None;
        }
        let mut before = Vec::new();
        self.for_each_before(&mut |kernel| {
            let slack = kernel.slack();
            if slack >= 0 {
                before.push((slack, kernel));
            }
        });
        before.sort_by_key(|(slack, _)| -slack);
        for (_, kernel) in before {
            match kernel.can_come_home(failed, nodes) {
                Some(false) => {}
                answer => return answer,
            }
        }
        failed.insert(*self);
        Some(false)
    }
}

/// A lower bound of captures by pawns.
pub fn needed_captures(board: &Board) -> i32 {
    Kernel::of(board).needed()
}

/// What is known of pawns.
#[derive(Default)]
pub struct KnownKernels {
    known: FxHashMap<Kernel, bool>,
    failed: FxHashSet<Kernel>,
}

impl KnownKernels {
    /// Whether the pawns of a position can come home, as far as a search shows it.
    pub fn can_come_home(&mut self, board: &Board) -> bool {
        let kernel = Kernel::of(board);
        if let Some(known) = self.known.get(&kernel) {
            return *known;
        }
        if self.known.len().max(self.failed.len()) > MAX_KEPT {
            self.known.clear();
            self.failed.clear();
        }
        let can = kernel.can_come_home(&mut self.failed, &mut 0) != Some(false);
        self.known.insert(kernel, can);
        can
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    fn can_come_home(placement: &str) -> bool {
        let fen: Fen = format!("{placement} w - -").parse().expect(placement);
        KnownKernels::default().can_come_home(&fen.into_setup().board)
    }

    #[test]
    fn pawns_pass_by_captures() {
        for (placement, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
            // The pawns on the e-file have passed each other, and must have left it and returned.
            ("rnbqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR", false),
            ("rnbqkb1r/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR", false),
            ("rnbqkb2/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR", true),
            // One of them has only left it.
            ("rnbqkb1r/pppp1ppp/8/3P4/4p3/8/PPPP1PPP/RNBQKBNR", true),
            // Pawns that change places take two captures.
            ("rnbqkb1r/ppp2ppp/8/3PP3/3pp3/8/PPP2PPP/RNBQKBNR", false),
            ("r1bqkb1r/ppp2ppp/8/3PP3/3pp3/8/PPP2PPP/RNBQKBNR", true),
            // A promoted queen whose file is free, and one whose file is not.
            ("rnbqkbnr/1ppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR", true),
            ("rnbqkbnr/1ppppppp/8/8/8/Q7/1PPPPPPP/RNBQKBNR", true),
            ("rnbqkbnr/pppppppp/8/8/8/Q7/1PPPPPPP/RNBQKBNR", false),
            // A promoted bishop whose file has the wrong colour.
            ("rnbqkbnr/1ppppppp/8/8/8/3B4/1PPPPPPP/RNBQKBNR", true),
            ("rnbqkbnr/1ppppppp/8/8/3B4/8/1PPPPPPP/RNBQKBNR", false),
        ] {
            assert_eq!(can_come_home(placement), expected, "{placement}");
        }
    }
}
