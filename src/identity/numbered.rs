//! Numbers entries that are alike.

use std::io;

use crate::spill::Sorter;

/// Numbers the entries with the same first number from 0, in their order. The first number is left
/// out, and the new one is the last.
pub(super) fn number_alike<const N: usize>(entries: Sorter<N>, max_in_memory: usize) -> io::Result<Sorter<N>> {
    let mut numbered = Sorter::with_limit(max_in_memory);
    let mut last = None;
    for entry in entries.sorted()? {
        let mut entry = entry?;
        let number = match last {
            Some((subject, number)) if subject == entry[0] => number + 1,
            _ => 0,
        };
        last = Some((entry[0], number));
        entry.rotate_left(1);
        if let Some(end) = entry.last_mut() {
            *end = number;
        }
        numbered.push(entry)?;
    }
    Ok(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_with_the_same_first_number_are_numbered() -> io::Result<()> {
        let mut entries = Sorter::with_limit(2);
        for entry in [[7, 3, 30], [5, 4, 40], [7, 1, 10], [5, 2, 20], [7, 2, 20]] {
            entries.push(entry)?;
        }
        let numbered = number_alike(entries, 2)?.sorted()?.collect::<io::Result<Vec<_>>>()?;
        assert_eq!(numbered, [[1, 10, 0], [2, 20, 0], [2, 20, 1], [3, 30, 2], [4, 40, 1]]);
        Ok(())
    }
}
