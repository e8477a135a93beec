//! Searches text with AVX2, 32 bytes at a time. The functions return `None`, or do nothing, if the
//! processor does not have it.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extract_epi64,
    _mm256_loadu_si256, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_sad_epu8, _mm256_set1_epi8,
    _mm256_setr_epi64x, _mm256_shuffle_epi8, _mm256_sub_epi8,
};

use memchr::memchr;

use super::names::Names;

/// Bytes in a vector.
const WIDTH: usize = 32;

/// Bytes that are read for the names that begin in a part: the last one may end after it.
const WITH_NAMES: usize = WIDTH + 2;

/// Whether the processor has the features that the functions below require.
#[inline]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

/// [`is_plain_ascii`](super::is_plain_ascii) for texts that are not shorter than a vector.
#[inline]
pub(super) fn is_plain_ascii(text: &[u8]) -> Option<bool> {
    if text.len() >= WIDTH && has_avx2() {
        // SAFETY: the processor has just been asked for the features that the function requires.
        return unsafe { is_plain_ascii_avx2(text) };
    }
    None
}

/// [`count_plain_lines`](super::count_plain_lines) for texts that are not shorter than a vector.
#[inline]
pub(super) fn count_plain_lines(text: &[u8]) -> Option<Option<usize>> {
    // SAFETY: as in `is_plain_ascii`.
    (text.len() >= WIDTH && has_avx2()).then(|| unsafe { count_lf_lines(text).or_else(|| count_cr_lf_lines(text)) })
}

/// Goes on from `at` to the next bracket, or close to the end of the text. Returns where that is,
/// and the number of slashes before it. Notes values as
/// [`next_bracket_after_names`](super::next_bracket_after_names) does.
#[inline]
pub(super) fn skip_to_bracket(text: &[u8], at: usize, names: Option<(&Names, &mut [usize; 4])>) -> (usize, usize) {
    if has_avx2() {
        // SAFETY: as in `is_plain_ascii`.
        return unsafe { skip_to_bracket_avx2(text, at, names) };
    }
    (at, 0)
}

/// The numbers of LF, of CR, and of CR that LF follows. `portable` counts them in what is shorter
/// than a vector.
#[inline]
pub(super) fn count_line_ends(text: &[u8], portable: impl Fn(&[u8]) -> [usize; 3]) -> Option<[usize; 3]> {
    // SAFETY: as in `is_plain_ascii`.
    has_avx2().then(|| unsafe { count_line_ends_avx2(text, portable) })
}

#[target_feature(enable = "avx2,popcnt")]
fn is_plain_ascii_avx2(text: &[u8]) -> Option<bool> {
    let is_plain = |part: &[u8; WIDTH]| {
        let number = _mm256_sub_epi8(vector(part), all(b'\t'));
        let whitespace = _mm256_cmpeq_epi8(_mm256_min_epu8(number, all(b'\r' - b'\t')), number);
        _mm256_or_si256(printable(part), whitespace)
    };
    // The last part may overlap the one before.
    let last = is_plain(text.last_chunk()?);
    let plain = text.as_chunks().0.iter().fold(last, |plain, part| _mm256_and_si256(plain, is_plain(part)));
    Some(bits(plain) == u32::MAX)
}

/// [`count_plain_lines`] for texts without CR, which nearly all are.
#[target_feature(enable = "avx2,popcnt")]
fn count_lf_lines(text: &[u8]) -> Option<usize> {
    let (parts, rest) = text.as_chunks();
    let (mut plain, mut lines) = (all(u8::MAX), 0);
    // No byte of a sum may exceed 255.
    for parts in parts.chunks(255) {
        let mut sums = all(0);
        for part in parts {
            let lf = _mm256_cmpeq_epi8(vector(part), all(b'\n'));
            plain = _mm256_and_si256(plain, _mm256_or_si256(printable(part), lf));
            sums = _mm256_sub_epi8(sums, lf);
        }
        lines += total(sums);
    }
    // The last part overlaps the one before.
    let last = text.last_chunk()?;
    let lf = bits(_mm256_cmpeq_epi8(vector(last), all(b'\n')));
    let new = lf.checked_shr((WIDTH - rest.len()) as u32).unwrap_or(0);
    (bits(plain) & (bits(printable(last)) | lf) == u32::MAX).then_some(lines + new.count_ones() as usize)
}

/// [`count_plain_lines`] for any text.
#[target_feature(enable = "avx2,popcnt")]
fn count_cr_lf_lines(text: &[u8]) -> Option<usize> {
    let is = |byte: u8, part: &[u8; WIDTH]| _mm256_cmpeq_epi8(vector(part), all(byte));
    // The bytes after those of each part. There may be one part less.
    let (parts, next) = (text.as_chunks().0, text.get(1..)?.as_chunks().0);
    let mut plain = all(u8::MAX);
    let lines = count(parts.iter().zip(next).map(|(part, next)| {
        let (lf, cr_lf) = (is(b'\n', part), _mm256_and_si256(is(b'\r', part), is(b'\n', next)));
        plain = _mm256_and_si256(plain, _mm256_or_si256(printable(part), _mm256_or_si256(lf, cr_lf)));
        lf
    }));
    // The last part overlaps the one before.
    let last = text.last_chunk()?;
    let (lf, cr) = (bits(is(b'\n', last)), bits(is(b'\r', last)));
    let new = lf >> (WIDTH * (next.len() + 1) - text.len());
    (bits(plain) & (bits(printable(last)) | lf | cr & lf >> 1) == u32::MAX).then_some(lines + new.count_ones() as usize)
}

/// The printable characters of ASCII.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn printable(part: &[u8; WIDTH]) -> __m256i {
    // Signed: DEL becomes negative, as bytes beyond ASCII are.
    _mm256_cmpgt_epi8(_mm256_add_epi8(vector(part), all(1)), all(b' '))
}

#[target_feature(enable = "avx2,popcnt")]
fn skip_to_bracket_avx2(text: &[u8], at: usize, names: Option<(&Names, &mut [usize; 4])>) -> (usize, usize) {
    match names {
        None => skip_to_stop(text, at, |part: &[u8; WIDTH]| brackets(vector(part)), |_, _| ()),
        Some((names, values)) => {
            let [first, second] = [&names.first, &names.second].map(|table| twice(table));
            let stops = |part: &[u8; WITH_NAMES]| {
                let [one, two, three] = [0, 1, 2].map(|from| part[from..].first_chunk().map_or(all(0), |part| vector(part)));
                let letters = _mm256_and_si256(_mm256_shuffle_epi8(first, one), _mm256_shuffle_epi8(second, two));
                let named = _mm256_andnot_si256(_mm256_cmpeq_epi8(letters, all(0)), _mm256_cmpeq_epi8(three, all(b'=')));
                _mm256_or_si256(brackets(one), named)
            };
            skip_to_stop(text, at, stops, |place, letter| values[usize::from(letter & 3)] = place + 3)
        }
    }
}

/// [`skip_to_bracket_avx2`]. `stops` finds the brackets in a part, and what `note` is called with:
/// a place and its byte.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn skip_to_stop<const LENGTH: usize>(
    text: &[u8],
    start: usize,
    stops: impl Fn(&[u8; LENGTH]) -> __m256i,
    mut note: impl FnMut(usize, u8),
) -> (usize, usize) {
    let (mut at, mut slashes) = (start, 0);
    while let Some(part) = text.get(at..).and_then(|rest| rest.first_chunk::<LENGTH>()) {
        let bytes = part.first_chunk().map_or(all(0), |part| vector(part));
        let slash = bits(_mm256_cmpeq_epi8(bytes, all(b'/')));
        let mut found = bits(stops(part));
        if found != 0 {
            let brackets = bits(brackets(bytes));
            let before = brackets ^ brackets.wrapping_sub(1);
            found &= before & !brackets;
            while found != 0 {
                let place = found.trailing_zeros() as usize;
                note(at + place, part[place % WIDTH]);
                found &= found - 1;
            }
            if brackets != 0 {
                let last = (slash & before).count_ones() as usize;
                return (at + brackets.trailing_zeros() as usize, slashes + last);
            }
        }
        slashes += slash.count_ones() as usize;
        at += WIDTH;
    }
    (at, slashes)
}

/// The brackets `{`, `}` and `[`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn brackets(bytes: __m256i) -> __m256i {
    // `[` and `{` differ in one bit.
    let opening = _mm256_cmpeq_epi8(_mm256_or_si256(bytes, all(b'[' ^ b'{')), all(b'{'));
    _mm256_or_si256(opening, _mm256_cmpeq_epi8(bytes, all(b'}')))
}

#[target_feature(enable = "avx2,popcnt")]
fn count_line_ends_avx2(text: &[u8], portable: impl Fn(&[u8]) -> [usize; 3]) -> [usize; 3] {
    let is = |byte: u8, part: &[u8; WIDTH]| _mm256_cmpeq_epi8(vector(part), all(byte));
    let (parts, rest) = text.as_chunks();
    let [lf_in_rest, cr_in_rest, _] = portable(rest);
    let lf = count(parts.iter().map(|part| is(b'\n', part)));
    if memchr(b'\r', text).is_none() {
        return [lf + lf_in_rest, 0, 0];
    }
    let cr = count(parts.iter().map(|part| is(b'\r', part)));
    // The bytes after those of each part. There may be one part less.
    let next = text.get(1..).unwrap_or_default().as_chunks().0;
    let pairs = parts.iter().zip(next).map(|(part, next)| _mm256_and_si256(is(b'\r', part), is(b'\n', next)));
    let [.., more_pairs] = portable(&text[pairs.len() * WIDTH..]);
    [lf + lf_in_rest, cr + cr_in_rest, count(pairs) + more_pairs]
}

/// The number of bytes that are -1.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn count(mut found: impl ExactSizeIterator<Item = __m256i>) -> usize {
    let mut count = 0;
    while found.len() > 0 {
        // No byte of a sum may exceed 255.
        count += total(found.by_ref().take(255).fold(all(0), |sums, found| _mm256_sub_epi8(sums, found)));
    }
    count
}

/// The sum of all bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn total(bytes: __m256i) -> usize {
    let sums = _mm256_sad_epu8(bytes, all(0));
    let sum = |words: i64| words.cast_unsigned() as usize;
    sum(_mm256_extract_epi64::<0>(sums))
        + sum(_mm256_extract_epi64::<1>(sums))
        + sum(_mm256_extract_epi64::<2>(sums))
        + sum(_mm256_extract_epi64::<3>(sums))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn vector(bytes: &[u8; WIDTH]) -> __m256i {
    // SAFETY: a vector is read from as many bytes. They need not be aligned.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// A table of 16 bytes for both halves of a vector.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn twice(table: &[u8; 16]) -> __m256i {
    let [low, high] = [0, 8].map(|from| table[from..].first_chunk().map_or(0, |half| i64::from_le_bytes(*half)));
    _mm256_setr_epi64x(low, high, low, high)
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn all(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// The highest bit of each byte.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn bits(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes).cast_unsigned()
}
