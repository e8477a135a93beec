//! Pawn structure: where pawns can have come from, and how many captures this took.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square};

/// Maximum number of sets with the same number of files: those with four.
const MAX_SETS: usize = 70;

/// The minimum number of captures with which the pawns of a side, seen from its own back rank, can
/// have reached their squares. `None` if they cannot.
///
/// A pawn changes its file by one with each capture, and each capture also advances it by one rank.
/// So a pawn on file f and rank r began on a file g with `|f - g| <= r - 2` and has made at least
/// `|f - g|` captures. No two pawns began on one file. The result is the minimum sum of distances
/// over all assignments of pawns to files. Other constraints are ignored, so the number is never
/// too high.
pub(super) fn captures_needed(pawns: Bitboard) -> Option<u32> {
    if has_at_most_one_on_each_file(pawns) {
        return Some(0);
    }
    const UNREACHABLE: u8 = u8::MAX;
    if pawns.count() > 8 {
        return None;
    }
    // The sets of start files that are possible so far, and the minimum number of captures for each
    // set.
    let mut sets: ArrayVec<u8, MAX_SETS> = [0].into_iter().collect();
    let mut least = [0; 256];
    for pawn in pawns {
        let (mut next_sets, mut next) = (ArrayVec::new(), [UNREACHABLE; 256]);
        for used in sets {
            for start in start_files(pawn).filter(|start| used & 1 << start == 0) {
                let with = used | 1 << start;
                let fewest = &mut next[usize::from(with)];
                if *fewest == UNREACHABLE {
                    next_sets.push(with);
                }
                *fewest = (*fewest).min(least[usize::from(used)] + distance(pawn, start));
            }
        }
        (sets, least) = (next_sets, next);
    }
    sets.into_iter().map(|used| u32::from(least[usize::from(used)])).min()
}

/// Whether there is at most one pawn on each file.
fn has_at_most_one_on_each_file(pawns: Bitboard) -> bool {
    let Bitboard(mut above) = pawns;
    above <<= 8;
    above |= above << 8;
    above |= above << 16;
    above |= above << 32;
    (pawns & Bitboard(above)).is_empty()
}

/// The files on which a pawn can have begun.
fn start_files(pawn: Square) -> std::ops::RangeInclusive<usize> {
    let (file, rank) = (pawn.file() as usize, pawn.rank() as usize);
    let reach = rank.saturating_sub(1);
    file.saturating_sub(reach)..=(file + reach).min(7)
}

fn distance(pawn: Square, start: usize) -> u8 {
    (pawn.file() as usize).abs_diff(start) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(squares: &[Square]) -> Option<u32> {
        captures_needed(squares.iter().copied().collect())
    }

    #[test]
    fn files_apart_need_no_capture() {
        assert_eq!(of(&[]), Some(0));
        assert_eq!(of(&[Square::A2, Square::B7, Square::H3]), Some(0));
    }

    #[test]
    fn doubled_pawns_need_captures() {
        assert_eq!(of(&[Square::A2, Square::A3]), Some(1));
        assert_eq!(of(&[Square::A2, Square::A3, Square::B2]), None);
        assert_eq!(of(&[Square::A2, Square::A4, Square::B2]), Some(2));
        assert_eq!(of(&[Square::A2, Square::A3, Square::A4]), Some(3));
        // The pawn on d3 began on c2, the one on c6 on g2.
        assert_eq!(
            of(&[Square::C6, Square::D3, Square::A2, Square::B2, Square::D2, Square::E2, Square::F2, Square::H2]),
            Some(5)
        );
    }

    #[test]
    fn each_further_pawn_on_a_rook_file_takes_one_capture_more() {
        let file = |ranks: std::ops::RangeInclusive<u32>| ranks.map(|rank| Square::new(rank * 8)).collect::<Vec<_>>();
        assert_eq!(of(&file(1..=5)), Some(10));
        assert_eq!(of(&file(1..=6)), Some(15));
        assert_eq!(of(&file(2..=6)), Some(10));
    }
}
