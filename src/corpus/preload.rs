//! Asks the system to read files before they are needed.
//!
//! A thread that needs what is not in memory waits for the disk. The system then reads a little
//! more: 128 KiB on most Linux systems, which a thread checks in a fraction of a millisecond.

use std::{fs::File, ops::Range};

/// Number of bytes of which one shows whether they are in memory, and that are asked for at once.
/// Some systems read no more at once.
const PART: usize = 128 << 10;

/// Asks for the parts of `place` that are not in memory. Returns whether there are any, as far as
/// the system says.
#[cfg(target_os = "linux")]
pub(super) fn preload(file: &File, place: Range<u64>) -> bool {
    use rustix::{
        fs::{Advice, fadvise},
        io::{Errno, ReadWriteFlags, preadv2},
    };
    let is_missing = |at: u64| {
        let read = preadv2(file, &mut [std::io::IoSliceMut::new(&mut [0])], at, ReadWriteFlags::NOWAIT);
        read == Err(Errno::AGAIN)
    };
    let mut any = false;
    for at in place.clone().step_by(PART).filter(|at| is_missing(*at)) {
        any = true;
        // Only a hint, so errors do not matter.
        let _ = fadvise(file, at, std::num::NonZeroU64::new(place.end.min(at + PART as u64) - at), Advice::WillNeed);
    }
    any
}

#[cfg(not(target_os = "linux"))]
pub(super) const fn preload(_: &File, _: Range<u64>) -> bool {
    false
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{self, Write};

    use rustix::fs::{Advice, fadvise};

    use super::*;

    #[test]
    fn only_what_is_not_in_memory_is_asked_for() -> io::Result<()> {
        // A file in `/tmp` may have no disk.
        let mut file = tempfile::tempfile_in(env!("CARGO_MANIFEST_DIR"))?;
        file.write_all(&vec![b'x'; 3 * PART])?;
        let all = || 0..3 * PART as u64;
        assert!(!preload(&file, all()), "it has just been written");
        file.sync_all()?;
        // The system keeps pages that another processor has not yet listed.
        let is_missing = || fadvise(&file, 0, None, Advice::DontNeed).is_ok() && preload(&file, all());
        assert!((0..100).any(|_| is_missing()));
        Ok(())
    }
}
