//! How the position can have come about: pawn structure, cages, tempo. Each side is looked at as if it were White.
//!
//! What is shown here is enough, never needed: pawns that need no capture, men whose way out is open. A closer look is left to the rules.

use shakmaty::{Bitboard, Color, Rank};

use super::{Position, material::Seen};
use crate::chess::{Pieces, retro::Structure};

const DARK: u64 = 0xAA55_AA55_AA55_AA55;
/// The home squares of rooks.
const CORNERS: u64 = 0x81;
const A_FILE: u64 = 0x0101_0101_0101_0101;
/// Files of a rank, a bit each, the a-file the lowest.
const ALL_FILES: u8 = 0xFF;
const C: u8 = 1 << 2;
const D: u8 = 1 << 3;
const E: u8 = 1 << 4;
const F: u8 = 1 << 5;

/// One side's men, its own back rank first.
#[derive(Clone, Copy, Debug)]
struct Side {
    pawns: u64,
    bishops: u64,
    rooks: u64,
    queens: u64,
    king: u64,
    /// Bit 0 for castling on the side of the h-file, bit 1 for the other.
    rights: u8,
}

impl Side {
    fn of(position: &Position, color: Color) -> Side {
        let men = &position.men;
        let own = men.of(color).0;
        let turned = |men: u64| if color.is_white() { own & men } else { (own & men).swap_bytes() };
        Side {
            pawns: turned(men.pawns.0),
            bishops: turned(men.bishops.0),
            rooks: turned(men.rooks.0),
            queens: turned(men.queens.0),
            king: turned(men.kings.0),
            rights: if color.is_white() { position.rights & 3 } else { position.rights >> 2 },
        }
    }

    /// The files whose pawn has not moved.
    fn unmoved(&self) -> u8 {
        (self.pawns >> 8) as u8
    }

    /// The home bishops that two unmoved pawns have kept at home.
    fn locked_bishops(&self) -> u8 {
        self.locks() & self.bishops as u8
    }

    /// The homes of bishops that two unmoved pawns lock.
    fn locks(&self) -> u8 {
        let neighbours = self.unmoved() << 1 & self.unmoved() >> 1;
        neighbours & (C | F)
    }

    /// The squares of the back rank that nobody passes.
    fn blocked(&self) -> u8 {
        self.locked_bishops() | if self.rights == 0 { 0 } else { E }
    }
}

/// The files next to those given.
const fn beside(files: u8) -> u8 {
    files << 1 | files >> 1
}

/// How the pawns can have come to where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pawns {
    /// Each along a file of its own, past nobody, and none was promoted.
    Ahead,
    /// By captures.
    Sideways,
    /// In a way that is not easily seen.
    Somehow,
}

impl Pawns {
    /// The pawns of `color` that can have stood a rank further back, though not at home, with nothing more to explain: they stand ahead of
    /// no other of their own on a file, so that nobody asks how far they have come.
    #[inline(always)]
    pub fn unhurried(self, men: &Pieces, color: Color) -> Bitboard {
        let pawns = men.pawns & men.of(color);
        match self {
            Pawns::Ahead => pawns,
            Pawns::Sideways if color.is_white() => pawns & !Bitboard(above(pawns.0, pawns.0)),
            Pawns::Sideways => pawns & !Bitboard(above(pawns.0.swap_bytes(), pawns.0.swap_bytes()).swap_bytes()),
            Pawns::Somehow => Bitboard::EMPTY,
        }
    }
}

/// Whether it is easily seen that the structure can have come about by moves and captures.
pub(super) fn is_sound(position: &Position, seen: &Seen) -> bool {
    look(position, seen).is_some()
}

/// How the structure can have come about by moves and captures, if that is easily seen.
#[inline(always)]
pub(super) fn look(position: &Position, seen: &Seen) -> Option<Pawns> {
    let (white, black) = (Side::of(position, Color::White), Side::of(position, Color::Black));
    let at_large = is_at_large(&white, &black) & is_at_large(&black, &white);
    // Other arrays have other cages.
    let caged = || !at_large && (!nobody_is_caged(&white, &black) || !nobody_is_caged(&black, &white));
    if !seen.chess960 && caged() {
        return None;
    }
    look_at_pawns(position, &white, &black, seen.promoted)
}

/// The same as the rules see it, which takes longer.
#[cold]
pub(super) fn look_closer(position: &Position, seen: &Seen) -> Option<Pawns> {
    let board = position.men.board()?;
    let is_impossible = |standard_array| Structure::new(&board, seen.unmoved, standard_array).is_impossible();
    (!is_impossible(false) && (seen.chess960 || !is_impossible(true))).then_some(Pawns::Somehow)
}

/// Whose turn it is where only knights and rooks of the standard array can have moved.
pub(super) fn turn_by_tempo(men: &Pieces) -> Option<Color> {
    Structure::new(&men.board()?, Bitboard::EMPTY, true).turn_by_tempo()
}

/// Whether all men are on the board and all pawns at home: then tempo and clock have something to say.
#[inline(always)]
pub(super) fn is_untouched(men: &Pieces) -> bool {
    let (second, seventh) = (Bitboard::from_rank(Rank::Second), Bitboard::from_rank(Rank::Seventh));
    second.is_subset(men.pawns & men.white)
        && seventh.is_subset(men.pawns & men.black)
        && men.count(Color::White) + men.count(Color::Black) == 32
}

/// Whether there are no cages to speak of for `own`: nobody may castle, no home of a bishop is locked, a pawn has moved, and nobody is
/// where there are few ways to.
#[inline(always)]
fn is_at_large(own: &Side, other: &Side) -> bool {
    let guarded = other.unmoved();
    let on_far_rank = own.bishops | (own.rooks | own.queens) & u64::from(guarded) << 56;
    let king = if guarded == 0 { 0 } else { own.king >> 48 };
    let somewhere = on_far_rank >> 56 | own.bishops & u64::from(!(C | F)) | king | u64::from(own.locks() | own.rights);
    (somewhere == 0) & (own.unmoved() != ALL_FILES)
}

/// Whether every man of `own` can have come from its home to where it stands.
#[inline(always)]
fn nobody_is_caged(own: &Side, other: &Side) -> bool {
    let (gaps, far_gaps) = (!own.unmoved(), !other.unmoved());
    let locks = own.locks();
    // Dark bishops come from c1, light ones from f1.
    let wandered = own.bishops & !u64::from(locks);
    let dark = if locks & C == 0 { 0 } else { DARK };
    let light = if locks & F == 0 { 0 } else { !DARK };
    let at_home = C | F;
    let (near, far) = (own.bishops as u8 & !at_home, (own.bishops >> 56) as u8);
    if wandered & (dark | light) != 0 || near & !beside(gaps) != 0 || far & !beside(far_gaps) != 0 {
        return false;
    }
    // Into the other camp by an open file; or along its back rank, where nothing blocks that.
    let far_corridor = if other.blocked() == 0 && far_gaps != 0 { ALL_FILES } else { far_gaps };
    let (rooks, queens) = ((own.rooks >> 56) as u8, (own.queens >> 56) as u8);
    if rooks & !far_corridor != 0 || queens & !(far_corridor | beside(far_gaps)) != 0 {
        return false;
    }
    if own.king >> 48 != 0 && other.unmoved() != 0 && !king_gets_past(own, other) {
        return false;
    }
    // One branch for the two common cases; neither can be foretold. Nothing blocks the back rank, and where somebody has left it a pawn
    // has moved.
    let unless = |open: bool| u64::from(open).wrapping_sub(1);
    let shut_in = u64::from(own.blocked()) | ((own.rooks | own.queens | own.king) >> 8 & unless(gaps != 0));
    // King and rooks at home, the queen too, or with a way out right before it.
    let astray = (own.rooks & !CORNERS)
        | (own.king ^ u64::from(E))
        | u64::from(own.queens as u8 & !D)
        | (own.queens >> 8 & unless(gaps & (C | D | E) != 0));
    shut_in.min(astray) == 0 || nobody_is_caged_behind(own, gaps)
}

/// Whether the king of `own`, once it is out, can have come past the other's unmoved pawns and the squares that they guard.
#[inline(never)]
fn king_gets_past(own: &Side, other: &Side) -> bool {
    let castling = if other.rights == 0 { 0 } else { E | CORNERS as u8 };
    let behind = other.locked_bishops() | castling;
    let shut = u64::from(beside(other.unmoved())) << 40 | u64::from(other.unmoved()) << 48 | u64::from(behind) << 56;
    let (mut reached, mut before) = (0xFF << 40 & !shut, 0);
    while reached != before {
        before = reached;
        let row = reached | (reached & !A_FILE) >> 1 | (reached & !(A_FILE << 7)) << 1;
        reached = (row | row << 8 | row >> 8) & !shut & !0 << 40;
    }
    own.king & reached != 0
}

/// The same for rooks, queens and king where something blocks their back rank.
fn nobody_is_caged_behind(own: &Side, gaps: u8) -> bool {
    let blocked = own.blocked();
    if blocked == 0 {
        // Somebody is out although no pawn has moved.
        return false;
    }
    let left = blocked & blocked.wrapping_neg();
    let left = left.wrapping_sub(1);
    let right = !(ALL_FILES >> blocked.leading_zeros());
    // One rook at most comes from each corner.
    let near = own.rooks as u8;
    let (in_left, in_right) = (near & left, near & right);
    let several = |men: u8| men & men.wrapping_sub(1) != 0;
    if near & !(left | right) != 0 || several(in_left) || several(in_right) {
        return false;
    }
    let out = |corner: u8, rooks: u8, right: u8| u32::from(gaps & corner != 0 && rooks == 0 && own.rights & right == 0);
    let rooks_beyond = own.rooks >> 8;
    if rooks_beyond.count_ones() > out(left, in_left, 2) + out(right, in_right, 1) {
        return false;
    }
    // The queen's part of the back rank, and the king's: up to what blocks it.
    let part = |home: u8| {
        let (below, above) = (blocked & (home - 1), blocked & !(home | (home - 1)));
        let low = ALL_FILES.checked_shl(8 - below.leading_zeros()).unwrap_or(0);
        let high = (above & above.wrapping_neg()).wrapping_sub(1);
        if blocked & home == 0 { low & high } else { home }
    };
    let fits = |man: u64, home: u8| {
        let part = part(home);
        let exits = gaps & (part | beside(part));
        let near = man as u8 & !part;
        (man >> 8 == 0 || exits != 0) && (near == 0 || (exits != 0 && near & !(gaps | beside(gaps)) == 0))
    };
    fits(own.queens, D) && fits(own.king, E)
}

/// Files on which a pawn has another of `others` on a rank below it.
fn above(pawns: u64, others: u64) -> u64 {
    let mut below = others << 8;
    below |= below << 8;
    below |= below << 16;
    below |= below << 32;
    pawns & below
}

/// Whether the pawns can have come to where they stand, and the promoted men have been promoted.
#[inline(always)]
fn look_at_pawns(position: &Position, white: &Side, black: &Side, promoted: bool) -> Option<Pawns> {
    let turned = black.pawns.swap_bytes();
    // Nobody needs a capture: no doubled pawns, and none that has passed another on its file.
    let doubled = above(white.pawns, white.pawns) | above(black.pawns, black.pawns);
    let passed = above(white.pawns, turned);
    if doubled | passed == 0 && !promoted {
        return Some(Pawns::Ahead);
    }
    captures_suffice(position, white, black, promoted).then_some(Pawns::Sideways)
}

/// Whether there are captures enough for doubled pawns, pawns that have passed each other, and promotions.
#[inline(always)]
fn captures_suffice(position: &Position, white: &Side, black: &Side, promoted: bool) -> bool {
    let turned = black.pawns.swap_bytes();
    let missing = |color: Color| 16 - position.men.count(color).min(16);
    // Pawns without an opponent ahead, and promotions, are eight at most: so many captures make room for all of them.
    let captures = missing(Color::White) + missing(Color::Black);
    let opposed = files_of(above(turned, white.pawns)).count_ones();
    let room = |own: Color, other: Color| position.men.pawn_count(own) <= opposed + 8 - position.men.pawn_count(other) + captures;
    if captures < 8 && (promoted || !room(Color::White, Color::Black) || !room(Color::Black, Color::White)) {
        return false;
    }
    let (Some(mut from_white), Some(mut from_black)) = (Origins::of(white.pawns), Origins::of(black.pawns)) else { return false };
    // Pawns that came onto their file by a capture can have come in front of the others.
    let last = |pawns: u64| pawns & !above(pawns, pawns);
    let passed = files_of(above(last(white.pawns), last(black.pawns).swap_bytes()));
    let mut pieces = pieces_to_pass(passed, &mut from_white, &mut from_black);
    if !promoted {
        pieces[0] += from_white.pieces_to_take(&mut from_black);
        pieces[1] += from_black.pieces_to_take(&mut from_white);
    } else {
        // Pawns that are missing may have become men.
        pieces[0] += from_white.captures();
        pieces[1] += from_black.captures();
    }
    let spare = |color: Color| 8u32.saturating_sub(position.men.count(color) - position.men.pawn_count(color));
    let captured_at_home = |side: &Side| (side.locks() & !(side.bishops as u8)).count_ones();
    pieces[0] + captured_at_home(black) <= spare(Color::Black) && pieces[1] + captured_at_home(white) <= spare(Color::White)
}

/// The files on which there are any.
fn files_of(pawns: u64) -> u8 {
    let pawns = pawns | pawns >> 32;
    let pawns = pawns | pawns >> 16;
    (pawns | pawns >> 8) as u8
}

/// Where the pawns of a side can have come from: those on files of their own from there, doubled ones from the nearest file that has none.
#[derive(Clone, Copy, Debug)]
struct Origins {
    /// The files whose pawn is missing.
    left: u8,
    /// For each of the doubled pawns the files onto which somebody captured to bring it, or others in its stead, there.
    ways: [u8; 4],
    doubled: usize,
}

impl Origins {
    /// `None` where it takes a closer look.
    #[inline(always)]
    fn of(pawns: u64) -> Option<Origins> {
        let mut origins = Origins { left: !files_of(pawns), ways: [0; 4], doubled: 0 };
        let mut doubled = above(pawns, pawns);
        while doubled != 0 {
            let (file, rank) = (doubled.trailing_zeros() % 8, doubled.trailing_zeros() / 8);
            doubled &= doubled - 1;
            let (distance, origin) = (1..rank.min(8)).find_map(|distance| {
                let sides = ((1u16 << file << distance) | ((1u16 << file) >> distance)) as u8 & origins.left;
                (sides != 0).then_some((distance, sides & sides.wrapping_neg()))
            })?;
            origins.left &= !origin;
            let other = origin.trailing_zeros();
            // From the pawn's file up to the one before its origin.
            let first = if other > file { file } else { other + 1 };
            *origins.ways.get_mut(origins.doubled)? = (((1u16 << distance) - 1) << first) as u8;
            origins.doubled += 1;
        }
        Some(origins)
    }

    /// How many captures there were.
    fn captures(&self) -> u32 {
        self.ways.iter().map(|way| way.count_ones()).sum()
    }

    /// How many of the captures took pieces: on a file whose pawn the other side misses, that pawn was taken.
    fn pieces_to_take(&self, other: &mut Origins) -> u32 {
        let mut pieces = 0;
        for way in self.ways {
            let pawns = way & other.left;
            other.left &= !pawns;
            pieces += (way ^ pawns).count_ones();
        }
        pieces
    }
}

/// How many pieces each side has to take for pawns to have passed each other on the files `passed`. On files that both have left, next to
/// such a one, pawns took each other and then stood where the other had been; otherwise one of them came from the side.
fn pieces_to_pass(mut passed: u8, white: &mut Origins, black: &mut Origins) -> [u32; 2] {
    let mut pieces = [0; 2];
    while passed != 0 {
        let file = passed & passed.wrapping_neg();
        passed &= passed - 1;
        let sides = beside(file);
        let first = |files: u8| files & files.wrapping_neg();
        let (both, one, other) = (sides & white.left & black.left, sides & white.left, sides & black.left);
        if both != 0 {
            white.left &= !first(both);
            black.left &= !first(both);
        } else if one != 0 {
            white.left &= !first(one);
            pieces[0] += 1;
        } else if other != 0 {
            black.left &= !first(other);
            pieces[1] += 1;
        } else {
            // A pawn leaves its file and comes back.
            pieces = pieces.map(|count| count + 2);
        }
    }
    pieces
}
