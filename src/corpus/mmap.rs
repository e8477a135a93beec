//! Memory maps.

#![allow(unsafe_code)]

use std::{
    fs::File,
    io,
    ops::{Deref, Range},
};

use memmap2::Mmap;

#[cfg(unix)]
use super::bus_error::Watched;

/// A file that is mapped into memory.
#[derive(Debug)]
pub(super) struct Mapping {
    /// Dropped before the mapping.
    #[cfg(unix)]
    watched: Option<Watched>,
    mapped: Mmap,
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.mapped
    }
}

impl Mapping {
    /// Whether some bytes could not be read, and are zeros now.
    pub fn is_lost(&self) -> bool {
        #[cfg(unix)]
        return self.watched.as_ref().is_some_and(Watched::is_lost);
        // Other systems do not truncate a file that is mapped.
        #[cfg(not(unix))]
        false
    }

    /// Gives back the memory of the pages of `range`. They are read from the file again when they
    /// are needed.
    pub fn release(&self, range: Range<usize>) {
        let end = range.end.min(self.mapped.len());
        let start = range.start.min(end);
        // Only a hint, so errors do not matter.
        #[cfg(unix)]
        // SAFETY: the pages are part of the mapping, and were not written to. Other threads may
        // hold slices of them. What they read then comes from the file again, or is zeros where
        // bytes are lost, just as if the system had taken the pages back by itself; see `map_file`.
        let _ = unsafe { self.mapped.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, end - start) };
        // Other systems take back memory when they need it.
        #[cfg(not(unix))]
        let _ = start;
    }
}

/// Maps an input into memory for sequential reading. If it is truncated, the lost bytes become
/// zeros.
pub(super) fn map(file: &File) -> io::Result<Mapping> {
    let mapped = map_file(file)?;
    Ok(Mapping {
        #[cfg(unix)]
        watched: Some(Watched::new(&mapped)?),
        mapped,
    })
}

/// Maps a temporary file, which no other program can truncate.
pub(super) fn map_temporary(file: &File) -> io::Result<Mapping> {
    let mapped = map_file(file)?;
    Ok(Mapping {
        #[cfg(unix)]
        watched: None,
        mapped,
    })
}

fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is sound if nobody changes the file while it is mapped, which no operating
    // system guarantees. If bytes are overwritten or become zeros, a slice that is read twice may
    // differ. No code relies on two reads being equal, and text is checked for UTF-8 on the copy
    // that is used. `Watch` notices the change afterwards.
    let mapped = unsafe { Mmap::map(file)? };
    // Only a hint for read-ahead, so errors do not matter.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Sequential);
    Ok(mapped)
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn released_pages_have_no_memory_until_they_are_read_again() -> io::Result<()> {
        const PART: usize = 1 << 20;
        let mut file = tempfile::tempfile()?;
        file.write_all(&[b'x'; 4 * PART])?;
        let mapping = map_temporary(&file)?;
        // The size in memory of the pages of this mapping only, as the kernel sees it.
        let resident = || -> io::Result<usize> {
            let start = format!("{:x}-", mapping.as_ptr().addr());
            let all = std::fs::read_to_string("/proc/self/smaps")?;
            let own = all.split_once(&start).and_then(|(_, rest)| rest.split_once("Rss:")).map_or("", |(_, rest)| rest);
            Ok(1024 * own.split_whitespace().next().unwrap_or_default().parse::<usize>().map_err(io::Error::other)?)
        };
        let is_whole = || mapping.iter().all(|byte| *byte == b'x');
        assert!(is_whole());
        assert_eq!(resident()?, 4 * PART);
        // Large pages around the range may be given back as well.
        mapping.release(PART..3 * PART);
        assert!(resident()? <= 2 * PART);
        mapping.release(3 * PART..usize::MAX);
        assert!(resident()? <= PART);
        assert!(is_whole());
        assert_eq!(resident()?, 4 * PART);
        Ok(())
    }

    #[test]
    fn the_lost_part_of_a_truncated_file_is_zeros() -> io::Result<()> {
        // More than the pages of any system.
        const HALF: usize = 1 << 17;
        let files = [tempfile::tempfile()?, tempfile::tempfile()?];
        let mut mappings = Vec::new();
        for mut file in &files {
            file.write_all(&[b'x'; 2 * HALF])?;
            mappings.push(map(file)?);
        }
        let [lost, kept] = &mappings[..] else { panic!("two files") };
        files[0].set_len(HALF as u64)?;
        assert!(lost[..HALF].iter().all(|byte| *byte == b'x') && !lost.is_lost());
        assert!(lost[HALF..].iter().all(|byte| *byte == 0) && lost.is_lost());
        assert!(kept.iter().all(|byte| *byte == b'x') && !kept.is_lost());
        // The place of a mapping is used again.
        drop(mappings);
        let again: Vec<_> = (0..300).map_while(|_| map(&files[1]).ok()).collect();
        assert!(again.len() < 300 && again.iter().all(|mapping| !mapping.is_lost()));
        Ok(())
    }
}
