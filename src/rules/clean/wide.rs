//! The proof for position lines on processors that look at 32 bytes, and count and shift bits, in one instruction, as nearly all do: faster
//! there than what is compiled for every processor. Which of both is taken is found out at run time.

#![allow(unsafe_code)]

use super::{CleanLine, clean_lines_here};
use crate::chess::Men;

/// [`clean_lines`](super::clean_lines) on this processor.
pub(super) fn clean_lines(text: &[u8], start: usize, take: impl FnMut(CleanLine) -> bool) {
    #[cfg(target_arch = "x86_64")]
    if Men::reads_wide() {
        // SAFETY: the function asks for no other features than `Men::read_wide`, and these have just been found.
        return unsafe { clean_lines_wide(text, start, take) };
    }
    clean_lines_here(text, start, Men::read, take);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn clean_lines_wide(text: &[u8], start: usize, take: impl FnMut(CleanLine) -> bool) {
    clean_lines_here(text, start, |text| Men::read_wide(text).or_else(|| Men::read(text)), take);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_tell_the_same() {
        let fields = ["rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "4k3/8/8/8/8/8/4P3/4K3", "8/8/8/8/8/8/8/k1K5"];
        let ends = ["w KQkq - 0 2", "b KQkq e3 0 1", "w - - 3 40", "b - -", "w - - 0 1 x"];
        let lines: Vec<String> = fields.iter().flat_map(|placement| ends.map(|end| format!("{placement} {end}\n"))).collect();
        let mut clean = 0;
        for number in 0..lines.len() {
            // With others behind it, and as the last one of the text.
            for text in [lines[number..].concat(), lines[number].clone()] {
                let (mut told, mut portable) = (Vec::new(), Vec::new());
                let all = |lines: &mut Vec<CleanLine>, line| {
                    lines.push(line);
                    true
                };
                clean_lines(text.as_bytes(), 0, |line| all(&mut told, line));
                clean_lines_here(text.as_bytes(), 0, Men::read, |line| all(&mut portable, line));
                assert_eq!(told, portable, "{text}");
                clean += told.len();
            }
        }
        assert!(clean > 4, "{clean} lines are clean");
    }
}
