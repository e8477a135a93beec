//! Memory maps.

#![allow(unsafe_code)]

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps a file into memory for sequential reading.
///
/// # Errors
/// If the file cannot be mapped: it is not a regular file, the file system does not support it, or
/// there is not enough address space. The file can be read instead.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is sound if nobody changes the file while it is mapped, which no operating
    // system guarantees. If bytes are overwritten, a slice that is read twice may differ. No code
    // relies on two reads being equal, and text is checked for UTF-8 on the copy that is used. If
    // the file is truncated, the process ends with SIGBUS: no report is written, and the previous
    // one stays. `--no-mmap` turns mappings off for files that other programs write to.
    let mapped = unsafe { Mmap::map(file)? };
    // Only a hint for read-ahead, so errors do not matter.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Sequential);
    Ok(mapped)
}
