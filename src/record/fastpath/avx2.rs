//! Accepts position lines and rows with AVX2 and bit manipulation instructions, which nearly all processors
//! have. This is faster than the code for every processor. The choice is made at run time.

#![allow(unsafe_code)]

use super::{AcceptedLine, AcceptedRow, accept_lines_generic, accept_rows_generic};
use crate::{chess::Pieces, table::Table};

/// [`accept_lines`](super::accept_lines) on this processor.
pub(super) fn accept_lines(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    #[cfg(target_arch = "x86_64")]
    if Pieces::has_avx2() {
        // SAFETY: the function requires the same features as `Pieces::read_avx2`, and these have
        // just been detected.
        return unsafe { accept_lines_avx2(text, start, take) };
    }
    accept_lines_generic(text, start, Pieces::read, take);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn accept_lines_avx2(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    accept_lines_generic(text, start, |text| Pieces::read_avx2(text).or_else(|| Pieces::read(text)), take);
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

    #[test]
    fn both_builds_agree() {
        let fields = ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "4k3/8/8/8/8/8/4P3/4K3", "8/8/8/8/8/8/8/k1K5"];
        let ends = ["w KQkq - 0 2", "b KQkq e3 0 1", "w - - 3 40", "b - -", "w - - 0 1 x"];
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
                accept_lines_generic(text.as_bytes(), 0, Pieces::read, |line| all(&mut portable, line));
                assert_eq!(fast, portable, "{text}");
                accepted += fast.len();
            }
        }
        assert!(accepted > 4, "{accepted} accepted lines");
    }
}
