//! Piece placements in regular spelling, read in one walk that neither branches on what the bytes are nor allocates.
//!
//! Files of positions have millions of lines, and to read them is much of what a clean one costs: processors that can read all ranks at once
//! do.

#[cfg(target_arch = "x86_64")]
mod avx2;

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Role, Square};

/// Codes of the squares: sliders are told by their lines, so that queens are both bishops and rooks.
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
/// A digit stands here; the next square is empty too where it is greater than 1.
const DIGIT: u8 = LEAPER | DIAGONAL | STRAIGHT;
/// A rank ends here.
const RANK_END: u8 = 0x80;

/// A byte for each square, and seven slashes.
const LONGEST: usize = 71;

// The state of the walk is a sum to which each byte adds. None of its parts overflows into the next within the longest placement. The
// lowest bits sum up codes, which means nothing.

/// Men and pawns of a colour take seven bits each.
const MEN: [u32; 2] = [12, 19];
const PAWNS: [u32; 2] = [26, 33];
const NUMBER: u64 = 0x7F;
const NUMBERS: u64 = NUMBER << MEN[0] | NUMBER << MEN[1] | NUMBER << PAWNS[0] | NUMBER << PAWNS[1];
const SLASHES: u32 = 40;
const SQUARES: u32 = 47;
/// Where the next square is written. Squares are written file by file, eight bytes each, rank 1 first; what ends a rank falls behind the
/// h-file.
const PLACE: u32 = 57;

/// The walk begins on a8.
const START: u64 = 7 << PLACE;
/// It ends behind the h-file of rank 1, with seven slashes and sixty-four squares.
const END: u64 = 64 << PLACE | 64 << SQUARES | 7 << SLASHES;
const END_MASK: u64 = u64::MAX << SLASHES;

/// What each byte adds to the state of the walk; its lowest byte is the code of what stands there. 0 ends the walk.
const STEPS: [u64; 256] = {
    let mut steps = [0; 256];
    let one_square = 8 << PLACE | 1 << SQUARES;
    let mut kind = 0;
    while kind < 6 {
        let (letter, code) = CODES[kind];
        let pawn = (kind == 0) as u64;
        steps[letter as usize] = one_square + (1 << MEN[0]) + (pawn << PAWNS[0]) + code as u64;
        let white = one_square + (1 << MEN[1]) + (pawn << PAWNS[1]) + (code | WHITE) as u64;
        steps[letter.to_ascii_uppercase() as usize] = white;
        kind += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        steps[b'0' as usize + digit] = one_square * digit as u64 + DIGIT as u64;
        digit += 1;
    }
    // From behind the h-file to the a-file of the rank below.
    steps[b'/' as usize] = ((128 - 65) << PLACE) + (1 << SLASHES) + RANK_END as u64;
    steps
};

/// The men of a placement, in bitboards. There may be any number of them anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men {
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
    /// All of White's men.
    pub white: Bitboard,
    /// All of Black's men.
    pub black: Bitboard,
    /// How many men and pawns there are, where the state of the walk has these numbers.
    numbers: u64,
}

impl Men {
    /// Reads the placement with which `text` begins, up to the first byte that belongs to none, and says how long it is. `None` where
    /// anything about its spelling is out of the ordinary.
    #[inline(always)]
    pub fn read(text: &[u8]) -> Option<(Men, usize)> {
        // Wherever the walk strays to, there is room for it; what it must not touch stays empty.
        let mut squares = [0u8; 128];
        let (mut state, mut length) = (START, 0);
        for &byte in &text[..text.len().min(LONGEST)] {
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
        // Two files in each: the lower four bits of a byte are those of the first, the upper ones those of the second.
        let pairs = [0, 1, 2, 3].map(|first| file(first) | file(first + 4) << 4);
        let plane = |code: u8| {
            let shift = code.trailing_zeros();
            let of = |pair: usize| (pairs[pair] >> shift & 0x1111_1111_1111_1111) << pair;
            of(0) | of(1) | of(2) | of(3)
        };
        let (diagonal, straight, leaper, white) = (plane(DIAGONAL), plane(STRAIGHT), plane(LEAPER), plane(WHITE));
        let digits = diagonal & straight & leaper;
        let occupied = (diagonal | straight | leaper) ^ digits;
        // A digit begins on the a-file or behind a man.
        let runs = !(occupied << 1) & !0x0101_0101_0101_0101;
        let ends = file(8);
        let strayed = (0..8).fold(0, |all, at| all | file(at)) & u64::from_ne_bytes([RANK_END; 8]);
        if state & END_MASK != END || ends != u64::from_ne_bytes([RANK_END; 8]) || digits & runs != 0 || strayed != 0 {
            return None;
        }
        let men = Men::of_planes(diagonal & !digits, straight & !digits, leaper & !digits, white);
        Some((Men { numbers: state & NUMBERS, ..men }, length))
    }

    /// The men on squares with these codes: those that have the bit [`DIAGONAL`] and so on. They are not counted.
    #[inline(always)]
    fn of_planes(diagonal: u64, straight: u64, leaper: u64, white: u64) -> Men {
        let (occupied, sliders) = (diagonal | straight | leaper, !leaper);
        Men {
            pawns: Bitboard(leaper & !diagonal & !straight),
            knights: Bitboard(leaper & diagonal & !straight),
            bishops: Bitboard(sliders & diagonal & !straight),
            rooks: Bitboard(sliders & straight & !diagonal),
            queens: Bitboard(sliders & diagonal & straight),
            kings: Bitboard(leaper & straight & !diagonal),
            white: Bitboard(white),
            black: Bitboard(occupied & !white),
            numbers: 0,
        }
    }

    /// How many men `color` has.
    pub const fn number(&self, color: Color) -> u32 {
        (self.numbers >> MEN[color as usize] & NUMBER) as u32
    }

    /// How many pawns `color` has.
    pub const fn number_of_pawns(&self, color: Color) -> u32 {
        (self.numbers >> PAWNS[color as usize] & NUMBER) as u32
    }

    /// All men.
    pub fn occupied(&self) -> Bitboard {
        self.white | self.black
    }

    /// The men of `color`.
    pub const fn of(&self, color: Color) -> Bitboard {
        if color.is_white() { self.white } else { self.black }
    }

    /// The men that move along diagonals.
    pub fn diagonal(&self) -> Bitboard {
        self.bishops | self.queens
    }

    /// The men that move along ranks and files.
    pub fn straight(&self) -> Bitboard {
        self.rooks | self.queens
    }

    /// The men after the one on `from` has gone to the empty square `to`.
    #[must_use]
    pub fn moved(&self, from: Square, to: Square) -> Men {
        let (from, to) = (Bitboard::from(from), Bitboard::from(to));
        let go = |men: Bitboard| if (men & from).any() { (men ^ from) | to } else { men };
        Men {
            pawns: go(self.pawns),
            knights: go(self.knights),
            bishops: go(self.bishops),
            rooks: go(self.rooks),
            queens: go(self.queens),
            kings: go(self.kings),
            white: go(self.white),
            black: go(self.black),
            numbers: self.numbers,
        }
    }

    /// The men with one more, of `color`, on the empty square `at`.
    #[must_use]
    pub fn with(&self, at: Square, color: Color, role: Role) -> Men {
        let (at, mut men) = (Bitboard::from(at), *self);
        match role {
            Role::Pawn => men.pawns |= at,
            Role::Knight => men.knights |= at,
            Role::Bishop => men.bishops |= at,
            Role::Rook => men.rooks |= at,
            Role::Queen => men.queens |= at,
            Role::King => men.kings |= at,
        }
        if color.is_white() {
            men.white |= at;
        } else {
            men.black |= at;
        }
        men.numbers += (1 << MEN[color as usize]) + (u64::from(role == Role::Pawn) << PAWNS[color as usize]);
        men
    }

    /// The same men as a board.
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

    /// What is read of the placement with which `text` begins, if it ends before a space, in every way there is to read it.
    fn read(text: &str) -> Option<(Men, usize)> {
        let text = format!("{text} w KQkq - 0 1\n{}", "8/8/8/8/8/8/8/8 ".repeat(5));
        let read = Men::read(text.as_bytes()).filter(|(_, length)| text[*length..].starts_with(' '));
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = avx2::tests::read_avx2(text.as_bytes()).filter(|_| text.find(' ') < Some(avx2::SEARCHED)) {
            assert_eq!(wide, read, "{text}");
        }
        read
    }

    #[test]
    fn all_bytes_are_told_apart() {
        let mut men = 0;
        for byte in 0..=u8::MAX {
            for at in 0..15 {
                let mut text = *b"8/8/8/8/8/8/8/8";
                text[at] = byte;
                // Bytes beyond ASCII come in twos here, which are as little men as one.
                men += usize::from(read(&text.map(char::from).iter().collect::<String>()).is_some());
            }
        }
        assert_eq!(men, 15, "only what was there before");
        for byte in 0..=127 {
            let read = read(&format!("8/8/8/8/8/8/8/7{}", char::from(byte))).is_some();
            assert_eq!(read, b"PNBRQKpnbrqk".contains(&byte), "{byte}");
        }
    }

    #[test]
    fn the_walk_reads_what_boards_write() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "8/8/8/8/8/8/8/8",
            "KQRBNPkq/rbnpKQRB/NPkqrbnp/KQRBNPkq/rbnpKQRB/NPkqrbnp/1P1P1P1P/p2p2p1",
            "7k/1p6/2P5/3b4/4N3/5r2/6Q1/K7",
        ] {
            let (men, length) = read(placement).expect(placement);
            assert_eq!(length, placement.len());
            assert_eq!(men.board().map(|board| board.to_string()).as_deref(), Some(placement));
        }
    }

    #[test]
    fn men_are_counted() {
        for (placement, men, pawns) in [
            ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKB1R", [16, 15], [8, 8]),
            ("pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp/pppppppp", [64, 0], [64, 0]),
            ("PPPPPPPP/QQQQQQQQ/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/KKKKKKKK/NNNNNNNN", [0, 64], [0, 40]),
            ("7k/1p6/2P5/3b4/4N3/5r2/6Q1/K7", [4, 4], [1, 1]),
        ] {
            let (read, _) = read(placement).expect(placement);
            assert_eq!([Color::Black, Color::White].map(|color| read.number(color)), men, "{placement}");
            assert_eq!([Color::Black, Color::White].map(|color| read.number_of_pawns(color)), pawns, "{placement}");
        }
    }

    #[test]
    fn whatever_is_odd_is_not_read() {
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
            // What does not belong to it ends a placement: the length tells.
            assert_eq!(read(placement).filter(|(_, length)| *length == placement.len()), None, "{placement}");
        }
    }

    #[test]
    fn numbers_of_squares_and_ranks_are_exact() {
        // All ranks of one to three bytes, one or two of them out of place among seven that are right.
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
