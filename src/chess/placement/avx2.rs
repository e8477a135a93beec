//! Reads placements on processors with 32-byte vectors: all ranks at once, without branches on the
//! bytes.

use std::{
    arch::x86_64::{
        __m256i, _bzhi_u64, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
        _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi64x,
        _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_slli_epi64, _mm256_srli_epi16, _mm256_sub_epi8,
        _mm256_testz_si256, _mm256_xor_si256,
    },
    array,
};

use shakmaty::{Bitboard, Color};

use super::{CODES, DIAGONAL, LEAPER, PAWN_COUNTS, PIECE_COUNTS, Pieces, STRAIGHT, WHITE};

/// Maximum length of a placement that is read here, in bytes.
pub(super) const MAX_LENGTH: usize = 64;
/// Bytes that are read of each rank.
const RANK: usize = 8;
/// The bit that differs between uppercase and lowercase letters.
const LOWERCASE_BIT: u8 = 0x20;

/// Letters and their codes. The index is made of both halves of the lowercase letter.
const LETTERS: ([u8; 16], [u8; 16]) = {
    let (mut letters, mut codes, mut kind) = ([0; 16], [0; 16], 0);
    while kind < CODES.len() {
        let (letter, code) = CODES[kind];
        let place = ((letter ^ letter >> 4) & 15) as usize;
        assert!(letters[place] == 0);
        (letters[place], codes[place]) = (letter, code);
        kind += 1;
    }
    (letters, codes)
};

/// How far the bit of a code is from the highest bit of its byte.
const fn shift(code: u8) -> i32 {
    code.leading_zeros() as i32
}

impl Pieces {
    /// Whether the processor has the features that [`Pieces::read_avx2`] is compiled for.
    #[inline]
    pub(crate) fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    /// Like [`Pieces::read`], but declines placements of more than 64 bytes and those close to the
    /// end of `text`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn read_avx2(text: &[u8]) -> Option<(Pieces, usize)> {
        let text: &[u8; MAX_LENGTH + RANK] = text.first_chunk()?;
        let word =
            |at: usize| text.get(at..at + 8).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let halves = [0, 32].map(|half| words(array::from_fn(|at| word(half + 8 * at))));
        let places = |byte: u8| {
            let [low, high] = halves.map(|half| bits(_mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte as i8))));
            u64::from(low) | u64::from(high) << 32
        };
        // NUL bytes fill up the ranks below, so one in the text ends the placement like a space.
        let [low, high] = halves.map(|half| {
            let space = _mm256_set1_epi8(b' ' as i8);
            bits(_mm256_cmpeq_epi8(_mm256_or_si256(half, space), space))
        });
        let spaces = u64::from(low) | u64::from(high) << 32;
        let length = spaces.trailing_zeros();
        // Each rank ends before a slash, the last one before the space.
        let mut stops = (places(b'/') | spaces) & (spaces ^ spaces.wrapping_sub(1));
        let (eight, mut start, mut beyond) = (stops.count_ones() == RANK as u32, 0, 0);
        let ranks: [u64; 8] = array::from_fn(|_| {
            let end = stops.trailing_zeros();
            stops &= stops.wrapping_sub(1);
            let width = end.wrapping_sub(start);
            beyond |= width.wrapping_sub(1);
            // Clears what comes after the rank.
            let kept = _bzhi_u64(word(start as usize % MAX_LENGTH), width << 3);
            start = end + 1;
            kept
        });
        let [a8, b7, c6, d5, e4, f3, g2, h1] = ranks;
        let (low, low_is_regular) = squares(words([h1, g2, f3, e4]));
        let (high, high_is_regular) = squares(words([d5, c6, b7, a8]));
        if !(eight & (spaces != 0) & (beyond < RANK as u32) & low_is_regular & high_is_regular) {
            return None;
        }
        // The highest bit of each byte.
        let plane = |low: __m256i, high: __m256i| u64::from(bits(low)) | u64::from(bits(high)) << 32;
        let diagonal = plane(_mm256_slli_epi16::<{ shift(DIAGONAL) }>(low), _mm256_slli_epi16::<{ shift(DIAGONAL) }>(high));
        let straight = plane(_mm256_slli_epi16::<{ shift(STRAIGHT) }>(low), _mm256_slli_epi16::<{ shift(STRAIGHT) }>(high));
        let leaper = plane(_mm256_slli_epi16::<{ shift(LEAPER) }>(low), _mm256_slli_epi16::<{ shift(LEAPER) }>(high));
        let white = plane(_mm256_slli_epi16::<{ shift(WHITE) }>(low), _mm256_slli_epi16::<{ shift(WHITE) }>(high));
        let pieces = Pieces::of_planes(diagonal, straight, leaper, white);
        let count = |some: Bitboard, color: Color| u64::from((some & pieces.of(color)).0.count_ones());
        let counts = Color::ALL.into_iter().fold(0, |counts, color| {
            counts
                | count(pieces.occupied(), color) << PIECE_COUNTS[color as usize]
                | count(pieces.pawns, color) << PAWN_COUNTS[color as usize]
        });
        Some((Pieces { counts, ..pieces }, length as usize))
    }
}

/// The codes of the squares of four ranks, and whether the ranks are regular. Each rank is as
/// written, from the lowest byte of its word, followed by zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn squares(ranks: __m256i) -> (__m256i, bool) {
    let all = |byte: u8| _mm256_set1_epi8(byte as i8);
    let lowercase = _mm256_or_si256(ranks, all(LOWERCASE_BIT));
    let place = _mm256_and_si256(_mm256_xor_si256(lowercase, _mm256_srli_epi16::<4>(lowercase)), all(15));
    let letters = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(twice(LETTERS.0), place), lowercase);
    let number = _mm256_sub_epi8(ranks, all(b'1'));
    let digits = _mm256_cmpeq_epi8(_mm256_min_epu8(number, all(7)), number);
    // An uppercase letter lacks the bit of lowercase letters.
    let white = _mm256_andnot_si256(_mm256_srli_epi16::<2>(ranks), all(WHITE));
    let codes = _mm256_or_si256(_mm256_shuffle_epi8(twice(LETTERS.1), place), white);
    let codes = _mm256_and_si256(codes, letters);
    // The number of squares of each byte, and their running totals.
    let widths = _mm256_or_si256(_mm256_and_si256(letters, all(1)), _mm256_and_si256(digits, _mm256_and_si256(ranks, all(15))));
    let sums = _mm256_add_epi8(widths, _mm256_slli_epi64::<8>(widths));
    let sums = _mm256_add_epi8(sums, _mm256_slli_epi64::<16>(sums));
    let sums = _mm256_add_epi8(sums, _mm256_slli_epi64::<32>(sums));
    // For each square, the number of bytes that end before it. This is the index of the byte that
    // describes it.
    let square = _mm256_set1_epi64x(0x0807_0605_0403_0201);
    let ends_before = |byte: u8| {
        let sum = array::from_fn(|at| if at < 8 { byte } else { byte + 8 });
        _mm256_cmpgt_epi8(square, _mm256_shuffle_epi8(sums, twice(sum)))
    };
    // Masks are -1; the second rank of each half begins eight bytes on.
    let first = twice(array::from_fn(|at| if at < 8 { 0 } else { 8 }));
    let taking = [0, 1, 2, 3, 4, 5, 6].into_iter().fold(first, |taking, byte| _mm256_sub_epi8(taking, ends_before(byte)));
    let known = _mm256_or_si256(_mm256_or_si256(letters, digits), _mm256_cmpeq_epi8(ranks, _mm256_setzero_si256()));
    let two_digits = _mm256_and_si256(digits, _mm256_slli_epi64::<8>(digits));
    // The last total of each rank must be 8.
    let last = _mm256_set1_epi64x(0xFF << 56);
    let too_few = _mm256_and_si256(_mm256_xor_si256(sums, all(8)), last);
    let wrong = _mm256_or_si256(_mm256_andnot_si256(known, all(0xFF)), _mm256_or_si256(two_digits, too_few));
    (_mm256_shuffle_epi8(codes, taking), _mm256_testz_si256(wrong, wrong) == 1)
}

/// Four words, the first one lowest.
#[inline]
#[target_feature(enable = "avx2")]
fn words(words: [u64; 4]) -> __m256i {
    let [first, second, third, fourth] = words.map(u64::cast_signed);
    _mm256_set_epi64x(fourth, third, second, first)
}

/// A table, in both halves of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn twice(table: [u8; 16]) -> __m256i {
    let [low, high] = [0, 64].map(|shift| (u128::from_le_bytes(table) >> shift) as u64);
    words([low, high, low, high])
}

/// The highest bit of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes).cast_unsigned()
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(unsafe_code)]

    use super::Pieces;

    /// The result of [`Pieces::read_avx2`], if the processor can run it.
    pub fn read_avx2(text: &[u8]) -> Option<Option<(Pieces, usize)>> {
        // SAFETY: the processor has all features that the function requires.
        Pieces::has_avx2().then(|| unsafe { Pieces::read_avx2(text) })
    }
}
