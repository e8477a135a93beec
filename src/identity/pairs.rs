//! Pairs of numbers on disk, in the order of the first ones, which are looked up.

use std::{cmp::Ordering, io};

use crate::spill::{Log, WrittenLog};

/// Maximum number of bytes of pairs in memory.
const MAX_BYTES: usize = 1 << 20;

/// Each entry of the log is after its length.
const ENTRY: u64 = 4 + 16;

/// Pairs while they are added.
#[derive(Debug)]
pub(super) struct NewPairs {
    log: Log,
    number: u32,
}

impl Default for NewPairs {
    fn default() -> NewPairs {
        NewPairs { log: Log::with_limit(MAX_BYTES), number: 0 }
    }
}

impl NewPairs {
    /// Adds a pair. Its first number is above those of all before.
    pub fn push(&mut self, first: u64, second: u64) -> io::Result<()> {
        self.log.push([&first.to_le_bytes(), &second.to_le_bytes()])?;
        self.number = self.number.checked_add(1).ok_or_else(|| io::Error::other("more than 4,294,967,295 entries"))?;
        Ok(())
    }

    /// The number of pairs.
    pub const fn len(&self) -> u32 {
        self.number
    }

    /// The pairs, to be looked up.
    pub fn written(self) -> Pairs {
        Pairs { log: self.log.written(), number: self.number }
    }
}

/// Pairs that are looked up. Their numbers, from 0, are in the order of the first ones.
#[derive(Debug)]
pub(super) struct Pairs {
    log: WrittenLog,
    number: u32,
}

impl Pairs {
    /// The number of pairs.
    pub const fn len(&self) -> u32 {
        self.number
    }

    /// The pair with this number.
    pub fn get(&self, number: u32) -> io::Result<(u64, u64)> {
        let bytes = self.log.get(u64::from(number) * ENTRY)?;
        match bytes.as_chunks() {
            ([first, second], []) => Ok((u64::from_le_bytes(*first), u64::from_le_bytes(*second))),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// The number of the pair with this first number, and its second one.
    pub fn find(&self, first: u64) -> io::Result<Option<(u32, u64)>> {
        let (mut low, mut high) = (0, self.number);
        while low < high {
            let middle = low + (high - low) / 2;
            let (found, second) = self.get(middle)?;
            match found.cmp(&first) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(Some((middle, second))),
                Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}
