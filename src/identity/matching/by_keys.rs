//! Matches the records of two sequences one to one: those that share a key, and then, by one looser
//! key after the other, those that are left.
//!
//! A record is an entry of numbers: its key, its place, and what other keys are made of. The
//! entries are sorted by the key of each step, on disk if they are many, and read in batches.

use std::{cmp::Ordering, io};

use crate::spill::{Sorted, Sorter};

/// Added to the place of each record of the second sequence, so that it comes after the first one.
pub const IN_SECOND: u64 = 1 << 63;

/// The key of records that have none. They are not matched.
const NO_KEY: u64 = 0;

/// Number of records that are matched at the same time.
const AT_ONCE: usize = 1 << 13;

/// The records that share a key, in the order of their places.
#[derive(Clone, Copy, Debug)]
pub struct Group<'g, const N: usize> {
    /// The key.
    pub key: u64,
    /// Those of the first sequence.
    pub first: &'g [[u64; N]],
    /// Those of the second sequence.
    pub second: &'g [[u64; N]],
}

impl<'g, const N: usize> Group<'g, N> {
    /// The groups of records that are sorted by their keys and places.
    fn all(records: &'g [[u64; N]]) -> Vec<Group<'g, N>> {
        let groups = records.chunk_by(|one, other| one[0] == other[0]).map(|records| {
            let (first, second) = records.split_at(records.partition_point(|record| record[1] < IN_SECOND));
            Group { key: records[0][0], first, second }
        });
        groups.collect()
    }

    /// Whether there may be a match in it.
    pub const fn is_in_both(&self) -> bool {
        self.key != NO_KEY && !self.first.is_empty() && !self.second.is_empty()
    }

    /// Pairs records that agree in the number at this place of their entries, see [`join`].
    pub fn join_by(&self, number: usize) -> Joined<[u64; N]> {
        let [first, second] = [self.first, self.second].map(|records| {
            let mut sorted = records.to_vec();
            sorted.sort_by_key(|record| record[number]);
            sorted
        });
        join(&first, &second, |record| record[number])
    }
}

/// The records that are not matched.
#[derive(Debug)]
pub struct Unmatched<const N: usize> {
    /// The records.
    pub records: Sorter<N>,
    /// Their number in each sequence.
    pub number: [u64; 2],
}

/// Matches records in so many steps, the surest first. `records` are sorted by the key of the first
/// step; for later steps, `key` says it. In each step, `choose` matches the records of groups that
/// are in both sequences, and returns those that stay for the next step, which are put into
/// `sorter`.
pub fn matched<const N: usize>(
    mut records: Sorter<N>,
    steps: usize,
    sorter: impl Fn() -> Sorter<N>,
    key: impl Fn(usize, &[u64; N]) -> Option<u64>,
    mut choose: impl FnMut(usize, Vec<Group<'_, N>>) -> io::Result<Vec<[u64; N]>>,
) -> io::Result<Unmatched<N>> {
    let mut number = [0; 2];
    for step in 0..steps {
        let mut rest = sorter();
        number = [0; 2];
        let mut stay = |mut record: [u64; N]| {
            let next = (step + 1 < steps).then(|| key(step + 1, &record)).flatten();
            record[0] = next.unwrap_or(NO_KEY);
            number[usize::from(record[1] >= IN_SECOND)] += 1;
            rest.push(record)
        };
        for_each_batch(records.sorted()?, |mut groups| {
            for group in groups.extract_if(.., |group| !group.is_in_both()) {
                group.first.iter().chain(group.second).try_for_each(|record| stay(*record))?;
            }
            choose(step, groups)?.into_iter().try_for_each(&mut stay)
        })?;
        records = rest;
    }
    Ok(Unmatched { records, number })
}

/// Hands out the records in the order of their keys, in batches of whole groups.
pub fn for_each_batch<const N: usize>(
    records: Sorted<N>,
    mut take: impl FnMut(Vec<Group<'_, N>>) -> io::Result<()>,
) -> io::Result<()> {
    let mut batch: Vec<[u64; N]> = Vec::new();
    for record in records {
        let record = record?;
        if batch.len() >= AT_ONCE && (record[0] == NO_KEY || batch.last().is_some_and(|last| last[0] != record[0])) {
            take(Group::all(&batch))?;
            batch.clear();
        }
        batch.push(record);
    }
    take(Group::all(&batch))
}

/// Pairs, and the others of both lists.
pub type Joined<E> = (Vec<[E; 2]>, [Vec<E>; 2]);

/// Pairs those of two lists that agree in what `of` says, in their order. Both are sorted by it.
pub fn join<E: Copy, K: Ord>(first: &[E], second: &[E], of: impl Fn(&E) -> K) -> Joined<E> {
    let (mut pairs, mut left, mut at) = (Vec::new(), [Vec::new(), Vec::new()], [0, 0]);
    while let (Some(one), Some(other)) = (first.get(at[0]), second.get(at[1])) {
        let order = of(one).cmp(&of(other));
        match order {
            Ordering::Less => left[0].push(*one),
            Ordering::Equal => pairs.push([*one, *other]),
            Ordering::Greater => left[1].push(*other),
        }
        at[0] += usize::from(order.is_le());
        at[1] += usize::from(order.is_ge());
    }
    left[0].extend(&first[at[0]..]);
    left[1].extend(&second[at[1]..]);
    (pairs, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_matched_by_one_key_after_the_other() -> io::Result<()> {
        let mut records = Sorter::with_limit(8);
        // The first key, the place, and the second key.
        let first = [[5, 0, 10], [5, 1, 20], [6, 2, 30], [7, 3, 40], [0, 4, 50]];
        let second = [[5, 0, 20], [8, 1, 30], [7, 2, 10], [7, 3, 10], [0, 4, 60]];
        first.into_iter().try_for_each(|record| records.push(record))?;
        second.into_iter().try_for_each(|[key, place, other]| records.push([key, place | IN_SECOND, other]))?;
        let mut found = Vec::new();
        let key = |_, [.., key]: &[u64; 3]| (*key != 10).then_some(*key);
        let unmatched = matched(
            records,
            2,
            || Sorter::with_limit(8),
            key,
            |step, groups| {
                let mut rest = Vec::new();
                for group in groups {
                    let (pairs, left) = join(group.first, group.second, |_| ());
                    found.extend(pairs.into_iter().map(|[one, other]| (step, one[1], other[1] & !IN_SECOND)));
                    rest.extend(left.concat());
                }
                Ok(rest)
            },
        )?;
        assert_eq!(found, [(0, 0, 0), (0, 3, 2), (1, 2, 1)]);
        assert_eq!(unmatched.number, [2, 2]);
        let left = unmatched.records.sorted()?.map(|record| Ok(record?[1])).collect::<io::Result<Vec<_>>>()?;
        assert_eq!(left, [1, 4, 3 | IN_SECOND, 4 | IN_SECOND]);
        Ok(())
    }

    #[test]
    fn those_of_one_input_are_paired_first() {
        let group = Group { key: 1, first: &[[1, 0, 7], [1, 1, 9]], second: &[[1, 0, 8], [1, 1, 9], [1, 2, 9]] };
        let (pairs, left) = group.join_by(2);
        assert_eq!(pairs, [[[1, 1, 9], [1, 1, 9]]]);
        assert_eq!(left, [vec![[1, 0, 7]], vec![[1, 0, 8], [1, 2, 9]]]);
    }
}
