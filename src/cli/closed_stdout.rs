//! Standard output that was closed before the program started.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether the program was started without standard output. Whatever is written then is lost: the
/// standard library opens the null device in its place, before `main`.
pub fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::Relaxed)
}

/// Looks before the standard library does.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the section has pointers to functions with the C calling convention.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

#[cfg(target_os = "linux")]
extern "C" fn look() {
    // SAFETY: asks the system for the flags of a number, which need not be an open file.
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
    IS_CLOSED.store(flags == -1, Ordering::Relaxed);
}
