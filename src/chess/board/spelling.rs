//! Canonical spellings of moves, apart from the target square, promotions and check marks: `N`, `Nb`, `N1x`, `ex`.

use super::{KING, KNIGHT, LAST_RANKS, Movement, NONE, PAWN, history::Ply, mask, slides, squares_named};

/// A move in SAN as a word: its last byte highest, the bytes before its first one 0.
#[derive(Clone, Copy, Debug)]
pub struct SanWord(pub(super) u64);

impl SanWord {
    /// The first `length` bytes of `word`, the first one lowest. `length` is from 1 to 7.
    #[inline(always)]
    pub const fn of(word: u64, length: u32) -> SanWord {
        SanWord(word << (64_u32.wrapping_sub(8 * length) & 63))
    }

    /// The same with the first byte lowest, and the number of bytes.
    #[inline(always)]
    pub(super) const fn first_lowest(self) -> (u64, u32) {
        let before = self.0.trailing_zeros() & 56;
        (self.0 >> before, 8 - before / 8)
    }
}

/// What is before the target square in a move says which piece goes there, and how.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Spelling {
    /// [`Spelling::key`].
    key: u64,
    /// Squares from which the piece may come.
    pub origins: u64,
    /// Targets that take a closer look: all for kings, the last ranks for pawns.
    unusual: u64,
    /// Targets on which the other side must have a piece, or where it must not.
    taken: u64,
    /// Targets for which `taken` matters.
    matters: u64,
    /// All bits for pieces that move along lines.
    pub slides: u64,
    /// The piece, with any squares.
    pub ply: Ply,
    /// How the piece goes to the target.
    pub movement: Movement,
    /// How a piece on an attacked square would go to the attacker.
    pub attack: Movement,
    /// The kind of piece.
    pub kind: u8,
    /// Whether a file or a rank is named.
    pub is_hinted: bool,
}

const NO_SPELLING: Spelling = Spelling {
    key: u64::MAX,
    origins: 0,
    unusual: 0,
    taken: 0,
    matters: 0,
    slides: 0,
    ply: Ply::NONE,
    movement: Movement::of(NONE),
    attack: Movement::of(NONE),
    kind: NONE,
    is_hinted: false,
};

/// There are 179 spellings.
const INDEX_BITS: u32 = 9;

/// The spellings of each side, each in a place of its own.
type Spellings = [[Spelling; 1 << INDEX_BITS]; 2];

static SPELLINGS: Spellings = spellings(false);

/// The same if `x` must be written.
static EXACT_SPELLINGS: Spellings = spellings(true);

impl Spelling {
    /// The spelling `text`: bytes with the last one highest, without `x`, which is told by `captures`. `None` if it is not
    /// canonical. With `EXACT`, captures must have an `x`.
    #[inline(always)]
    pub fn find<const SIDE: usize, const EXACT: bool>(text: u64, captures: bool) -> Option<&'static Spelling> {
        let key = Spelling::key(text, captures);
        let spellings = if EXACT { &EXACT_SPELLINGS } else { &SPELLINGS };
        let spelling = &spellings[SIDE][Spelling::index(key)];
        (spelling.key == key).then_some(spelling)
    }

    /// The spelling of a piece with this letter, if nothing else is before the target.
    #[inline]
    pub fn of_piece<const SIDE: usize>(letter: u8) -> Option<&'static Spelling> {
        Spelling::find::<SIDE, false>(u64::from(letter) << 56, false).filter(|piece| piece.kind != PAWN)
    }

    /// Whether a file is named.
    pub const fn names_file(&self) -> bool {
        ((self.key >> 56) as u8).is_ascii_lowercase()
    }

    /// Squares to which the piece goes only in unusual moves, or not at all, if the sides have pieces on these squares.
    #[inline(always)]
    pub const fn unclear_targets(&self, ours: u64, theirs: u64) -> u64 {
        ours | self.unusual | ((theirs ^ self.taken) & self.matters)
    }

    /// The lowest byte of `text` is 0 unless that is no spelling at all.
    #[inline(always)]
    const fn key(text: u64, captures: bool) -> u64 {
        text | captures as u64
    }

    #[inline(always)]
    const fn index(key: u64) -> usize {
        // Found by trial: no two spellings share a place.
        (key.wrapping_mul(MULTIPLIER) >> (64 - INDEX_BITS)) as usize
    }
}

const MULTIPLIER: u64 = 0x7D8D_D474_C146_A389;

const fn spellings(exact: bool) -> Spellings {
    let mut table = [[NO_SPELLING; 1 << INDEX_BITS]; 2];
    let mut side = 0;
    while side < 2 {
        let advance = Spelling {
            key: 0,
            origins: u64::MAX,
            unusual: LAST_RANKS,
            matters: u64::MAX,
            ply: Ply::of(PAWN, side),
            movement: Movement::PUSH[side],
            attack: Movement::CAPTURE[1 - side],
            kind: PAWN,
            ..NO_SPELLING
        };
        insert(&mut table[side], advance);
        let mut file = b'a';
        while file <= b'h' {
            let (key, origins) = (Spelling::key((file as u64) << 56, true), squares_named(file));
            insert(&mut table[side], Spelling { key, origins, taken: u64::MAX, movement: Movement::CAPTURE[side], ..advance });
            file += 1;
        }
        let mut index = 0;
        while index < HINTS.len() * 10 {
            let (kind, captures, hint) = (KNIGHT + (index % 5) as u8, index / 5 % 2 == 1, HINTS[index / 10]);
            let (letter, movement) = ((b"NBRQK"[index % 5] as u64) << 56, Movement::of(kind));
            let text = if hint == 0 { letter } else { letter >> 8 | (hint as u64) << 56 };
            let piece = Spelling {
                key: Spelling::key(text, captures),
                origins: squares_named(hint),
                unusual: mask(kind == KING),
                taken: mask(captures),
                matters: mask(captures | exact),
                slides: mask(slides(kind)),
                ply: Ply::of(kind, side),
                movement,
                attack: movement,
                kind,
                is_hinted: hint != 0,
            };
            insert(&mut table[side], piece);
            index += 1;
        }
        side += 1;
    }
    table
}

/// The bytes that can tell pieces apart, 0 for none.
const HINTS: [u8; 17] = *b"\0abcdefgh12345678";

const fn insert(table: &mut [Spelling; 1 << INDEX_BITS], spelling: Spelling) {
    let place = &mut table[Spelling::index(spelling.key)];
    assert!(place.key == NO_SPELLING.key, "two spellings share a place");
    *place = spelling;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of up to three bytes, with and without `x`.
    #[test]
    fn only_canonical_spellings_are_found() {
        let mut found = 0;
        for first in 0..=u8::MAX {
            for second in (b' '..=b'~').chain([0]) {
                for third in *b"\0abh18Nx" {
                    for captures in [false, true] {
                        let text = u64::from_le_bytes([0, 0, 0, 0, 0, third, second, first]);
                        let expected = match [third, second, first] {
                            [0, 0, 0] => !captures,
                            [0, 0, b'a'..=b'h'] => captures,
                            [0, 0, b'N' | b'B' | b'R' | b'Q' | b'K'] => true,
                            [0, b'N' | b'B' | b'R' | b'Q' | b'K', b'a'..=b'h' | b'1'..=b'8'] => true,
                            _ => false,
                        };
                        let spelling = Spelling::find::<0, false>(text, captures);
                        assert_eq!(spelling.is_some(), expected, "{third} {second} {first} {captures}");
                        assert_eq!(Spelling::find::<1, true>(text, captures).is_some(), expected);
                        found += u32::from(expected);
                    }
                }
            }
        }
        assert_eq!(found, 179);
    }

    #[test]
    fn a_move_begins_where_its_bytes_begin() {
        let word = u64::from_le_bytes(*b"Nb1xd2 N");
        assert_eq!(SanWord::of(word, 6).first_lowest(), (u64::from_le_bytes(*b"Nb1xd2\0\0"), 6));
        assert_eq!(SanWord::of(word, 1).first_lowest(), (u64::from(b'N'), 1));
    }
}
