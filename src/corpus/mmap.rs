//! Mapping a file into memory.

#![allow(unsafe_code)]

use std::{fs::File, io};

use memmap2::Mmap;

/// Maps the whole of `file` for reading from its first byte to its last.
///
/// # Errors
/// When the file cannot be mapped: it is no regular file, the file system knows no mappings, address space is short.
/// It can then be read instead.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a mapping is sound as long as nobody changes the file while it is mapped, and no operating system lets a program
    // make sure of that. What can happen: bytes that are overwritten meanwhile are seen changed, so that a slice read twice may
    // differ; nothing here relies on two readings being equal, and no text is ever taken for UTF-8 without being checked on the
    // copy that is used. A file that is cut short meanwhile ends the process with SIGBUS: no report is written then, and the
    // previous one stays. Whoever audits files that others are writing turns mappings off (`--no-mmap`).
    let mapped = unsafe { Mmap::map(file)? };
    // Only advice: read ahead, and drop behind.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Sequential);
    Ok(mapped)
}
