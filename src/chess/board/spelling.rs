//! Canonical spellings of moves, apart from the target square, promotions and check marks: `N`,
//! `Nb`, `N1x`, `ex`.

use super::{
    Movement,
    history::PackedPly,
    square_tables::{KING, KNIGHT, LAST_RANKS, NONE, PAWN, mask, slides, squares_named},
};

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
    /// The bytes before the target, the last one highest.
    text: u64,
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
    pub ply: PackedPly,
    /// How the piece goes to the target.
    pub movement: Movement,
    /// How a piece on an attacked square would go to the attacker.
    pub attack: Movement,
    /// The kind of piece.
    pub kind: u8,
    /// Whether there is an `x`.
    pub captures: bool,
    /// The file or rank that tells pieces apart, 0 for none.
    hint: u8,
}

const NO_SPELLING: Spelling = Spelling {
    text: u64::MAX,
    origins: 0,
    unusual: 0,
    taken: 0,
    matters: 0,
    slides: 0,
    ply: PackedPly::NONE,
    movement: Movement::of(NONE),
    attack: Movement::of(NONE),
    kind: NONE,
    captures: false,
    hint: 0,
};

/// There are 179 spellings.
const INDEX_BITS: u32 = 10;

/// The spellings of each side, each in a place of its own.
type Spellings = [[Spelling; 1 << INDEX_BITS]; 2];

const SPELLINGS: &Spellings = &spellings(false);

/// The same if `x` must be written.
const EXACT_SPELLINGS: &Spellings = &spellings(true);

impl Spelling {
    /// The spelling `text`: the bytes before the target, the last one highest. `None` if it is not
    /// canonical. With `EXACT`, captures must have an `x`.
    #[inline(always)]
    pub fn find<const SIDE: usize, const EXACT: bool>(text: u64) -> Option<&'static Spelling> {
        let spellings = if EXACT { EXACT_SPELLINGS } else { SPELLINGS };
        let spelling = &spellings[SIDE][Spelling::index(text)];
        (spelling.text == text).then_some(spelling)
    }

    /// The spelling of a piece with this letter, if nothing else is before the target.
    #[inline]
    pub fn of_piece<const SIDE: usize>(letter: u8) -> Option<&'static Spelling> {
        Spelling::find::<SIDE, false>(u64::from(letter) << 56).filter(|piece| piece.kind != PAWN)
    }

    /// Whether a file or a rank is named.
    #[inline(always)]
    pub const fn is_hinted(&self) -> bool {
        self.hint != 0
    }

    /// Whether a file is named.
    pub const fn names_file(&self) -> bool {
        self.hint.is_ascii_lowercase()
    }

    /// Squares to which the piece goes only in unusual moves, or not at all, if the sides have
    /// pieces on these squares.
    #[inline(always)]
    pub const fn unclear_targets(&self, ours: u64, theirs: u64) -> u64 {
        self.impossible_targets(ours, theirs) | self.unusual
    }

    /// Squares to which the piece cannot go if the sides have pieces on these squares, except for
    /// en passant captures.
    #[inline(always)]
    pub const fn impossible_targets(&self, ours: u64, theirs: u64) -> u64 {
        ours | ((theirs ^ self.taken) & self.matters)
    }

    #[inline(always)]
    const fn index(text: u64) -> usize {
        // Found by trial: no two spellings share a place.
        (text.wrapping_mul(MULTIPLIER) >> (64 - INDEX_BITS)) as usize
    }
}

const MULTIPLIER: u64 = 0x4965_8ECB_8D51_912B;

const fn spellings(exact: bool) -> Spellings {
    let mut table = [[NO_SPELLING; 1 << INDEX_BITS]; 2];
    let mut side = 0;
    while side < 2 {
        let advance = Spelling {
            text: 0,
            origins: u64::MAX,
            unusual: LAST_RANKS,
            matters: u64::MAX,
            ply: PackedPly::of(PAWN, side),
            movement: Movement::PUSH[side],
            attack: Movement::CAPTURE[1 - side],
            kind: PAWN,
            ..NO_SPELLING
        };
        insert(&mut table[side], advance);
        let mut file = b'a';
        while file <= b'h' {
            let capture = Spelling {
                text: captured((file as u64) << 56),
                origins: squares_named(file),
                taken: u64::MAX,
                movement: Movement::CAPTURE[side],
                captures: true,
                ..advance
            };
            insert(&mut table[side], capture);
            file += 1;
        }
        let mut index = 0;
        while index < HINTS.len() * 10 {
            let (kind, captures, hint) = (KNIGHT + (index % 5) as u8, index / 5 % 2 == 1, HINTS[index / 10]);
            let (letter, movement) = ((b"NBRQK"[index % 5] as u64) << 56, Movement::of(kind));
            let text = if hint == 0 { letter } else { letter >> 8 | (hint as u64) << 56 };
            let piece = Spelling {
                text: if captures { captured(text) } else { text },
                origins: squares_named(hint),
                unusual: mask(kind == KING),
                taken: mask(captures),
                matters: mask(captures | exact),
                slides: mask(slides(kind)),
                ply: PackedPly::of(kind, side),
                movement,
                attack: movement,
                kind,
                captures,
                hint,
            };
            insert(&mut table[side], piece);
            index += 1;
        }
        side += 1;
    }
    table
}

/// The same text with an `x` after it.
const fn captured(text: u64) -> u64 {
    text >> 8 | (b'x' as u64) << 56
}

/// The bytes that can tell pieces apart, 0 for none.
const HINTS: [u8; 17] = *b"\0abcdefgh12345678";

const fn insert(table: &mut [Spelling; 1 << INDEX_BITS], spelling: Spelling) {
    let place = &mut table[Spelling::index(spelling.text)];
    assert!(place.text == NO_SPELLING.text, "two spellings share a place");
    *place = spelling;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text of up to four bytes.
    #[test]
    fn only_canonical_spellings_are_found() {
        let mut found = 0;
        for first in 0..=u8::MAX {
            for second in (b' '..=b'~').chain([0]) {
                for (third, fourth) in b"\0abh18KNx".iter().flat_map(|third| b"\0NKbx".map(|fourth| (*third, fourth))) {
                    let text = [fourth, third, second, first];
                    let expected = match text {
                        [0, 0, 0, 0] | [0, 0, b'a'..=b'h', b'x'] => true,
                        [0, 0, 0, letter] | [0, 0, letter, b'x'] => is_letter(letter),
                        [0, 0, letter, hint] | [0, letter, hint, b'x'] => is_letter(letter) && HINTS[1..].contains(&hint),
                        _ => false,
                    };
                    let [fourth, third, second, first] = text;
                    let text = u64::from_le_bytes([0, 0, 0, 0, fourth, third, second, first]);
                    let spelling = Spelling::find::<0, false>(text);
                    assert_eq!(spelling.is_some(), expected, "{fourth} {third} {second} {first}");
                    assert_eq!(Spelling::find::<1, true>(text).is_some(), expected);
                    if let Some(spelling) = spelling {
                        assert_eq!(spelling.captures, first == b'x');
                        assert_eq!(
                            spelling.is_hinted(),
                            spelling.kind != PAWN && HINTS[1..].iter().any(|hint| [second, first].contains(hint))
                        );
                    }
                    found += u32::from(expected);
                }
            }
        }
        assert_eq!(found, 1 + 8 + 5 + 5 + 5 * 16 + 2 * 16);
    }

    fn is_letter(byte: u8) -> bool {
        b"NBRQK".contains(&byte)
    }

    #[test]
    fn a_move_begins_where_its_bytes_begin() {
        let word = u64::from_le_bytes(*b"Nb1xd2 N");
        assert_eq!(SanWord::of(word, 6).first_lowest(), (u64::from_le_bytes(*b"Nb1xd2\0\0"), 6));
        assert_eq!(SanWord::of(word, 1).first_lowest(), (u64::from(b'N'), 1));
    }
}
