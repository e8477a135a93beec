//! Whether the position can have arisen: pawn structure, cages, tempo. Each side is seen as if it
//! were White.
//!
//! The tests here are sufficient, but not necessary: pawns that need no captures, pieces whose way
//! out is open. The rules examine the rest.

use shakmaty::{Bitboard, Color, Rank};

use super::{
    material::{BoardView, has_surplus},
    position::Position,
};
use crate::chess::{
    Pieces,
    retro::{ANY_START, Reachability, STANDARD_START, Structure},
};

const DARK: u64 = 0xAA55_AA55_AA55_AA55;
/// The home squares of the rooks.
const CORNERS: u64 = 0x81;
const A_FILE: u64 = 0x0101_0101_0101_0101;
/// All files of a rank, one bit each, the a-file lowest.
const ALL_FILES: u8 = 0xFF;
const C: u8 = 1 << 2;
const D: u8 = 1 << 3;
const E: u8 = 1 << 4;
const F: u8 = 1 << 5;

/// One side's pieces, own back rank first.
#[derive(Clone, Copy, Debug)]
struct Side {
    pawns: u64,
    bishops: u64,
    rooks: u64,
    queens: u64,
    king: u64,
    /// Bit 0 for kingside castling, bit 1 for queenside castling.
    rights: u8,
}

impl Side {
    #[inline]
    fn of(position: &Position, color: Color) -> Side {
        let pieces = &position.pieces;
        let own = pieces.of(color).0;
        let flipped = |pieces: u64| if color.is_white() { own & pieces } else { (own & pieces).swap_bytes() };
        Side {
            pawns: flipped(pieces.pawns.0),
            bishops: flipped(pieces.bishops.0),
            rooks: flipped(pieces.rooks.0),
            queens: flipped(pieces.queens.0),
            king: flipped(pieces.kings.0),
            rights: if color.is_white() { position.rights & 3 } else { position.rights >> 2 },
        }
    }

    /// The files whose pawn has not moved.
    #[inline]
    fn unmoved(&self) -> u8 {
        (self.pawns >> 8) as u8
    }

    /// The bishops at home that are locked in by two unmoved pawns.
    #[inline]
    fn locked_bishops(&self) -> u8 {
        self.locks() & self.bishops as u8
    }

    /// The home squares of bishops that are locked in by two unmoved pawns.
    #[inline]
    fn locks(&self) -> u8 {
        let neighbours = self.unmoved() << 1 & self.unmoved() >> 1;
        neighbours & (C | F)
    }

    /// Whether a piece other than a knight has left the back rank, although no pawn has moved.
    #[inline]
    fn has_left_locked_rank(&self) -> bool {
        self.unmoved() == ALL_FILES && (self.bishops | self.rooks | self.queens | self.king) >> 8 != 0
    }

    /// The squares of the back rank that no piece can cross.
    #[inline]
    fn blocked(&self) -> u8 {
        self.locked_bishops() | if self.rights == 0 { 0 } else { E }
    }
}

/// The files next to the given ones.
const fn next_to(files: u8) -> u8 {
    files << 1 | files >> 1
}

/// How the pawns can have reached their squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PawnOrigin {
    /// All on files of their own, without passing each other and without promotions.
    SameFile,
    /// With captures.
    ByCapture,
    /// In a way that only the rules can see.
    Unknown,
}

impl PawnOrigin {
    /// The pawns of `color` that can be moved back a rank, except to their home squares, with
    /// nothing more to explain: none of them is in front of another pawn of its side.
    #[inline(always)]
    pub fn retractable(self, pieces: &Pieces, color: Color) -> Bitboard {
        let pawns = pieces.pawns & pieces.of(color);
        match self {
            PawnOrigin::SameFile => pawns,
            PawnOrigin::ByCapture if color.is_white() => pawns & !Bitboard(above(pawns.0, pawns.0)),
            PawnOrigin::ByCapture => pawns & !Bitboard(above(pawns.0.swap_bytes(), pawns.0.swap_bytes()).swap_bytes()),
            PawnOrigin::Unknown => Bitboard::EMPTY,
        }
    }
}

/// Whether simple tests show that the structure is possible.
#[inline]
pub(crate) fn is_sound(position: &Position, view: &BoardView) -> bool {
    simple_origin(position, view).is_some()
}

/// How the structure can have arisen, if simple tests show it.
#[inline(always)]
pub(crate) fn simple_origin(position: &Position, view: &BoardView) -> Option<PawnOrigin> {
    let (white, black) = (Side::of(position, Color::White), Side::of(position, Color::Black));
    let caged = if view.chess960 {
        // Other starting positions have other cages, except for eight unmoved pawns.
        white.has_left_locked_rank() || black.has_left_locked_rank()
    } else {
        let no_cages = position.rights == 0 && has_no_cages(&white, &black) & has_no_cages(&black, &white);
        !no_cages && (!no_piece_is_caged(&white, &black) || !no_piece_is_caged(&black, &white))
    };
    if caged {
        return None;
    }
    pawn_origin(position, &white, &black, view)
}

/// The same with the tests of the rules, which take longer.
#[cold]
pub(crate) fn examined_origin(position: &Position, view: &BoardView) -> Option<PawnOrigin> {
    let board = position.pieces.board()?;
    let reachability = |start| Structure::new(&board, view.unmoved, start).reachability();
    // An explanation from the standard starting position is one from any starting position too.
    // What is left open is counted on the thorough path.
    let start = if view.chess960 { &ANY_START } else { &STANDARD_START };
    (reachability(start) == Reachability::Explained).then_some(PawnOrigin::Unknown)
}

/// The side to move, if only knights and rooks of the standard starting position can have moved.
#[inline]
pub(crate) fn turn_by_tempo(pieces: &Pieces) -> Option<Color> {
    Structure::new(&pieces.board()?, Bitboard::EMPTY, &STANDARD_START).turn_by_tempo()
}

/// Whether all pieces are on the board and all pawns at home: then tempo and clock must fit.
#[inline(always)]
pub(crate) fn is_undeveloped(pieces: &Pieces) -> bool {
    let (second, seventh) = (Bitboard::from_rank(Rank::Second), Bitboard::from_rank(Rank::Seventh));
    second.is_subset(pieces.pawns & pieces.white)
        && seventh.is_subset(pieces.pawns & pieces.black)
        && pieces.count(Color::White) + pieces.count(Color::Black) == 32
}

/// Whether `own`, without castling rights, has no relevant cages: no locked bishop home, a moved
/// pawn, and no piece on a square that is hard to reach.
#[inline(always)]
fn has_no_cages(own: &Side, other: &Side) -> bool {
    let unmoved_enemies = other.unmoved();
    let on_far_rank = own.bishops | (own.rooks | own.queens) & u64::from(unmoved_enemies) << 56;
    let king = if unmoved_enemies == 0 { 0 } else { own.king >> 48 };
    let somewhere = on_far_rank >> 56 | own.bishops & u64::from(!(C | F)) | king | u64::from(own.locks());
    (somewhere == 0) & (own.unmoved() != ALL_FILES)
}

/// Whether every piece of `own` can have come from its home.
#[inline(always)]
fn no_piece_is_caged(own: &Side, other: &Side) -> bool {
    let gaps = !own.unmoved();
    let locks = own.locks();
    // Dark-squared bishops come from c1, light-squared ones from f1.
    let moved_bishops = own.bishops & !u64::from(locks);
    let dark = if locks & C == 0 { 0 } else { DARK };
    let light = if locks & F == 0 { 0 } else { !DARK };
    let at_home = C | F;
    let near = own.bishops as u8 & !at_home;
    if moved_bishops & (dark | light) != 0 || near & !next_to(gaps) != 0 {
        return false;
    }
    let outside = (own.bishops | own.rooks | own.queens) >> 56 | own.king >> 48;
    if outside != 0 && !no_piece_is_caged_outside(own, other) {
        return false;
    }
    // One branch for the two common cases, neither of which is predictable: nothing blocks the back
    // rank, and if a piece has left it, a pawn has moved.
    let unless = |open: bool| u64::from(open).wrapping_sub(1);
    let obstacles = u64::from(own.blocked()) | ((own.rooks | own.queens | own.king) >> 8 & unless(gaps != 0));
    // King and rooks are at home. The queen is too, or it has a way out right in front of it.
    let displaced = (own.rooks & !CORNERS)
        | (own.king ^ u64::from(E))
        | u64::from(own.queens as u8 & !D)
        | (own.queens >> 8 & unless(gaps & (C | D | E) != 0));
    obstacles.min(displaced) == 0 || no_piece_is_caged_on_back_rank(own, gaps)
}

/// Whether pieces of `own` on the far back rank, and its king close to that rank, can have come
/// there.
#[inline(always)]
fn no_piece_is_caged_outside(own: &Side, other: &Side) -> bool {
    let far_gaps = !other.unmoved();
    // Through an open file, or along the rank if nothing blocks it.
    let far_corridor = if other.blocked() == 0 && far_gaps != 0 { ALL_FILES } else { far_gaps };
    let (bishops, rooks, queens) = ((own.bishops >> 56) as u8, (own.rooks >> 56) as u8, (own.queens >> 56) as u8);
    bishops & !next_to(far_gaps) == 0
        && rooks & !far_corridor == 0
        && queens & !(far_corridor | next_to(far_gaps)) == 0
        && (own.king >> 48 == 0 || other.unmoved() == 0 || king_gets_past(own, other))
}

/// Whether the king of `own`, once outside, can have passed the enemy's unmoved pawns and the
/// squares that they attack.
#[inline(never)]
fn king_gets_past(own: &Side, other: &Side) -> bool {
    let castling = if other.rights == 0 { 0 } else { E | CORNERS as u8 };
    let back_rank = other.locked_bishops() | castling;
    let shut = u64::from(next_to(other.unmoved())) << 40 | u64::from(other.unmoved()) << 48 | u64::from(back_rank) << 56;
    let (mut reached, mut before) = (0xFF << 40 & !shut, 0);
    while reached != before {
        before = reached;
        let row = reached | (reached & !A_FILE) >> 1 | (reached & !(A_FILE << 7)) << 1;
        reached = (row | row << 8 | row >> 8) & !shut & !0 << 40;
    }
    own.king & reached != 0
}

/// The same for rooks, queens and king if something blocks their back rank.
#[inline]
fn no_piece_is_caged_on_back_rank(own: &Side, gaps: u8) -> bool {
    let blocked = own.blocked();
    if blocked == 0 {
        // A piece is outside although no pawn has moved.
        return false;
    }
    let left = blocked & blocked.wrapping_neg();
    let left = left.wrapping_sub(1);
    let right = !(ALL_FILES >> blocked.leading_zeros());
    // At most one rook comes from each corner.
    let near = own.rooks as u8;
    let (in_left, in_right) = (near & left, near & right);
    let several = |pieces: u8| pieces & pieces.wrapping_sub(1) != 0;
    if near & !(left | right) != 0 || several(in_left) || several(in_right) {
        return false;
    }
    let out = |corner: u8, rooks: u8, right: u8| u32::from(gaps & corner != 0 && rooks == 0 && own.rights & right == 0);
    let rooks_beyond = own.rooks >> 8;
    if rooks_beyond.count_ones() > out(left, in_left, 2) + out(right, in_right, 1) {
        return false;
    }
    // The parts of the back rank that queen and king can reach, up to what blocks it.
    let part = |home: u8| {
        let (below, above) = (blocked & (home - 1), blocked & !(home | (home - 1)));
        let low = ALL_FILES.checked_shl(8 - below.leading_zeros()).unwrap_or(0);
        let high = (above & above.wrapping_neg()).wrapping_sub(1);
        if blocked & home == 0 { low & high } else { home }
    };
    // In a cage, king and queen cannot change places.
    if own.king as u8 & D != 0 && own.queens as u8 & E != 0 {
        return false;
    }
    let fits = |piece: u64, home: u8| {
        let part = part(home);
        let exits = gaps & (part | next_to(part));
        let near = piece as u8 & !part;
        (piece >> 8 == 0 || exits != 0) && (near == 0 || (exits != 0 && near & !(gaps | next_to(gaps)) == 0))
    };
    fits(own.queens, D) && fits(own.king, E)
}

/// The `pawns` that have one of `others` below them on their file.
#[inline]
fn above(pawns: u64, others: u64) -> u64 {
    let mut below = others << 8;
    below |= below << 8;
    below |= below << 16;
    below |= below << 32;
    pawns & below
}

/// Whether the pawns can have reached their squares, and the promoted pieces can have been
/// promoted.
#[inline(always)]
fn pawn_origin(position: &Position, white: &Side, black: &Side, view: &BoardView) -> Option<PawnOrigin> {
    let flipped = black.pawns.swap_bytes();
    // No captures are needed: no doubled pawns, and no pawns that have passed each other on a file.
    let doubled = above(white.pawns, white.pawns) | above(black.pawns, black.pawns);
    let passed = above(white.pawns, flipped);
    if doubled | passed == 0 && !view.promoted {
        return Some(PawnOrigin::SameFile);
    }
    let is_explained = if view.promoted {
        doubled | passed == 0 && has_files_for_queens(&position.pieces, white, black, view.unmoved)
    } else {
        captures_suffice(position, white, black)
    };
    is_explained.then_some(PawnOrigin::ByCapture)
}

/// Whether the only promoted pieces are queens, and there are enough files without pawns for them.
/// No pawn needs a capture.
///
/// Then each queen can have been promoted on a file of its own, where a piece captured the pawn
/// that was in its way. Pieces captured all other missing pawns too. Nothing `unmoved` is in the
/// way on its last rank, or was attacked from the rank before.
#[inline(never)]
fn has_files_for_queens(pieces: &Pieces, white: &Side, black: &Side, unmoved: Bitboard) -> bool {
    let mut others = *pieces;
    others.queens = Bitboard::EMPTY;
    let promoted = |side: &Side| side.queens.count_ones().saturating_sub(1);
    let kings = files_of((unmoved & pieces.kings).0);
    let shut = files_of(unmoved.0) | next_to(kings) | white.locked_bishops() | black.locked_bishops();
    let without_pawns = !(files_of(white.pawns) | files_of(black.pawns) | shut);
    !has_surplus(&others, Color::White)
        && !has_surplus(&others, Color::Black)
        && promoted(white) + promoted(black) <= without_pawns.count_ones()
}

/// Whether there are enough captures for doubled pawns and pawns that have passed each other. No
/// piece is promoted.
///
/// Pawns that capture pieces can arrive anywhere among the pawns of a file, so the order of these
/// captures does not matter.
#[inline(always)]
fn captures_suffice(position: &Position, white: &Side, black: &Side) -> bool {
    let flipped = black.pawns.swap_bytes();
    let missing = |color: Color| 16 - position.pieces.count(color).min(16);
    // There are at most eight unopposed pawns, so eight captures are always enough.
    let captures = missing(Color::White) + missing(Color::Black);
    let opposed = files_of(above(flipped, white.pawns)).count_ones();
    let room =
        |own: Color, other: Color| position.pieces.pawn_count(own) <= opposed + 8 - position.pieces.pawn_count(other) + captures;
    if captures < 8 && !(room(Color::White, Color::Black) && room(Color::Black, Color::White)) {
        return false;
    }
    let (Some(mut from_white), Some(mut from_black)) = (Origins::of(white.pawns), Origins::of(black.pawns)) else { return false };
    // Pawns that reached their file by a capture can have arrived in front of the others.
    let last = |pawns: u64| pawns & !above(pawns, pawns);
    let passed = files_of(above(last(white.pawns), last(black.pawns).swap_bytes()));
    let mut pieces = pieces_captured_in_passing(passed, &mut from_white, &mut from_black);
    pieces[0] += from_white.captured_pieces(&mut from_black);
    pieces[1] += from_black.captured_pieces(&mut from_white);
    let spare = |color: Color| 8u32.saturating_sub(position.pieces.count(color) - position.pieces.pawn_count(color));
    let captured_at_home = |side: &Side| (side.locks() & !(side.bishops as u8)).count_ones();
    pieces[0] + captured_at_home(black) <= spare(Color::Black) && pieces[1] + captured_at_home(white) <= spare(Color::White)
}

/// The files of these pawns, one bit each.
#[inline]
fn files_of(pawns: u64) -> u8 {
    let pawns = pawns | pawns >> 32;
    let pawns = pawns | pawns >> 16;
    (pawns | pawns >> 8) as u8
}

/// The files where pawns began: the first pawn of a file on that file, doubled pawns on the nearest
/// free one.
#[derive(Clone, Copy, Debug)]
struct Origins {
    /// The files whose pawn is missing.
    left: u8,
    /// For each doubled pawn, the files that were entered by a capture for it.
    ways: [u8; 4],
    doubled: usize,
}

impl Origins {
    /// `None` if a closer look is needed.
    ///
    /// A pawn advances with each capture, so a doubled pawn may be too far back to come from the
    /// nearest free file. Then the pawns between that file and its own have each moved one file on
    /// instead, with the same captures.
    #[inline(always)]
    fn of(pawns: u64) -> Option<Origins> {
        let mut origins = Origins { left: !files_of(pawns), ways: [0; 4], doubled: 0 };
        // The files whose pawns have not moved one file on and can have done so.
        let mut may_shift = files_of(pawns) & !((pawns >> 8) as u8);
        let mut doubled = above(pawns, pawns);
        while doubled != 0 {
            let (file, rank) = (doubled.trailing_zeros() % 8, doubled.trailing_zeros() / 8);
            doubled &= doubled - 1;
            let (origin, way) = (1..8).find_map(|distance| {
                let mut sides = ((1u16 << file << distance) | ((1u16 << file) >> distance)) as u8 & origins.left;
                while sides != 0 {
                    let origin = sides & sides.wrapping_neg();
                    sides ^= origin;
                    let other = origin.trailing_zeros();
                    // From the pawn's file up to the one next to its origin.
                    let first = if other > file { file } else { other + 1 };
                    let way = (((1u16 << distance) - 1) << first) as u8;
                    if distance < rank {
                        return Some((origin, way));
                    }
                    let between = way & !(1 << file);
                    if between & !may_shift == 0 {
                        may_shift &= !between;
                        return Some((origin, way));
                    }
                }
                None
            })?;
            origins.left &= !origin;
            *origins.ways.get_mut(origins.doubled)? = way;
            origins.doubled += 1;
        }
        Some(origins)
    }

    /// How many captures took pieces. On a file whose enemy pawn is missing, that pawn was
    /// captured.
    #[inline]
    fn captured_pieces(&self, other: &mut Origins) -> u32 {
        let mut pieces = 0;
        for way in self.ways {
            let pawns = way & other.left;
            other.left &= !pawns;
            pieces += (way ^ pawns).count_ones();
        }
        pieces
    }
}

/// How many pieces each side captured so that pawns passed each other on the files `passed`. If
/// both sides have a missing pawn on the same neighbouring file, these pawns captured each other.
/// Otherwise one pawn came from a neighbouring file.
#[inline]
fn pieces_captured_in_passing(mut passed: u8, white: &mut Origins, black: &mut Origins) -> [u32; 2] {
    let mut pieces = [0; 2];
    while passed != 0 {
        let file = passed & passed.wrapping_neg();
        passed &= passed - 1;
        let sides = next_to(file);
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
            // A pawn left its file and came back.
            pieces = pieces.map(|count| count + 2);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{
        super::{accept, material, position_line},
        *,
    };

    /// The position of a placement, if it is sound apart from its structure.
    fn position(placement: &str) -> Option<(Position, BoardView)> {
        position_with(placement, "-")
    }

    /// The same with castling rights.
    fn position_with(placement: &str, rights: &str) -> Option<(Position, BoardView)> {
        let (position, _) = position_line::read(format!("{placement} w {rights} - 9 90").as_bytes(), Pieces::read)?;
        material::view_if_sound(&position).map(|view| (position, view))
    }

    #[test]
    fn queens_are_promoted_on_files_without_pawns() {
        // The b-file is free, and so is the h-file after a capture.
        let origin = |placement| position(placement).and_then(|(position, view)| simple_origin(&position, &view));
        assert_eq!(origin("4k3/p1pp4/8/8/3P4/8/P1P5/Q2QK3"), Some(PawnOrigin::ByCapture));
        assert_eq!(origin("q2qk3/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR"), None);
    }

    #[test]
    fn pawns_between_a_doubled_pawn_and_its_file_move_one_file_on() {
        let origin = |pawns: &str| {
            position(&format!("4k3/8/8/8/{pawns}/4K3")).and_then(|(position, view)| simple_origin(&position, &view))
        };
        // The a-pawn captured on the b-file, and the b-pawn on the c-file.
        assert_eq!(origin("8/1PP5/2PPPPPP"), Some(PawnOrigin::ByCapture));
        assert_eq!(origin("8/2P5/1PPPPPPP"), None);
        assert_eq!(origin("2P5/8/1PPPPPPP"), Some(PawnOrigin::ByCapture));
        // The same to the left, and over more files.
        assert_eq!(origin("8/5PP1/PPPPPP2"), Some(PawnOrigin::ByCapture));
        assert_eq!(origin("8/5P2/PPPPPPP1"), None);
        assert_eq!(origin("8/1PPP4/3PPPPP"), Some(PawnOrigin::ByCapture));
        assert_eq!(origin("8/2PP4/1P1PPPPP"), None);
    }

    /// Random pawns: what is accepted must not be impossible, and what the standard starting
    /// position explains must not be impossible from others.
    #[test]
    fn accepted_pawns_are_possible() {
        let (mut state, mut accepted, mut shifted, mut explained) = (1_u64, 0, 0, 0);
        let mut below = |limit: u64| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) % limit
        };
        for _ in 0..40_000 {
            let mut squares = [b'1'; 64];
            (squares[4], squares[60]) = (b'k', b'K');
            for (pawn, home) in [(b'p', 8), (b'P', 48)] {
                for _ in 0..below(9) {
                    let square = if below(2) == 0 { home + below(8) } else { 8 + below(48) };
                    squares[square as usize] = pawn;
                }
            }
            for _ in 0..below(4) {
                squares[below(64) as usize] = b"nNbBrRqQ"[below(8) as usize];
            }
            let ranks: Vec<String> =
                squares.as_chunks::<8>().0.iter().map(|rank| rank.map(char::from).iter().collect()).collect();
            let placement = ranks.join("/");
            let placement = (2..=8).rev().fold(placement, |text, count| text.replace(&"1".repeat(count), &count.to_string()));
            let Some((position, view)) = position(&placement) else { continue };
            let board = position.pieces.board().expect("a board");
            let reachability = |start| Structure::new(&board, view.unmoved, start).reachability();
            let (standard, any) = (reachability(&STANDARD_START), reachability(&ANY_START));
            if standard == Reachability::Explained {
                assert_ne!(any, Reachability::Impossible, "{placement}");
                explained += 1;
            }
            let (white, black) = (Side::of(&position, Color::White), Side::of(&position, Color::Black));
            if !is_undeveloped(&position.pieces) && simple_origin(&position, &view).is_some() {
                assert!(standard != Reachability::Impossible && any != Reachability::Impossible, "{placement}");
                accepted += 1;
                // A doubled pawn on the third rank with pawns on both sides of it did not come from
                // the next file.
                shifted += u32::from([white, black].iter().any(|side| {
                    let files = files_of(side.pawns);
                    let doubled = (above(side.pawns, side.pawns) >> 16) as u8;
                    doubled & (files << 1 | 1) & (files >> 1 | 0x80) != 0
                }));
            }
        }
        assert!(accepted > 3000 && shifted > 30 && explained > 3000, "{accepted} {shifted} {explained}");
    }

    /// Random pawns and queens: what is accepted must not be impossible.
    #[test]
    fn accepted_queens_are_possible() {
        let (mut state, mut accepted, mut with_rights) = (1_u64, 0, 0);
        let mut below = |limit: u64| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (state >> 33) % limit
        };
        for _ in 0..50_000 {
            let mut squares = [b'.'; 64];
            for (file, piece) in b"rnbqkbnr".iter().enumerate() {
                for (square, piece) in [(file, *piece), (56 + file, piece.to_ascii_uppercase())] {
                    if file == 4 || below(8) > 0 {
                        squares[square] = piece;
                    }
                }
                for pawn in *b"pP" {
                    if below(5) > 0 {
                        squares[8 + 8 * below(6) as usize + file] = pawn;
                    }
                }
            }
            for _ in 0..=below(3) {
                squares[16 + below(32) as usize] = b"Qq"[below(2) as usize];
            }
            let ranks: Vec<String> =
                squares.as_chunks::<8>().0.iter().map(|rank| rank.map(char::from).iter().collect()).collect();
            let placement = ranks.join("/").replace('.', "1");
            let placement = (2..=8).rev().fold(placement, |text, count| text.replace(&"1".repeat(count), &count.to_string()));
            let rights = [(63, b'R', 'K'), (56, b'R', 'Q'), (7, b'r', 'k'), (0, b'r', 'q')];
            let mut rights: String =
                rights.into_iter().filter(|(square, rook, _)| squares[*square] == *rook).map(|(.., letter)| letter).collect();
            if rights.is_empty() || below(2) == 0 {
                "-".clone_into(&mut rights);
            }
            let Some((position, view)) = position_with(&placement, &rights) else { continue };
            let (white, black) = (Side::of(&position, Color::White), Side::of(&position, Color::Black));
            with_rights += u32::from(view.promoted && view.unmoved.any());
            if view.promoted
                && has_files_for_queens(&position.pieces, &white, &black, view.unmoved)
                && simple_origin(&position, &view).is_some()
            {
                let board = position.pieces.board().expect("no square has two pieces");
                let start = if view.chess960 { &ANY_START } else { &STANDARD_START };
                // The search for captures may be too long to explain it.
                assert!(!Structure::new(&board, view.unmoved, start).is_impossible(), "{placement} {rights}");
                accepted += u32::from(accept(&position).is_some());
            }
        }
        assert!(accepted > 120 && with_rights > 100, "{accepted} {with_rights}");
    }
}
