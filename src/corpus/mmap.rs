//! Memory maps.

#![allow(unsafe_code)]

use std::{fs::File, io, ops::Deref};

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
}

/// Maps an input into memory for sequential reading. If it is truncated, the lost bytes become
/// zeros.
///
/// # Errors
/// If the file cannot be mapped: it is not a regular file, the file system does not support it,
/// there is not enough address space, or there are too many mappings. The file can be read instead.
pub(super) fn map(file: &File) -> io::Result<Mapping> {
    let mapped = map_file(file)?;
    Ok(Mapping {
        #[cfg(unix)]
        watched: Some(Watched::new(&mapped)?),
        mapped,
    })
}

/// Maps a temporary file, which no other program can truncate.
///
/// # Errors
/// If the file cannot be mapped.
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
