//! Reads regular piece placements in one pass that does not allocate and does not branch on the
//! bytes.
//!
//! Files of positions have millions of lines, and reading the placement is much of the work for a
//! line without findings. Processors that can read all ranks at once do so.

#[cfg(target_arch = "x86_64")]
mod avx2;

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Role, Square};

/// Codes of the squares. Sliders are coded by their lines: a queen is both a bishop and a rook.
const DIAGONAL: u8 = 1;
const STRAIGHT: u8 = 2;
const LEAPER: u8 = 4;
const WHITE: u8 = 8;
const CODES: [(u8, u8); 6] = [
    (b'p', LEAPER),
    (b'n', LEAPER | DIAGONAL),
    (b'k', LEAPER | STRAIGHT),
    (b'b', DIAGONAL),
    (b'r', STRAIGHT),
    (b'q', DIAGONAL | STRAIGHT),
];
/// There is a digit for this square. The next square is empty too if the digit is greater than 1.
const DIGIT: u8 = LEAPER | DIAGONAL | STRAIGHT;
/// The end of a rank.
const RANK_END: u8 = 0x80;

/// Maximum length of a placement in bytes: one for each square, and seven slashes.
const MAX_LENGTH: usize = 71;

// The state of the pass is a sum to which each byte adds. No part of it overflows into the next one
// within the longest placement. The lowest bits add up codes and have no meaning.

/// Shifts of the count of pieces and of pawns, by colour. Each count has seven bits.
const PIECE_COUNTS: [u32; 2] = [12, 19];
const PAWN_COUNTS: [u32; 2] = [26, 33];
const COUNT_MASK: u64 = 0x7F;
const COUNTS_MASK: u64 =
    COUNT_MASK << PIECE_COUNTS[0] | COUNT_MASK << PIECE_COUNTS[1] | COUNT_MASK << PAWN_COUNTS[0] | COUNT_MASK << PAWN_COUNTS[1];
const SLASHES: u32 = 40;
const SQUARES: u32 = 47;
/// Shift of the index at which the next square is written. Squares are written file by file, eight
/// bytes each, rank 1 first. The end of a rank falls after the h-file.
const PLACE: u32 = 57;

/// The state at the start: the next square is a8.
const START: u64 = 7 << PLACE;
/// The state at the end: after h1, with seven slashes and 64 squares.
const END: u64 = 64 << PLACE | 64 << SQUARES | 7 << SLASHES;
const END_MASK: u64 = u64::MAX << SLASHES;

/// What each byte adds to the state. The lowest byte is the code of the square. 0 ends the
/// placement.
const STEPS: [u64; 256] = {
    let mut steps = [0; 256];
    let one_square = 8 << PLACE | 1 << SQUARES;
    let mut kind = 0;
    while kind < 6 {
        let (letter, code) = CODES[kind];
        let pawn = (kind == 0) as u64;
        steps[letter as usize] = one_square + (1 << PIECE_COUNTS[0]) + (pawn << PAWN_COUNTS[0]) + code as u64;
        let white = one_square + (1 << PIECE_COUNTS[1]) + (pawn << PAWN_COUNTS[1]) + (code | WHITE) as u64;
        steps[letter.to_ascii_uppercase() as usize] = white;
        kind += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        steps[b'0' as usize + digit] = one_square * digit as u64 + DIGIT as u64;
        digit += 1;
    }
    // From after the h-file to the a-file of the next rank.
    steps[b'/' as usize] = ((128 - 65) << PLACE) + (1 << SLASHES) + RANK_END as u64;
    steps
};

/// The pieces of a placement as bitboards. There can be any count of them on any squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Pawns of both colours.
    pub pawns: Bitboard,
    /// Knights of both colours.
    pub knights: Bitboard,
    /// Bishops of both colours.
    pub bishops: Bitboard,
    /// Rooks of both colours.
    pub rooks: Bitboard,
    /// Queens of both colours.
    pub queens: Bitboard,
    /// Kings of both colours.
    pub kings: Bitboard,
    /// All white pieces.
    pub white: Bitboard,
    /// All black pieces.
    pub black: Bitboard,
    /// Numbers of pieces and pawns, at the same shifts as in the state.
    counts: u64,
}

impl Pieces {
    /// Reads the placement at the start of `text`, up to the first byte that cannot belong to one.
    /// Returns the pieces and the length in bytes, or `None` if anything in it is unusual.
    #[inline(always)]
    pub fn read(text: &[u8]) -> Option<(Pieces, usize)> {
        // The array has room for every index that a malformed placement can reach. Squares beyond
        // the board must stay empty.
        let mut squares = [0u8; 128];
        let (mut state, mut length) = (START, 0);
        for &byte in &text[..text.len().min(MAX_LENGTH)] {
            let step = STEPS[usize::from(byte)];
            if step == 0 {
                break;
            }
            squares[(state >> PLACE) as usize] = step as u8;
            state = state.wrapping_add(step);
            length += 1;
        }
        squares[(state >> PLACE) as usize] = RANK_END;
        let file = |file: usize| squares.as_chunks::<8>().0.get(file).map_or(0, |file| u64::from_le_bytes(*file));
        // Two files in each word: the lower half of a byte belongs to the first, the upper half to
        // the second.
        let pairs = [0, 1, 2, 3].map(|first| file(first) | file(first + 4) << 4);
        let plane = |code: u8| {
            let shift = code.trailing_zeros();
            let of = |pair: usize| (pairs[pair] >> shift & 0x1111_1111_1111_1111) << pair;
            of(0) | of(1) | of(2) | of(3)
        };
        let (diagonal, straight, leaper, white) = (plane(DIAGONAL), plane(STRAIGHT), plane(LEAPER), plane(WHITE));
        let digits = diagonal & straight & leaper;
        let occupied = (diagonal | straight | leaper) ^ digits;
        // A digit is on the a-file or after a piece.
        let runs = !(occupied << 1) & !0x0101_0101_0101_0101;
        let ends = file(8);
        let outside = (0..8).fold(0, |all, at| all | file(at)) & u64::from_ne_bytes([RANK_END; 8]);
        if state & END_MASK != END || ends != u64::from_ne_bytes([RANK_END; 8]) || digits & runs != 0 || outside != 0 {
            return None;
        }
        let pieces = Pieces::of_planes(diagonal & !digits, straight & !digits, leaper & !digits, white);
        Some((Pieces { counts: state & COUNTS_MASK, ..pieces }, length))
    }

    /// The pieces on squares with these codes. `diagonal` are the squares whose code has the bit
    /// [`DIAGONAL`], and so on. The pieces are not counted.
    #[inline(always)]
    fn of_planes(diagonal: u64, straight: u64, leaper: u64, white: u64) -> Pieces {
        let (occupied, sliders) = (diagonal | straight | leaper, !leaper);
        Pieces {
            pawns: Bitboard(leaper & !diagonal & !straight),
            knights: Bitboard(leaper & diagonal & !straight),
            bishops: Bitboard(sliders & diagonal & !straight),
            rooks: Bitboard(sliders & straight & !diagonal),
            queens: Bitboard(sliders & diagonal & straight),
            kings: Bitboard(leaper & straight & !diagonal),
            white: Bitboard(white),
            black: Bitboard(occupied & !white),
            counts: 0,
        }
    }

    /// These pieces. No square may have two.
    #[inline]
    pub fn of_bitboards(roles: ByRole<Bitboard>, colors: ByColor<Bitboard>) -> Pieces {
        let counts = Color::ALL.into_iter().map(|color| {
            let own = *colors.get(color);
            (own.count() as u64) << PIECE_COUNTS[color as usize]
                | ((own & roles.pawn).count() as u64) << PAWN_COUNTS[color as usize]
        });
        Pieces {
            pawns: roles.pawn,
            knights: roles.knight,
            bishops: roles.bishop,
            rooks: roles.rook,
            queens: roles.queen,
            kings: roles.king,
            white: colors.white,
            black: colors.black,
            counts: counts.sum(),
        }
    }

    /// How many pieces `color` has, pawns included.
    pub const fn count(&self, color: Color) -> u32 {
        (self.counts >> PIECE_COUNTS[color as usize] & COUNT_MASK) as u32
    }

    /// How many pawns `color` has.
    pub const fn pawn_count(&self, color: Color) -> u32 {
        (self.counts >> PAWN_COUNTS[color as usize] & COUNT_MASK) as u32
    }

    /// All pieces.
    pub fn occupied(&self) -> Bitboard {
        self.white | self.black
    }

    /// The pieces of `color`.
    pub const fn of(&self, color: Color) -> Bitboard {
        if color.is_white() { self.white } else { self.black }
    }

    /// Bishops and queens.
    pub fn diagonal(&self) -> Bitboard {
        self.bishops | self.queens
    }

    /// Rooks and queens.
    pub fn straight(&self) -> Bitboard {
        self.rooks | self.queens
    }

    /// The pieces after the one on `from` has moved to the empty square `to`.
    #[must_use]
    pub fn moved(&self, from: Square, to: Square) -> Pieces {
        let (from, to) = (Bitboard::from(from), Bitboard::from(to));
        let move_piece = |pieces: Bitboard| if (pieces & from).any() { (pieces ^ from) | to } else { pieces };
        Pieces {
            pawns: move_piece(self.pawns),
            knights: move_piece(self.knights),
            bishops: move_piece(self.bishops),
            rooks: move_piece(self.rooks),
            queens: move_piece(self.queens),
            kings: move_piece(self.kings),
            white: move_piece(self.white),
            black: move_piece(self.black),
            counts: self.counts,
        }
    }

    /// The pieces with one more, of `color`, on the empty square `at`.
    #[must_use]
    pub fn with(&self, at: Square, color: Color, role: Role) -> Pieces {
        let (at, mut pieces) = (Bitboard::from(at), *self);
        match role {
            Role::Pawn => pieces.pawns |= at,
            Role::Knight => pieces.knights |= at,
            Role::Bishop => pieces.bishops |= at,
            Role::Rook => pieces.rooks |= at,
            Role::Queen => pieces.queens |= at,
            Role::King => pieces.kings |= at,
        }
        if color.is_white() {
            pieces.white |= at;
        } else {
            pieces.black |= at;
        }
        pieces.counts += (1 << PIECE_COUNTS[color as usize]) + (u64::from(role == Role::Pawn) << PAWN_COUNTS[color as usize]);
        pieces
    }

    /// The same pieces as a board. `None` if two pieces are on one square.
    pub fn board(&self) -> Option<Board> {
        let roles = ByRole {
            pawn: self.pawns,
            knight: self.knights,
            bishop: self.bishops,
            rook: self.rooks,
            queen: self.queens,
            king: self.kings,
        };
        Board::try_from_bitboards(roles, ByColor { black: self.black, white: self.white }).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of the placement at the start of `text`, if it ends before a space. Both
    /// readers must agree.
    fn read(text: &str) -> Option<(Pieces, usize)> {
        let text = format!("{text} w KQkq - 0 1\n{}", "8/8/8/8/8/8/8/8 ".repeat(5));
        let ends_at_space = |(_, length): &(Pieces, usize)| text[*length..].starts_with(' ');
        let read = Pieces::read(text.as_bytes()).filter(ends_at_space);
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = avx2::tests::read_avx2(text.as_bytes()).filter(|_| text.find(' ') < Some(avx2::MAX_LENGTH)) {
            assert_eq!(wide.filter(ends_at_space), read, "{text}");
        }
        read
    }

    #[test]
    fn no_byte_can_be_inserted() {
        let placement = "r3k2r/pp3ppp/8/3pP3/8/8/PPP2PPP/R3K2R";
        assert!(read(placement).is_some());
        for byte in (0..=127).map(char::from) {
            for at in 0..=placement.len() {
                let mut longer = placement.to_owned();
                longer.insert(at, byte);
                let is_the_space_after_it = byte == ' ' && at == placement.len();
                assert_eq!(read(&longer).is_some(), is_the_space_after_it, "{longer:?}");
            }
        }
    }

    #[test]
    fn only_piece_letters_are_pieces() {
        let mut pieces = 0;
        for byte in 0..=u8::MAX {
            for at in 0..15 {
                let mut text = *b"8/8/8/8/8/8/8/8";
                text[at] = byte;
                // Bytes beyond ASCII become two bytes here.
                pieces += usize::from(read(&text.map(char::from).iter().collect::<String>()).is_some());
            }
        }
        assert_eq!(pieces, 15, "only what was there before");
        for byte in 0..=127 {
            let read = read(&format!("8/8/8/8/8/8/8/7{}", char::from(byte))).is_some();
            assert_eq!(read, b"PNBRQKpnbrqk".contains(&byte), "{byte}");
        }
    }

    #[test]
    fn placements_of_boards_are_read() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "8/8/8/8/8/8/8/8",
            "KQRBNPkq/rbnpKQRB/NPkqrbnp/KQRBNPkq/rbnpKQRB/NPkqrbnp/1P1P1P1P/p2p2p1",
            "7k/1p6/2P5/3b4/4N3/5r2/6Q1/K7",
        ] {
            let (pieces, length) = read(placement).expect(placement);
            assert_eq!(length, placement.len());
            assert_eq!(pieces.board().map(|board| board.to_string()).as_deref(), Some(placement));
        }
    }

    #[test]
    fn pieces_are_counted() {
        for (placement, pieces, pawns) in [
            ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKB1R", [16, 15], [8, 8]),
            ("pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp", [64, 0], [64, 0]),
            ("PPPPPPPP/QQQQQQQQ/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/KKKKKKKK/NNNNNNNN", [0, 64], [0, 40]),
            ("7k/1p6/2P5/3b4/4N3/5r2/6Q1/K7", [4, 4], [1, 1]),
        ] {
            let (read, _) = read(placement).expect(placement);
            assert_eq!([Color::Black, Color::White].map(|color| read.count(color)), pieces, "{placement}");
            assert_eq!([Color::Black, Color::White].map(|color| read.pawn_count(color)), pawns, "{placement}");
        }
    }

    #[test]
    fn irregular_placements_are_not_read() {
        for placement in [
            "",
            "/",
            "8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/",
            "/8/8/8/8/8/8/8/8",
            "8//8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/9",
            "8/8/8/8/8/8/8/0",
            "8/8/8/44/8/8/8/8",
            "8/8/8/4p12/8/8/8/8",
            "8/8/8/8/8/8/7/81",
            "8/8/8/8/8/8/7/p8",
            "8/8/8/8/8/8/8p/7",
            "88888888",
            "8888/8/8/8/8/8/8/8",
            "888/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/x7",
            "PPPPPPPPPPPPPPPPPPPPPPPP/8/8/8/8/8/8/8",
            "pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/ppppppppp",
        ] {
            // A byte that cannot belong to a placement ends it: compare the length.
            assert_eq!(read(placement).filter(|(_, length)| *length == placement.len()), None, "{placement}");
        }
    }

    #[test]
    fn ranks_have_exactly_eight_squares() {
        // All ranks of up to three bytes, each at one place among seven regular ranks.
        let bytes = b"12345678pK/";
        let mut ranks: Vec<String> = vec![String::new()];
        for length in 1..=3 {
            let shorter: Vec<String> = ranks.iter().filter(|rank| rank.len() + 1 == length).cloned().collect();
            ranks.extend(shorter.iter().flat_map(|rank| bytes.iter().map(move |byte| format!("{rank}{}", char::from(*byte)))));
        }
        let squares =
            |rank: &str| rank.bytes().map(|byte| if byte.is_ascii_digit() { u32::from(byte - b'0') } else { 1 }).sum::<u32>();
        let twice = |rank: &str| rank.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
        for place in [0, 3, 7] {
            for rank in &ranks {
                let mut list = ["3k4"; 8];
                list[place] = rank;
                let placement = list.join("/");
                let regular = !rank.contains('/') && squares(rank) == 8 && !twice(rank);
                let read = read(&placement).filter(|(_, length)| *length == placement.len());
                assert_eq!(read.is_some(), regular, "{placement}");
            }
        }
    }
}
