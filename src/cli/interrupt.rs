//! Signals that end the program. One signal ends every command: a command that checks the stop flag
//! gets a moment to end by itself. Unfinished files are removed and engines are ended in any case.

use std::{
    io,
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, AtomicI32, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use crate::{format::remove_temporary_files, oracle::engine::Engines};

use super::stderr::print_error;

/// How long a command may take to end by itself, for example while it waits for a pipe.
const GRACE: Duration = Duration::from_millis(400);

/// How long printing the message may take. Standard error may be a pipe that nobody reads.
const MAX_PRINTING: Duration = Duration::from_millis(200);

static STOP: AtomicBool = AtomicBool::new(false);
/// What remains after the first signal; set if the command ends by itself.
static REMAINS: OnceLock<&str> = OnceLock::new();
static IS_ANNOUNCED: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
static ENGINES: OnceLock<Weak<Engines>> = OnceLock::new();

/// A flag that is set by the first signal. The command must end soon after that. `remains` says
/// what there is then, such as `no report was written`.
pub fn stop_flag(remains: &'static str) -> &'static AtomicBool {
    REMAINS.get_or_init(|| remains);
    &STOP
}

/// Makes the first signal end these engines. Threads that wait for an answer go on without one.
pub fn end_with_signal(engines: &Arc<Engines>) {
    ENGINES.get_or_init(|| Arc::downgrade(engines));
    // The signal may have come before.
    if STOP.load(Ordering::SeqCst) {
        engines.cancel();
    }
}

/// The exit code after a signal, as shells have it: 130 for SIGINT, 143 for SIGTERM, 129 for
/// SIGHUP.
pub fn exit_code() -> u8 {
    u8::try_from(128 + SIGNAL.load(Ordering::SeqCst)).unwrap_or(130)
}

/// Says that the command was interrupted, once.
pub fn announce() {
    if !IS_ANNOUNCED.swap(true, Ordering::SeqCst) {
        let remains = REMAINS.get().map(|remains| format!("; {remains}")).unwrap_or_default();
        print_error(&format!("interrupted{remains}"));
    }
}

/// Handles a signal.
fn interrupt(signal: i32) {
    let is_first = SIGNAL.compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst).is_ok();
    STOP.store(true, Ordering::SeqCst);
    if let Some(engines) = ENGINES.get().and_then(Weak::upgrade) {
        engines.cancel();
    }
    if !is_first || REMAINS.get().is_none() {
        end();
    }
    let delayed = thread::Builder::new().spawn(|| {
        thread::sleep(GRACE);
        end();
    });
    if delayed.is_err() {
        end();
    }
}

/// Removes unfinished files and ends the program.
fn end() -> ! {
    remove_temporary_files();
    let (sender, printed) = mpsc::channel();
    // If there is no thread for it, the message is not printed.
    let printing = thread::Builder::new().spawn(move || {
        announce();
        let _ = sender.send(());
    });
    if printing.is_ok() {
        let _ = printed.recv_timeout(MAX_PRINTING);
    }
    exit(i32::from(exit_code()))
}

/// Starts to handle signals.
#[cfg(unix)]
pub fn watch() -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    // A program that is started with nohup goes on after its terminal is closed.
    let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| *signal != SIGHUP || !is_ignored(SIGHUP));
    let mut signals = Signals::new(handled)?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(interrupt))?;
    Ok(())
}

#[cfg(not(unix))]
pub fn watch() -> io::Result<()> {
    const SIGINT: i32 = 2;
    ctrlc::set_handler(|| interrupt(SIGINT)).map_err(io::Error::other)
}

/// Whether a signal was ignored when the program started, as far as the system tells.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Ends the program without flushing standard output, which may be a pipe that nobody reads.
#[cfg(unix)]
fn exit(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

#[cfg(not(unix))]
fn exit(code: i32) -> ! {
    std::process::exit(code)
}
