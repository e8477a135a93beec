//! How far two main lines are apart.

use super::Ply;

/// Maximum distance that is measured.
pub const MAX_DISTANCE: usize = 12;

/// Number of plies that two main lines begin with in common.
pub fn common_beginning(one: &[Ply], other: &[Ply]) -> usize {
    let [(chunks, _), (other_chunks, _)] = [one, other].map(|plies| Ply::bytes_of(plies).as_chunks::<8>());
    let number = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let mut pairs = chunks.iter().zip(other_chunks).enumerate();
    if let Some((at, different)) =
        pairs.find_map(|(at, (one, other))| Some((at, number(one) ^ number(other))).filter(|(_, different)| *different != 0))
    {
        return 4 * at + different.trailing_zeros() as usize / 16;
    }
    let equal = 4 * chunks.len().min(other_chunks.len());
    equal + one[equal..].iter().zip(&other[equal..]).take_while(|(one, other)| one == other).count()
}

/// A bit for each ply of a main line. Several plies may have one bit.
#[derive(Clone, Copy, Debug)]
pub struct Sketch([u64; 4]);

impl Sketch {
    /// The bits of these plies.
    pub fn of(plies: &[Ply]) -> Sketch {
        let mut bits = [0; 4];
        for ply in plies {
            let hash = ply.number().wrapping_mul(0x9E37);
            bits[usize::from(hash >> 14)] |= 1 << (hash >> 8 & 63);
        }
        Sketch(bits)
    }

    /// How many plies of this line the other one does not have, at least.
    fn lacking_in(self, other: Sketch) -> usize {
        self.0.iter().zip(other.0).map(|(own, other)| (own & !other).count_ones() as usize).sum()
    }
}

/// Whether the [`distance`] of two main lines may be at most `bound`, as far as their sketches
/// tell.
pub fn may_be_near(one: (&[Ply], Sketch), other: (&[Ply], Sketch), bound: usize) -> bool {
    let ((plies, sketch), (other_plies, other_sketch)) = (one, other);
    // The line that is explained to its end has few plies that the other one does not have.
    plies.len() <= other_plies.len() && sketch.lacking_in(other_sketch) <= bound
        || plies.len() >= other_plies.len() && other_sketch.lacking_in(sketch) <= bound
}

/// Number of plies to insert, delete or replace to make one main line the beginning of the other.
/// What follows the end of the shorter one costs nothing; if both are equally long, what follows
/// the end of either. `None` if it is more than `bound` or [`MAX_DISTANCE`].
///
/// For each number of edits and each shift between the lines, it keeps how far the shorter one is
/// explained. This takes time for the plies, plus the square of the bound.
pub fn distance(one: &[Ply], other: &[Ply], bound: usize) -> Option<usize> {
    const MIDDLE: usize = MAX_DISTANCE + 1;
    let bound = bound.min(MAX_DISTANCE);
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_equally_long = short.len() == long.len();
    // How many plies of `short` are explained, if those of `long` are so many more or fewer:
    // `MIDDLE` is none.
    let mut reach: [Option<usize>; 2 * MIDDLE + 1] = [None; 2 * MIDDLE + 1];
    for edits in 0..=bound {
        let before = reach;
        for shift in MIDDLE - edits..=MIDDLE + edits {
            let replaced = before[shift].map(|at| at + 1);
            let deleted = before[shift + 1].map(|at| at + 1);
            let start = match (edits, replaced.max(deleted).max(before[shift - 1])) {
                (0, _) => 0,
                (_, Some(start)) => start.min(short.len()),
                (_, None) => continue,
            };
            // Where that is in the longer line; not before its start.
            let Some(place) = (start + shift).checked_sub(MIDDLE) else { continue };
            let start = start - place.saturating_sub(long.len());
            let place = place.min(long.len());
            let at = start + common_beginning(&short[start..], &long[place..]);
            if at == short.len() || is_equally_long && at + shift == long.len() + MIDDLE {
                return Some(edits);
            }
            reach[shift] = Some(at);
        }
    }
    None
}

/// Whether two main lines consist of nearly the same plies, in any order: at least three of four
/// plies of the shorter one.
pub fn has_same_plies(one: &[Ply], other: &[Ply]) -> bool {
    let [one, other] = [one, other].map(|plies| {
        let mut plies: Vec<u16> = plies.iter().map(|ply| ply.number()).collect();
        plies.sort_unstable();
        plies
    });
    let (mut common, mut rest) = (0, other.as_slice());
    for ply in &one {
        let skipped = rest.partition_point(|other| other < ply);
        rest = &rest[skipped..];
        if let Some((first, after)) = rest.split_first()
            && first == ply
        {
            common += 1;
            rest = after;
        }
    }
    4 * common >= 3 * one.len().min(other.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ply for each letter.
    fn plies(text: &str) -> Vec<Ply> {
        text.bytes().map(|letter| Ply::numbered(u16::from(letter))).collect()
    }

    /// The distance by the table of all beginnings.
    fn slow_distance(one: &[Ply], other: &[Ply]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        let mut ends = vec![row[other.len()]];
        for (at, ply) in one.iter().enumerate() {
            let before = row.clone();
            row[0] = at + 1;
            for (place, next) in other.iter().enumerate() {
                row[place + 1] = (before[place] + usize::from(ply != next)).min(before[place + 1] + 1).min(row[place] + 1);
            }
            ends.push(row[other.len()]);
        }
        let in_row = row.into_iter().min().unwrap_or_default();
        let in_column = ends.into_iter().min().unwrap_or_default();
        match one.len().cmp(&other.len()) {
            std::cmp::Ordering::Less => in_row,
            std::cmp::Ordering::Greater => in_column,
            std::cmp::Ordering::Equal => in_row.min(in_column),
        }
    }

    #[test]
    fn edits_are_counted_and_the_tail_is_free() {
        for (one, other, edits) in [
            ("abcdef", "abcdef", 0),
            ("abc", "abcdef", 0),
            ("", "abc", 0),
            ("", "", 0),
            ("abXdef", "abcdef", 1),
            ("abdefg", "abcdefg", 1),
            ("abXcdefg", "abcdefg", 1),
            ("abdefghi", "abcdefghiXYZ", 1),
            ("abdcefg", "abcdefg", 2),
            ("abcdef", "uvwxyz", 6),
        ] {
            let (first, second) = (plies(one), plies(other));
            assert_eq!(distance(&first, &second, 12), Some(edits), "{one} / {other}");
            assert_eq!(distance(&second, &first, 12), Some(edits), "{other} / {one}");
            assert_eq!(distance(&first, &second, edits), Some(edits), "{one} / {other}");
            assert_eq!(edits.checked_sub(1).and_then(|bound| distance(&first, &second, bound)), None, "{one} / {other}");
        }
    }

    #[test]
    fn the_distance_is_that_of_the_full_table() {
        // Lines over three letters, from a fixed sequence of numbers.
        let mut state = 7_u64;
        let mut next = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % limit
        };
        for _ in 0..20_000 {
            let [one, other] = [(), ()].map(|()| (0..next(24)).map(|_| Ply::numbered(next(3) as u16)).collect::<Vec<_>>());
            let slow = slow_distance(&one, &other);
            assert_eq!(distance(&one, &other, MAX_DISTANCE), (slow <= MAX_DISTANCE).then_some(slow), "{one:?} {other:?}");
            assert_eq!(distance(&one, &other, 3), (slow <= 3).then_some(slow), "{one:?} {other:?}");
            let [sketch, other_sketch] = [&one, &other].map(|plies| Sketch::of(plies));
            assert!(may_be_near((&one, sketch), (&other, other_sketch), slow), "{one:?} {other:?}");
            let equal = one.iter().zip(&other).position(|(one, other)| one != other);
            assert_eq!(common_beginning(&one, &other), equal.unwrap_or(one.len().min(other.len())), "{one:?} {other:?}");
        }
    }

    #[test]
    fn lines_with_other_plies_are_far_apart() {
        let near = |one: &str, other: &str, bound| {
            let [one, other] = [one, other].map(plies);
            may_be_near((&one, Sketch::of(&one)), (&other, Sketch::of(&other)), bound)
        };
        assert!(!near("abcdef", "uvwxyz", 5));
        assert!(!near("abXYef", "abcdefghijkl", 1) && near("abXYef", "abcdefghijkl", 2));
        assert!(!near("abcdefghijkl", "abXYef", 1) && near("abcdefghijkl", "abcdef", 0));
        // The ends of both are free.
        assert!(near("abcdefXY", "cdefcdef", 2));
    }

    #[test]
    fn plies_in_another_order_are_the_same() {
        assert!(has_same_plies(&plies("abcdefgh"), &plies("hgfedcba")));
        assert!(has_same_plies(&plies("abcdefgh"), &plies("abcdefXY")));
        assert!(!has_same_plies(&plies("abcdefgh"), &plies("abcdeXYZ")));
        assert!(!has_same_plies(&plies("aaaabbbb"), &plies("aaaaaaaa")));
    }
}
