//! Accepts position lines and rows with AVX2 and bit manipulation instructions, which nearly all
//! processors have. This is faster than the code for every processor. The choice is made at run
//! time.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_andnot_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x,
    _mm256_set1_epi8,
};

#[cfg(target_arch = "x86_64")]
use super::{
    accepted_lines::accept_lines_generic,
    marks::{MARKED, Marks},
    operations::{self, AcceptedOperations, LineWithOperations},
};
use super::{
    accepted_lines::{AcceptedLine, accept_lines_portable, accept_rows_generic},
    row::AcceptedRow,
};
use crate::{chess::Pieces, table::Table};

/// [`accept_lines`](super::accept_lines) on this processor.
pub(super) fn accept_lines(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    #[cfg(target_arch = "x86_64")]
    if Pieces::has_avx2() {
        // SAFETY: the function requires the same features as `Pieces::read_avx2`, and these have
        // just been detected.
        return unsafe { accept_lines_avx2(text, start, take) };
    }
    accept_lines_portable(text, start, take);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn accept_lines_avx2(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    let read = |text: &[u8]| Pieces::read_avx2(text).or_else(|| Pieces::read(text));
    accept_lines_generic(text, start, read, |line: LineWithOperations<'_>| operations_avx2(line), take);
}

/// [`operations::read`] on this processor. It is not part of the code for lines without operations.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn operations_avx2(line: LineWithOperations<'_>) -> Option<(usize, AcceptedOperations)> {
    operations::read(line, |bytes| marks_avx2(bytes))
}

/// [`marks`](super::marks::marks) with one vector.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn marks_avx2(bytes: &[u8; MARKED]) -> Marks {
    let mut words = [0; MARKED / 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = i64::from_le_bytes(*bytes);
    }
    let [first, second, third, fourth] = words;
    let bytes = _mm256_set_epi64x(fourth, third, second, first);
    let is = |byte: u8| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte.cast_signed()));
    // As signed numbers, bytes above 0x7F are below the space.
    let from_space = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(0x1F));
    let others = _mm256_or_si256(is(0x7F), _mm256_or_si256(is(b'"'), is(b'\\')));
    let plain = _mm256_andnot_si256(others, from_space);
    Marks { special: !_mm256_movemask_epi8(plain).cast_unsigned(), equals: _mm256_movemask_epi8(is(b'=')).cast_unsigned() }
}

/// [`accept_rows`](super::accept_rows) on this processor.
pub(super) fn accept_rows(text: &[u8], start: usize, table: &Table, take: impl FnMut(AcceptedRow) -> bool) {
    #[cfg(target_arch = "x86_64")]
    if Pieces::has_avx2() {
        // SAFETY: as in `accept_lines`.
        return unsafe { accept_rows_avx2(text, start, table, take) };
    }
    accept_rows_generic(text, start, table, Pieces::read, take);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn accept_rows_avx2(text: &[u8], start: usize, table: &Table, take: impl FnMut(AcceptedRow) -> bool) {
    let read = |text: &[u8]| Pieces::read_avx2(text).or_else(|| Pieces::read(text));
    accept_rows_generic(text, start, table, read, take);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn both_builds_mark_the_same_bytes() {
        if !Pieces::has_avx2() {
            return;
        }
        for start in 0..=u8::MAX {
            let bytes: [u8; MARKED] = std::array::from_fn(|at| start.wrapping_add(at as u8 * 7));
            // SAFETY: the processor has all features that the function requires.
            let marked = unsafe { marks_avx2(&bytes) };
            assert_eq!(marked, super::super::marks::marks(&bytes), "{bytes:?}");
        }
    }

    #[test]
    fn both_builds_agree() {
        let fields = ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "4k3/8/8/8/8/8/4P3/4K3", "8/8/8/8/8/8/8/k1K5"];
        let ends = ["w KQkq - 0 2", "b KQkq e3 0 1", "w - - 3 40", "b - -", "w - - 0 1 x", "w - - bm Kf1; c0 \"\u{fc}b\";"];
        let lines: Vec<String> = fields.iter().flat_map(|placement| ends.map(|end| format!("{placement} {end}\n"))).collect();
        let mut accepted = 0;
        for number in 0..lines.len() {
            // With other lines after it, and as the last one of the text.
            for text in [lines[number..].concat(), lines[number].clone()] {
                let (mut fast, mut portable) = (Vec::new(), Vec::new());
                let all = |lines: &mut Vec<AcceptedLine>, line| {
                    lines.push(line);
                    true
                };
                accept_lines(text.as_bytes(), 0, |line| all(&mut fast, line));
                accept_lines_generic(
                    text.as_bytes(),
                    0,
                    Pieces::read,
                    super::super::accepted_lines::operations_portable,
                    |line| all(&mut portable, line),
                );
                assert_eq!(fast, portable, "{text}");
                accepted += fast.len();
            }
        }
        assert!(accepted > 4, "{accepted} accepted lines");
    }
}
