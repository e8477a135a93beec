//! Numbers in order: sorted runs in a temporary file, which are merged.

use std::{collections::VecDeque, io};

use rayon::slice::ParallelSliceMut;

use super::temporary::Appended;

/// Number of bytes that are written at once, and minimum number that are read at once if there is
/// enough memory.
const WRITTEN_AT_ONCE: usize = 1 << 18;
const READ_AT_ONCE: usize = 1 << 15;

/// Entries of `N` numbers, to be read in order.
///
/// Entries that do not fit in memory are sorted and become a run in a temporary file. If there are
/// too many runs for one merge, the oldest are merged into longer ones first, which takes up to
/// twice the space on disk.
#[derive(Debug)]
pub struct Sorter<const N: usize> {
    max_in_memory: usize,
    in_parallel: bool,
    memory: Vec<[u64; N]>,
    file: Appended,
    runs: VecDeque<Run>,
}

/// A sorted part of a file.
#[derive(Debug)]
struct Run {
    /// Where its next entry is.
    at: u64,
    /// Number of entries from there.
    entries: u64,
}

impl<const N: usize> Sorter<N> {
    /// No entries; at most `max_in_memory` of them will be in memory, or 5, and at most 256 KiB of
    /// what is written or read.
    pub const fn with_limit(max_in_memory: usize) -> Sorter<N> {
        let max_in_memory = if max_in_memory == 0 { 1 } else { max_in_memory };
        Sorter { max_in_memory, in_parallel: false, memory: Vec::new(), file: Appended::new(), runs: VecDeque::new() }
    }

    /// Sorts with all threads. While an entry is added, the thread may do any other work of its
    /// pool, so it must not hold a lock.
    #[must_use]
    pub fn in_parallel(self) -> Sorter<N> {
        Sorter { in_parallel: true, ..self }
    }

    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, entry: [u64; N]) -> io::Result<()> {
        if self.memory.len() == self.memory.capacity() {
            self.make_room()?;
        }
        self.memory.push(entry);
        Ok(())
    }

    /// Makes room for another entry in memory.
    #[cold]
    fn make_room(&mut self) -> io::Result<()> {
        if self.memory.len() >= self.max_in_memory {
            self.spill()?;
        } else {
            let left = self.max_in_memory - self.memory.len();
            self.memory.reserve_exact(left.min(self.memory.len().max(64)));
        }
        Ok(())
    }

    fn sort(&mut self) {
        // Nearly all entries differ in the first number, which is compared faster than an array.
        let compare = |one: &[u64; N], other: &[u64; N]| one[0].cmp(&other[0]).then_with(|| one[1..].cmp(&other[1..]));
        if self.in_parallel { self.memory.par_sort_unstable_by(compare) } else { self.memory.sort_unstable_by(compare) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        self.runs.push_back(Run { at: self.file.length(), entries: self.memory.len() as u64 });
        let mut bytes = Vec::new();
        for entries in self.memory.chunks(WRITTEN_AT_ONCE / size_of::<[u64; N]>()) {
            write(&mut self.file, entries, &mut bytes)?;
        }
        self.memory.clear();
        Ok(())
    }

    /// All entries in order.
    pub fn sorted(mut self) -> io::Result<Sorted<N>> {
        if self.runs.is_empty() {
            self.sort();
            let merge = Merge::of_one(self.memory);
            return Ok(Sorted { file: self.file, merge });
        }
        if !self.memory.is_empty() {
            self.spill()?;
        }
        let Sorter { max_in_memory, mut file, mut runs, memory, .. } = self;
        drop(memory);
        let at_once = (READ_AT_ONCE / size_of::<[u64; N]>()).min(max_in_memory / 4).max(1);
        // The rest is for what is written, and for bytes of entries.
        let max_runs = (max_in_memory / at_once).saturating_sub(3).max(2);
        while runs.len() > max_runs {
            // The last merge is of as many runs as possible, so that little is written again.
            let merged = max_runs.min(runs.len() - max_runs + 1);
            let merge: Merge<N> = Merge::of(runs.drain(..merged), &file, at_once)?;
            runs.push_back(merge.write(&mut file)?);
        }
        let at_once = (max_in_memory / (runs.len() + 1)).min(WRITTEN_AT_ONCE / size_of::<[u64; N]>()).max(1);
        let merge = Merge::of(runs.into_iter(), &file, at_once)?;
        Ok(Sorted { file, merge })
    }
}

/// Adds entries to a file. `bytes` is used for that.
fn write<const N: usize>(file: &mut Appended, entries: &[[u64; N]], bytes: &mut Vec<u8>) -> io::Result<()> {
    bytes.resize(size_of_val(entries), 0);
    for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(entries.as_flattened()) {
        *bytes = number.to_le_bytes();
    }
    file.append(bytes)
}

/// The entries of a [`Sorter`], in order.
#[derive(Debug)]
pub struct Sorted<const N: usize> {
    file: Appended,
    merge: Merge<N>,
}

impl<const N: usize> Sorted<N> {
    /// Shows the entries with the same first number together: the first `max` of them, and how many
    /// there are.
    pub fn for_each_group(mut self, max: usize, mut take: impl FnMut(&[[u64; N]], u64) -> io::Result<()>) -> io::Result<()> {
        let mut group: Vec<[u64; N]> = Vec::new();
        let (mut number, mut entries) = (0, 0);
        while let Some(entry) = self.merge.next(&self.file)? {
            if entries > 0 && entry[0] != number {
                take(&group, entries)?;
                group.clear();
                entries = 0;
            }
            number = entry[0];
            entries += 1;
            if group.len() < max {
                group.push(entry);
            }
        }
        if entries > 0 { take(&group, entries) } else { Ok(()) }
    }
}

impl<const N: usize> Iterator for Sorted<N> {
    type Item = io::Result<[u64; N]>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.merge.next(&self.file).transpose()
    }
}

/// Runs that are being merged, by a tree of losers: the smallest entry wins, and only its path is
/// compared again.
#[derive(Debug)]
struct Merge<const N: usize> {
    runs: Vec<Reader<N>>,
    /// The next entry of each run.
    next: Vec<[u64; N]>,
    /// The run that lost in each inner node of the tree, whose root is node 1. The children of a
    /// node have twice its number, and one more. The leaf of a run has its index plus the number of
    /// runs.
    losers: Vec<usize>,
    /// The run with the smallest next entry.
    winner: usize,
    /// Maximum number of entries that are read at once.
    at_once: usize,
    /// What is being read.
    bytes: Vec<u8>,
}

impl<const N: usize> Merge<N> {
    /// Only sorted entries in memory.
    fn of_one(entries: Vec<[u64; N]>) -> Merge<N> {
        let next = entries.first().copied().into_iter().collect();
        let runs = vec![Reader { run: Run { at: 0, entries: 0 }, ready: entries, next: 1 }];
        Merge { runs, next, losers: vec![0], winner: 0, at_once: 0, bytes: Vec::new() }
    }

    fn of(runs: impl Iterator<Item = Run>, file: &Appended, at_once: usize) -> io::Result<Merge<N>> {
        let mut merge = Merge { runs: Vec::new(), next: Vec::new(), losers: Vec::new(), winner: 0, at_once, bytes: Vec::new() };
        for run in runs {
            let mut reader = Reader { run, ready: Vec::new(), next: 0 };
            if let Some(entry) = reader.next(file, at_once, &mut merge.bytes)? {
                merge.next.push(entry);
                merge.runs.push(reader);
            }
        }
        merge.compare_all();
        Ok(merge)
    }

    /// Writes all entries to the file that they are read from. They become one run at its end.
    fn write(mut self, file: &mut Appended) -> io::Result<Run> {
        let mut run = Run { at: file.length(), entries: 0 };
        let (mut entries, mut bytes) = (Vec::with_capacity(self.at_once), Vec::new());
        loop {
            let next = self.next(file)?;
            entries.extend(next);
            if entries.len() == self.at_once || next.is_none() {
                write(file, &entries, &mut bytes)?;
                run.entries += entries.len() as u64;
                entries.clear();
            }
            if next.is_none() {
                return Ok(run);
            }
        }
    }

    /// The next entry.
    #[inline]
    fn next(&mut self, file: &Appended) -> io::Result<Option<[u64; N]>> {
        let Some(entry) = self.next.get(self.winner).copied() else { return Ok(None) };
        if let Some(after) = self.runs[self.winner].next(file, self.at_once, &mut self.bytes)? {
            self.next[self.winner] = after;
            self.compare_winner();
        } else {
            self.runs.swap_remove(self.winner);
            self.next.swap_remove(self.winner);
            self.compare_all();
        }
        Ok(Some(entry))
    }

    /// Finds the winner after its entry has changed.
    fn compare_winner(&mut self) {
        let mut winner = self.winner;
        let mut node = (winner + self.runs.len()) / 2;
        while node > 0 {
            let loser = self.losers[node];
            let wins = is_less(&self.next[loser], &self.next[winner]);
            (self.losers[node], winner) = if wins { (winner, loser) } else { (loser, winner) };
            node /= 2;
        }
        self.winner = winner;
    }

    /// Finds the winner after runs have come or gone.
    fn compare_all(&mut self) {
        let runs = self.runs.len();
        self.losers = vec![0; runs];
        let mut winners: Vec<usize> = (0..runs).chain(0..runs).collect();
        for node in (1..runs).rev() {
            let [one, other] = [winners[2 * node], winners[2 * node + 1]];
            (self.losers[node], winners[node]) =
                if is_less(&self.next[other], &self.next[one]) { (one, other) } else { (other, one) };
        }
        self.winner = winners.get(1).copied().unwrap_or_default();
    }
}

/// Whether an entry comes before another. The first numbers nearly always decide.
#[inline]
fn is_less<const N: usize>(entry: &[u64; N], other: &[u64; N]) -> bool {
    entry.iter().zip(other).find(|(one, other)| one != other).is_some_and(|(one, other)| one < other)
}

/// Reads a run.
#[derive(Debug)]
struct Reader<const N: usize> {
    /// The part that is still in the file.
    run: Run,
    /// Entries in memory.
    ready: Vec<[u64; N]>,
    /// The index of the next of them.
    next: usize,
}

impl<const N: usize> Reader<N> {
    #[inline]
    fn next(&mut self, file: &Appended, at_once: usize, bytes: &mut Vec<u8>) -> io::Result<Option<[u64; N]>> {
        if self.next == self.ready.len() {
            self.read(file, at_once, bytes)?;
        }
        let entry = self.ready.get(self.next).copied();
        self.next += usize::from(entry.is_some());
        Ok(entry)
    }

    /// Reads up to `at_once` more entries.
    #[cold]
    fn read(&mut self, file: &Appended, at_once: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let entries = self.run.entries.min(at_once as u64);
        bytes.resize(entries as usize * size_of::<[u64; N]>(), 0);
        file.read_exact(bytes, self.run.at)?;
        self.run.at += bytes.len() as u64;
        self.run.entries -= entries;
        self.ready.clear();
        self.ready.reserve_exact(entries as usize);
        self.ready.extend(bytes.chunks_exact(size_of::<[u64; N]>()).map(|entry| {
            let mut numbers = [0; N];
            for (number, bytes) in numbers.iter_mut().zip(entry.as_chunks().0) {
                *number = u64::from_le_bytes(*bytes);
            }
            numbers
        }));
        self.next = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: [usize; 8] = [0, 1, 2, 5, 7, 64, 500, 3000];

    /// Entries, many of which have the same first number, and some of which are equal.
    fn entries() -> Vec<[u64; 2]> {
        (0..2000).map(|number| [(number * 7919 % 331) << 40, number * number % 11]).collect()
    }

    /// The same entries in a sorter with this limit.
    fn sorter(limit: usize) -> io::Result<Sorter<2>> {
        let mut sorter = Sorter::with_limit(limit);
        for entry in entries() {
            sorter.push(entry)?;
            assert!(sorter.memory.capacity() <= limit.max(1), "limit {limit}: {}", sorter.memory.capacity());
        }
        Ok(if limit.is_multiple_of(2) { sorter } else { sorter.in_parallel() })
    }

    #[test]
    fn limits_change_nothing() -> io::Result<()> {
        let mut in_order = entries();
        in_order.sort_unstable();
        for limit in LIMITS {
            let sorter = sorter(limit)?;
            let runs = sorter.runs.len();
            assert!(if limit <= 64 { runs > 30 } else { limit < 2000 || runs == 0 }, "limit {limit}: {runs}");
            let sorted = sorter.sorted()?;
            let in_memory: usize = sorted.merge.runs.iter().map(|run| run.ready.capacity()).sum();
            assert!(in_memory <= limit.max(5), "limit {limit}: {in_memory}");
            assert!(sorted.collect::<io::Result<Vec<_>>>()? == in_order, "limit {limit}");
        }
        Ok(())
    }

    #[test]
    fn groups_have_the_same_first_number() -> io::Result<()> {
        let mut in_order = entries();
        in_order.sort_unstable();
        let groups: Vec<&[[u64; 2]]> = in_order.chunk_by(|one, other| one[0] == other[0]).collect();
        for (limit, max) in [(0, 1), (7, 100), (64, 4), (3000, 0)] {
            let mut expected = groups.iter();
            sorter(limit)?.sorted()?.for_each_group(max, |entries, number| {
                let expected = *expected.next().ok_or(io::ErrorKind::Other)?;
                assert_eq!((entries, number), (&expected[..max.min(expected.len())], expected.len() as u64));
                Ok(())
            })?;
            assert_eq!(expected.len(), 0, "limit {limit}");
        }
        Sorter::<2>::with_limit(1).sorted()?.for_each_group(1, |_, _| Err(io::ErrorKind::Other.into()))
    }

    #[test]
    fn entries_may_be_any_numbers() -> io::Result<()> {
        for entries in [&[][..], &[[u64::MAX]], &[[u64::MAX], [0], [1 << 63], [u64::MAX]]] {
            for limit in LIMITS {
                let mut sorter = Sorter::with_limit(limit);
                entries.iter().try_for_each(|entry| sorter.push(*entry))?;
                let sorted: Vec<[u64; 1]> = sorter.sorted()?.collect::<io::Result<_>>()?;
                assert!(sorted.is_sorted() && sorted.len() == entries.len(), "limit {limit}: {sorted:?}");
            }
        }
        Ok(())
    }
}
