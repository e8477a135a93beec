//! What this process has read from disks.

#![allow(unsafe_code)]

/// How often threads of this process have touched pages of any kind that had to be read from a
/// disk. 0 if the system does not say.
pub(super) fn disk_waits() -> u64 {
    #[cfg(unix)]
    return usage().ru_majflt.try_into().unwrap_or(0);
    #[cfg(not(unix))]
    0
}

/// How many blocks of 512 bytes this process has read from disks, or how often it has read some. 0
/// if the system does not say.
pub(super) fn disk_reads() -> u64 {
    #[cfg(unix)]
    return usage().ru_inblock.try_into().unwrap_or(0);
    #[cfg(not(unix))]
    0
}

#[cfg(unix)]
fn usage() -> libc::rusage {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: `getrusage` writes to the place that it gets, which has the size of a `rusage`. All
    // zeros are a valid `rusage`.
    unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    }
}
