//! How often the threads of this process had to wait for a disk.

#![allow(unsafe_code)]

/// How often threads of this process have touched pages of any kind that had to be read from a disk. 0 if the system does not
/// say.
pub(super) fn disk_waits() -> u64 {
    #[cfg(unix)]
    {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: `getrusage` writes to the place that it gets, which has the size of a `rusage`. All zeros are a valid `rusage`.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
            usage.assume_init()
        };
        usage.ru_majflt.try_into().unwrap_or(0)
    }
    #[cfg(not(unix))]
    0
}
