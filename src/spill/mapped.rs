//! Memory maps of temporary files.

#![allow(unsafe_code)]

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps a temporary file for reading anywhere. Nothing may be written to it any more.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is sound if nobody changes the file while it is mapped. This file has no
    // name, so no other program can open it, and this one only reads it from now on.
    let mapped = unsafe { Mmap::map(file)? };
    // Only a hint, so errors do not matter.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Random);
    Ok(mapped)
}
