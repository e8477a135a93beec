//! Maps a file into memory, as `chess-audit` does.

#![allow(unsafe_code)]

use std::{fs::File, io};

use memmap2::Mmap;

/// The file at `path`, mapped.
pub fn map(path: &str) -> io::Result<Mmap> {
    // SAFETY: nobody writes to the file while `benches/peers.py` measures.
    unsafe { Mmap::map(&File::open(path)?) }
}
