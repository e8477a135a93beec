//! Freed memory that is kept for the next use.
#![allow(unsafe_code)]

/// Keeps some of the memory that is freed.
///
/// What is noted about a chunk may take a megabyte, and is freed when it has been reported. The GNU
/// allocator would give this memory back to the system each time, and the system would clear it for
/// the next chunk. Other allocators are not changed.
pub fn keep() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// Maximum number of bytes that are kept at the end of each arena; usually, each thread has
        /// its own.
        const MAX_KEPT: i32 = 16 << 20;
        /// Larger pieces of memory go back to the system at once, in bytes.
        const MAX_PIECE: i32 = 8 << 20;
        for (parameter, bytes) in [(libc::M_TRIM_THRESHOLD, MAX_KEPT), (libc::M_MMAP_THRESHOLD, MAX_PIECE)] {
            // SAFETY: sets a number in the allocator, which moves and frees nothing. If that fails,
            // it returns 0 and changes nothing.
            unsafe { libc::mallopt(parameter, bytes) };
        }
    }
}
