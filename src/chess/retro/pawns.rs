//! Pawn structure: where pawns can have come from, and how many captures that took.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square};

/// So many sets of files there are at most with as many files in them as each other: those with four.
const MOST_SETS: usize = 70;

/// The least number of captures by which the pawns `pawns` of a side, seen from its own back rank, can have come to where
/// they stand; `None` where no captures bring them there.
///
/// A pawn changes its file by one with each capture, and each capture takes it a rank further: the pawn on file f and rank r
/// began on a file g with |f - g| <= r - 2 and made |f - g| captures at least. No two began on one file. So the least number is
/// that of an assignment of pawns to files with the least sum of distances, and where there is no assignment there is no way.
/// Nothing else is asked, so that the number is never too great.
pub(super) fn captures_needed(pawns: Bitboard) -> Option<u32> {
    if has_one_on_each_file(pawns) {
        return Some(0);
    }
    const NO_WAY: u8 = u8::MAX;
    if pawns.count() > 8 {
        return None;
    }
    // The sets of start files that can be taken so far, and for each set the least number of captures.
    let mut sets: ArrayVec<u8, MOST_SETS> = [0].into_iter().collect();
    let mut least = [0; 256];
    for pawn in pawns {
        let (mut next_sets, mut next) = (ArrayVec::new(), [NO_WAY; 256]);
        for taken in sets {
            for start in start_files(pawn).filter(|start| taken & 1 << start == 0) {
                let with = taken | 1 << start;
                let fewest = &mut next[usize::from(with)];
                if *fewest == NO_WAY {
                    next_sets.push(with);
                }
                *fewest = (*fewest).min(least[usize::from(taken)] + distance(pawn, start));
            }
        }
        (sets, least) = (next_sets, next);
    }
    sets.into_iter().map(|taken| u32::from(least[usize::from(taken)])).min()
}

/// Whether no two pawns stand on one file.
fn has_one_on_each_file(pawns: Bitboard) -> bool {
    let Bitboard(mut above) = pawns;
    above <<= 8;
    above |= above << 8;
    above |= above << 16;
    above |= above << 32;
    (pawns & Bitboard(above)).is_empty()
}

/// The files from which a pawn can have come to its square.
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
        // The pawn on d3 comes from c2, that on c6 from g2.
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
