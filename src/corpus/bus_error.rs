//! Survives the truncation of a mapped file.
//!
//! If a mapped page does not exist any more, or cannot be read from the disk, the kernel sends
//! SIGBUS to the thread that reads it. The handler here replaces the rest of the mapping by zeros
//! and notes the loss, so that the run can report it and drop what it found in the zeros.
//!
//! The handler is installed with the first mapping and stays. Signals that do not concern a
//! mapping of this module go to the handler that was installed before.

#![allow(unsafe_code)]

use std::{
    ffi::c_int,
    io, mem, ptr,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
};

use libc::{c_void, sigaction, siginfo_t};

/// Maximum number of mappings at once. More files are read instead.
const MAX_MAPPINGS: usize = 256;

/// The mappings. The handler reads them while other threads change them, so it must not lock.
static SLOTS: [Slot; MAX_MAPPINGS] = [const { Slot::new() }; MAX_MAPPINGS];

/// The handler that was installed before; `None` inside if that failed.
static PREVIOUS: OnceLock<Option<sigaction>> = OnceLock::new();

static PAGE_SIZE: AtomicUsize = AtomicUsize::new(0);

struct Slot {
    is_used: AtomicBool,
    /// Odd while `start` and `end` change.
    version: AtomicUsize,
    start: AtomicUsize,
    end: AtomicUsize,
    is_lost: AtomicBool,
}

impl Slot {
    const fn new() -> Slot {
        Slot {
            is_used: AtomicBool::new(false),
            version: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            is_lost: AtomicBool::new(false),
        }
    }

    fn set(&self, start: usize, end: usize) {
        self.version.fetch_add(1, SeqCst);
        self.start.store(start, SeqCst);
        self.end.store(end, SeqCst);
        self.version.fetch_add(1, SeqCst);
    }

    /// The end of the mapping, if it contains `address`.
    fn end_if_contains(&self, address: usize) -> Option<usize> {
        let version = self.version.load(SeqCst);
        let (start, end) = (self.start.load(SeqCst), self.end.load(SeqCst));
        // The slot of the mapping that is being read does not change. Others may.
        let is_stable = version.is_multiple_of(2) && self.version.load(SeqCst) == version;
        (is_stable && (start..end).contains(&address)).then_some(end)
    }
}

/// A mapping whose loss is noted.
#[derive(Debug)]
pub(super) struct Watched(usize);

impl Watched {
    /// Watches the mapping `bytes`. The result must be dropped before the mapping.
    pub fn new(bytes: &[u8]) -> io::Result<Watched> {
        if PREVIOUS.get_or_init(install).is_none() {
            return Err(io::Error::other("the handler of SIGBUS cannot be installed"));
        }
        let free = SLOTS.iter().position(|slot| slot.is_used.compare_exchange(false, true, SeqCst, SeqCst).is_ok());
        let free = free.ok_or_else(|| io::Error::other("too many mappings"))?;
        let start = bytes.as_ptr().addr();
        SLOTS[free].is_lost.store(false, SeqCst);
        SLOTS[free].set(start, start.saturating_add(bytes.len()));
        Ok(Watched(free))
    }

    /// Whether some bytes could not be read, and are zeros now.
    pub fn is_lost(&self) -> bool {
        SLOTS[self.0].is_lost.load(SeqCst)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        SLOTS[self.0].set(0, 0);
        SLOTS[self.0].is_used.store(false, SeqCst);
    }
}

/// Installs the handler and returns the previous one.
fn install() -> Option<sigaction> {
    // SAFETY: `sysconf` has no preconditions.
    let page_size = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok().filter(|size| size.is_power_of_two())?;
    PAGE_SIZE.store(page_size, SeqCst);
    // SAFETY: all zeros are a valid `sigaction`: the default handler with an empty mask.
    let (mut new, mut previous): (sigaction, sigaction) = unsafe { (mem::zeroed(), mem::zeroed()) };
    let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = on_bus_error;
    new.sa_sigaction = handler as libc::sighandler_t;
    // On the stack that the standard library sets up for signals, because it handles SIGBUS too.
    new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: both pointers are valid, and the handler only calls what is safe in a handler.
    let result = unsafe { libc::sigaction(libc::SIGBUS, &raw const new, &raw mut previous) };
    (result == 0).then_some(previous)
}

extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a valid pointer to a handler with SA_SIGINFO. A positive code says
    // that a fault sent the signal, which has an address.
    let address = unsafe { if (*info).si_code > 0 { (*info).si_addr().addr() } else { 0 } };
    let found = SLOTS.iter().find_map(|slot| Some((slot, slot.end_if_contains(address)?)));
    if let Some((slot, end)) = found {
        // Before the zeros can be read.
        slot.is_lost.store(true, SeqCst);
        if fill_with_zeros(address, end) {
            return;
        }
    }
    pass_on(signal, info, context);
}

/// Replaces the pages from `address` to `end` by zeros.
fn fill_with_zeros(address: usize, end: usize) -> bool {
    let start = address & !(PAGE_SIZE.load(SeqCst) - 1);
    let place = ptr::with_exposed_provenance_mut(start);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the pages belong to a mapping that exists, because a thread is reading it, and that
    // ends at `end`. `memmap2` unmaps them like the pages before. The call only enters the kernel,
    // so it is safe in a handler.
    let mapped = unsafe { libc::mmap(place, end - start, libc::PROT_READ, flags, -1, 0) };
    mapped != libc::MAP_FAILED
}

/// Calls the previous handler.
fn pass_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let previous = PREVIOUS.get().and_then(Option::as_ref);
    let handler = previous.map_or(libc::SIG_DFL, |previous| previous.sa_sigaction);
    if matches!(handler, libc::SIG_DFL | libc::SIG_IGN) {
        // The fault repeats and ends the process, as it would without this module.
        // SAFETY: all zeros are the default handler with an empty mask, and the pointer is valid.
        unsafe {
            let default: sigaction = mem::zeroed();
            libc::sigaction(signal, &raw const default, ptr::null_mut());
        }
    } else if previous.is_some_and(|previous| previous.sa_flags & libc::SA_SIGINFO != 0) {
        // SAFETY: a handler with SA_SIGINFO has this type.
        unsafe { mem::transmute::<usize, extern "C" fn(c_int, *mut siginfo_t, *mut c_void)>(handler)(signal, info, context) }
    } else {
        // SAFETY: a handler without SA_SIGINFO has this type.
        unsafe { mem::transmute::<usize, extern "C" fn(c_int)>(handler)(signal) }
    }
}
