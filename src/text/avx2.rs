//! Searches text with AVX2, 32 bytes at a time. The functions return `None`, or do nothing, if the processor does not
//! have it.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extract_epi64, _mm256_loadu_si256,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_sub_epi8,
};

use memchr::memchr;

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

/// Goes on from `at` to the next bracket, or close to the end of the text. Returns where that is, and the number of slashes
/// before it.
#[inline]
pub(super) fn skip_to_bracket(text: &[u8], at: usize) -> (usize, usize) {
    if has_avx2() {
        // SAFETY: as in `is_plain_ascii`.
        return unsafe { skip_to_bracket_avx2(text, at) };
    }
    (at, 0)
}

/// The numbers of LF, of CR, and of CR that LF follows. `portable` counts them in what is shorter than a vector.
#[inline]
pub(super) fn count_line_ends(text: &[u8], portable: impl Fn(&[u8]) -> [usize; 3]) -> Option<[usize; 3]> {
    // SAFETY: as in `is_plain_ascii`.
    has_avx2().then(|| unsafe { count_line_ends_avx2(text, portable) })
}

/// [`each_name`](super::each_name) for texts that are not too short.
#[inline]
pub(super) fn each_name(text: &[u8], names: [[u8; 2]; 3], note: impl FnMut(usize)) -> Option<()> {
    if text.len() >= WITH_NAMES && has_avx2() {
        // SAFETY: as in `is_plain_ascii`.
        unsafe { each_name_avx2(text, names, note) };
        return Some(());
    }
    None
}

#[target_feature(enable = "avx2,popcnt")]
fn is_plain_ascii_avx2(text: &[u8]) -> Option<bool> {
    let is_plain = |part: &[u8; WIDTH]| {
        let bytes = vector(part);
        // Signed: DEL becomes negative, as bytes beyond ASCII are.
        let printable = _mm256_cmpgt_epi8(_mm256_add_epi8(bytes, all(1)), all(b' '));
        let number = _mm256_sub_epi8(bytes, all(b'\t'));
        let whitespace = _mm256_cmpeq_epi8(_mm256_min_epu8(number, all(b'\r' - b'\t')), number);
        _mm256_or_si256(printable, whitespace)
    };
    // The last part may overlap the one before.
    let last = is_plain(text.last_chunk()?);
    let plain = text.as_chunks().0.iter().fold(last, |plain, part| _mm256_and_si256(plain, is_plain(part)));
    Some(bits(plain) == u32::MAX)
}

#[target_feature(enable = "avx2,popcnt")]
fn skip_to_bracket_avx2(text: &[u8], mut at: usize) -> (usize, usize) {
    let mut slashes = 0;
    while let Some(part) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let bytes = vector(part);
        // `[` and `{` differ in one bit.
        let opening = _mm256_cmpeq_epi8(_mm256_or_si256(bytes, all(b'[' ^ b'{')), all(b'{'));
        let brackets = bits(_mm256_or_si256(opening, _mm256_cmpeq_epi8(bytes, all(b'}'))));
        let found = bits(_mm256_cmpeq_epi8(bytes, all(b'/')));
        if brackets != 0 {
            let before = found & (brackets ^ brackets.wrapping_sub(1));
            return (at + brackets.trailing_zeros() as usize, slashes + before.count_ones() as usize);
        }
        slashes += found.count_ones() as usize;
        at += WIDTH;
    }
    (at, slashes)
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

#[target_feature(enable = "avx2,popcnt")]
fn each_name_avx2(text: &[u8], names: [[u8; 2]; 3], mut note: impl FnMut(usize)) {
    let last = text.len().saturating_sub(WITH_NAMES);
    let mut at = 0;
    loop {
        // The last part may overlap the one before.
        let start = at.min(last);
        let Some(part) = text.get(start..).and_then(|rest| rest.first_chunk::<WITH_NAMES>()) else { return };
        let [first, second, third] = [0, 1, 2].map(|from| part[from..].first_chunk().map_or(all(0), |part| vector(part)));
        let names =
            names.map(|[one, two]| _mm256_and_si256(_mm256_cmpeq_epi8(first, all(one)), _mm256_cmpeq_epi8(second, all(two))));
        let any = _mm256_or_si256(_mm256_or_si256(names[0], names[1]), names[2]);
        let mut found = bits(_mm256_and_si256(any, _mm256_cmpeq_epi8(third, all(b'=')))) & u32::MAX << (at - start);
        while found != 0 {
            note(start + found.trailing_zeros() as usize);
            found &= found - 1;
        }
        if at >= last {
            return;
        }
        at += WIDTH;
    }
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn vector(bytes: &[u8; WIDTH]) -> __m256i {
    // SAFETY: a vector is read from as many bytes. They need not be aligned.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
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
