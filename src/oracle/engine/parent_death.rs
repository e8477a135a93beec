//! Ends engines with this process, also when it is killed.

#![allow(unsafe_code)]

use std::{
    io,
    os::unix::process::CommandExt,
    process::{self, Command},
};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

/// Makes the kernel kill the process when the thread that starts it ends.
pub(super) fn kill_with_parent(command: &mut Command) {
    let parent = process::id();
    let prepare = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have been killed before the call.
        let is_alive = getppid().is_some_and(|pid| pid.as_raw_pid().cast_unsigned() == parent);
        if is_alive { Ok(()) } else { Err(io::Error::from(io::ErrorKind::BrokenPipe)) }
    };
    // SAFETY: between `fork` and `exec`, only what is safe in a signal handler may be called. The
    // closure makes two system calls. It does not allocate, lock or panic: the kinds of errors are
    // constants.
    unsafe { command.pre_exec(prepare) };
}
