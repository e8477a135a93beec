//! Piece placements in regular spelling, read in one walk that neither branches on what the bytes are nor allocates.
//!
//! Files of positions have millions of lines, and this walk is most of what a clean one costs.

use shakmaty::{Bitboard, Board, ByColor, ByRole, Color};

/// What a byte does to the walk.
#[derive(Clone, Copy)]
struct Step {
    /// What is added to the state of the walk: the bytes are, from the lowest, the way to the next square (two bytes), the number of
    /// slashes, unused, White's men, Black's men, unused, and the code of what stands on the square. 0 ends the walk.
    way: u64,
    /// Adds one to the number of men of a kind.
    count: u64,
}

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

/// The walk writes the squares file by file, eight bytes each, rank 1 first; what ends a rank falls behind the h-file.
const NEXT_FILE: u64 = 8;
/// From behind the h-file of a rank to the a-file of the rank below; and one slash.
const NEXT_RANK: u64 = (1 << 16) - 65;
/// It begins on a8.
const START: u64 = 7;
/// It ends behind the h-file of rank 1, with seven slashes.
const END: u64 = 64 + (7 << 16);

/// A byte for each square, and seven slashes.
const LONGEST: usize = 71;

/// Bits for the number of men of one kind, and of all kinds of a colour.
const KIND_BITS: u32 = 5;
const COLOR_BITS: u32 = 6 * KIND_BITS;

const STEPS: [Step; 256] = {
    let mut steps = [Step { way: 0, count: 0 }; 256];
    let mut kind = 0;
    while kind < 6 {
        let (letter, code) = CODES[kind];
        let way = NEXT_FILE | 1 << 40 | (code as u64) << 56;
        steps[letter as usize] = Step { way, count: 1 << (COLOR_BITS + KIND_BITS * kind as u32) };
        let way = NEXT_FILE | 1 << 32 | ((code | WHITE) as u64) << 56;
        steps[letter.to_ascii_uppercase() as usize] = Step { way, count: 1 << (KIND_BITS * kind as u32) };
        kind += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        steps[b'0' as usize + digit] = Step { way: (NEXT_FILE * digit as u64) | ((DIGIT as u64) << 56), count: 0 };
        digit += 1;
    }
    steps[b'/' as usize] = Step { way: NEXT_RANK | (RANK_END as u64) << 56, count: 0 };
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
    /// How many there are.
    pub census: Census,
}

/// How many men there are of each colour and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    men: [u8; 2],
    /// For each colour and kind five bits: the numbers hold where each colour has 16 men at most.
    kinds: u64,
}

/// How many men of each kind one colour has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Pawns.
    pub pawns: u32,
    /// Knights.
    pub knights: u32,
    /// Kings.
    pub kings: u32,
    /// Bishops.
    pub bishops: u32,
    /// Rooks.
    pub rooks: u32,
    /// Queens.
    pub queens: u32,
}

impl Census {
    /// How many men `color` has.
    pub const fn men(self, color: Color) -> u32 {
        self.men[color as usize] as u32
    }

    /// Whether each side has one king, at most sixteen men, eight pawns and two men of each other kind, one queen.
    #[inline]
    pub const fn within_array(self) -> bool {
        const fn each(pawns: u64, kings: u64, queens: u64, others: u64) -> u64 {
            let color = pawns | others << 5 | kings << 10 | others << 15 | others << 20 | queens << 25;
            color | color << COLOR_BITS
        }
        // Sixteen men and fifteen, less what is allowed, do not carry into the next number.
        const BEYOND: u64 = each(16, 16, 16, 16);
        const MARGIN: u64 = each(15 - 8, 15 - 1, 15 - 1, 15 - 2);
        const KINGS: u64 = each(0, 31, 0, 0);
        self.men[0] <= 16 && self.men[1] <= 16 && (self.kinds + MARGIN) & BEYOND == 0 && self.kinds & KINGS == each(0, 1, 0, 0)
    }

    /// How many men of each kind `color` has; right where each colour has 16 men at most.
    pub const fn kinds(self, color: Color) -> Kinds {
        let kinds = self.kinds >> if color.is_white() { 0 } else { COLOR_BITS };
        const fn of(kinds: u64, kind: u32) -> u32 {
            (kinds >> (KIND_BITS * kind)) as u32 & 31
        }
        Kinds {
            pawns: of(kinds, 0),
            knights: of(kinds, 1),
            kings: of(kinds, 2),
            bishops: of(kinds, 3),
            rooks: of(kinds, 4),
            queens: of(kinds, 5),
        }
    }
}

impl Men {
    /// Reads the placement with which `text` begins, up to the first byte that belongs to none, and says how long it is. `None` where
    /// anything about its spelling is out of the ordinary.
    #[inline]
    pub fn read(text: &[u8]) -> Option<(Men, usize)> {
        // Wherever the walk strays to, there is room for it; what it must not touch stays empty.
        let mut squares = [0u8; 128];
        let (mut at, mut kinds, mut length) = (START, 0u64, 0);
        for &byte in &text[..text.len().min(LONGEST)] {
            let Step { way, count } = STEPS[usize::from(byte)];
            if way == 0 {
                break;
            }
            squares[at as usize & 127] = (way >> 56) as u8;
            at = at.wrapping_add(way);
            kinds = kinds.wrapping_add(count);
            length += 1;
        }
        squares[at as usize & 127] = RANK_END;
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
        if at & 0xFFFF_FFFF != END || ends != u64::from_ne_bytes([RANK_END; 8]) || digits & runs != 0 || strayed != 0 {
            return None;
        }
        let sliders = !leaper;
        let men = Men {
            pawns: Bitboard(leaper & !diagonal & !straight),
            knights: Bitboard(leaper & diagonal & !straight),
            bishops: Bitboard(sliders & diagonal & !straight),
            rooks: Bitboard(sliders & straight & !diagonal),
            queens: Bitboard(sliders & diagonal & straight),
            kings: Bitboard(leaper & straight & !diagonal),
            white: Bitboard(white),
            black: Bitboard(occupied & !white),
            census: Census { men: [(at >> 40) as u8, (at >> 32) as u8], kinds },
        };
        Some((men, length))
    }

    /// All men.
    pub fn occupied(&self) -> Bitboard {
        self.white | self.black
    }

    /// The men of `color`.
    pub fn of(&self, color: Color) -> Bitboard {
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

    #[test]
    fn the_walk_reads_what_boards_write() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "8/8/8/8/8/8/8/8",
            "KQRBNPkq/rbnpKQRB/NPkqrbnp/KQRBNPkq/rbnpKQRB/NPkqrbnp/1P1P1P1P/p2p2p1",
            "7k/1p6/2P5/3b4/4N3/5r2/6Q1/K7",
        ] {
            let (men, length) = Men::read(format!("{placement} w").as_bytes()).expect(placement);
            assert_eq!(length, placement.len());
            assert_eq!(men.board().map(|board| board.to_string()).as_deref(), Some(placement));
        }
    }

    #[test]
    fn men_are_counted() {
        let (men, _) = Men::read(b"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKB1R").expect("it is regular");
        assert!(men.census.within_array());
        assert_eq!((men.census.men(Color::White), men.census.men(Color::Black)), (15, 16));
        let white = Kinds { pawns: 8, knights: 1, kings: 1, bishops: 2, rooks: 2, queens: 1 };
        assert_eq!(men.census.kinds(Color::White), white);
        assert_eq!(men.census.kinds(Color::Black), Kinds { knights: 2, ..white });
        for placement in [
            "qk6/q7/8/8/8/8/8/K7",
            "qk6/K7/K7/8/8/8/8/8",
            "qk6/8/8/8/8/8/8/8",
            "k7/8/8/8/8/8/8/RRRK4",
            "k7/8/8/8/8/P7/PPPPPPPP/K7",
            "k7/8/8/8/8/PPPPPPPP/PPPPPPPP/KPPPPPPP",
            "PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/8/8/Kk6",
            "PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/K7/8/8/k7",
        ] {
            let (men, _) = Men::read(placement.as_bytes()).expect("it is regular");
            assert!(!men.census.within_array(), "{placement}");
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
            let read = Men::read(placement.as_bytes()).filter(|(_, length)| *length == placement.len());
            assert_eq!(read, None, "{placement}");
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
                let read = Men::read(placement.as_bytes()).filter(|(_, length)| *length == placement.len());
                assert_eq!(read.is_some(), regular, "{placement}");
            }
        }
    }
}
