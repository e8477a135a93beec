//! Loads the pages of mapped files before they are needed.
//!
//! A thread that touches a page that is not in memory waits for the disk. The system then reads a
//! little more than that page: 128 KiB on most Linux systems, which a thread checks in a fraction
//! of a millisecond. If threads wait often, a separate thread reads the file ahead of them in large
//! parts, only for the system to keep them in memory.

use std::{
    fs::File,
    io,
    ops::Range,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::Builder,
};

use super::{Bytes, Watch, disk_use::disk_waits};

/// Number of bytes between two checks for waits.
const CHECK_INTERVAL: u64 = 4 << 20;

/// Number of waits in an interval from which on pages are loaded. If the system reads ahead by 1
/// MiB, there are fewer.
const MANY_WAITS: u64 = 8;

/// Number of bytes that are loaded at once. The system reads them in one go.
pub(super) const LOADED_AT_ONCE: u64 = 1 << 20;

/// Maximum number of bytes that are loaded before they are needed.
const MAX_AHEAD: u64 = 16 << 20;

/// How the texts of a run so far were read.
#[derive(Debug)]
pub struct Pace {
    /// Whether threads often waited for the last one, or would have.
    is_slow: bool,
    waits: Waits,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { is_slow: false, waits: Waits::since(disk_waits()) }
    }
}

/// How often threads had waited for a disk, or read from it, at the last check.
#[derive(Debug)]
pub(super) struct Waits {
    /// Number of bytes or files that were checked since then.
    passed: u64,
    number: u64,
}

impl Waits {
    /// Counts from now on, when there were `number`.
    pub const fn since(number: u64) -> Waits {
        Waits { passed: 0, number }
    }

    /// Whether there were at least `many` in the last interval, which ends after `passed` more
    /// bytes or files. `None` before its end.
    pub fn are_many(&mut self, passed: u64, (interval, many): (u64, u64), number: impl Fn() -> u64) -> Option<bool> {
        self.passed = self.passed.saturating_add(passed);
        if self.passed < interval {
            return None;
        }
        let before = std::mem::replace(self, Waits::since(number()));
        Some(self.number >= before.number.saturating_add(many))
    }
}

/// Loads the pages of a text before they are needed, if threads wait for them.
#[derive(Debug)]
pub struct Preload {
    state: State,
    pace: Pace,
    /// The text before this place is being checked.
    at: u64,
}

#[derive(Debug)]
enum State {
    /// There is nothing to load: the text is not a mapped file.
    Nothing,
    /// Threads did not wait often so far.
    Watching(Watch),
    /// Pages are being loaded.
    Loading(Loader),
}

impl Preload {
    /// Begins to watch a text, or to load it if threads waited for the text before.
    pub fn new(text: &Bytes, pace: Pace) -> Preload {
        let state = match text.watch().filter(|_| text.is_mapped()) {
            None => State::Nothing,
            Some(file) if pace.is_slow => Preload::loading(file.clone(), 0, text.len() as u64),
            Some(file) => State::Watching(file.clone()),
        };
        Preload { state, pace, at: 0 }
    }

    /// Notes that the text before `at` is being checked. It will be checked up to `end`.
    pub fn advance(&mut self, at: usize, end: usize) {
        let (at, end) = (at as u64, end as u64);
        let passed = at.saturating_sub(std::mem::replace(&mut self.at, at));
        match &mut self.state {
            State::Watching(file) => {
                if self.pace.waits.are_many(passed, (CHECK_INTERVAL, MANY_WAITS), disk_waits) == Some(true) {
                    self.pace.is_slow = true;
                    self.state = Preload::loading(file.clone(), at, end);
                }
            }
            State::Loading(loader) => loader.limit.set(Some(at.saturating_add(MAX_AHEAD).min(end))),
            State::Nothing => {}
        }
    }

    /// Stops loading.
    pub fn end(self) -> Pace {
        let Preload { state, mut pace, .. } = self;
        if let State::Loading(loader) = state {
            let Limit { has_looked, was_needed, .. } = &*loader.limit;
            pace.is_slow = was_needed.load(Ordering::Relaxed) || !has_looked.load(Ordering::Relaxed);
        }
        pace
    }

    /// Begins to load what follows `at`.
    fn loading(file: Watch, at: u64, end: u64) -> State {
        // Without another thread, it only takes longer.
        Loader::start(file, at, end).map_or(State::Nothing, State::Loading)
    }
}

/// The thread that loads pages. After this is dropped, it ends with the part that it is reading.
#[derive(Debug)]
struct Loader {
    limit: Arc<Limit>,
}

impl Loader {
    fn start(file: Watch, from: u64, end: u64) -> io::Result<Loader> {
        let limit = Arc::new(Limit::new(Some(from.saturating_add(MAX_AHEAD))));
        let own = Arc::clone(&limit);
        let load = move || {
            let mut buffer = vec![0; LOADED_AT_ONCE as usize];
            let Some(file) = file.file() else { return };
            load(from, end, &own, |part| {
                let is_loaded = is_loaded(file, part.end - 1);
                if is_loaded != Some(true) {
                    read_at(file, &mut buffer, part.start)?;
                }
                Ok(is_loaded == Some(false))
            });
        };
        Builder::new().name("preload".to_owned()).spawn(load)?;
        Ok(Loader { limit })
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.limit.set(None);
    }
}

/// How far pages may be loaded, and what was seen there.
#[derive(Debug)]
struct Limit {
    /// `None` if no more are needed.
    end: Mutex<Option<u64>>,
    changed: Condvar,
    /// Whether any part was looked at.
    has_looked: AtomicBool,
    /// Whether one of them was not in memory.
    was_needed: AtomicBool,
}

impl Limit {
    const fn new(end: Option<u64>) -> Limit {
        let (has_looked, was_needed) = (AtomicBool::new(false), AtomicBool::new(false));
        Limit { end: Mutex::new(end), changed: Condvar::new(), has_looked, was_needed }
    }

    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, end: Option<u64>) {
        *self.lock() = end;
        self.changed.notify_one();
    }

    /// Waits until the part at `at` may be loaded. `false` if no more are needed.
    fn wait_for(&self, at: u64) -> bool {
        let waits = |end: &mut Option<u64>| end.is_some_and(|end| end <= at);
        self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Loads the parts of a file from `from` to `end`. `load_part` returns whether one was not in
/// memory, as far as the system says.
fn load(from: u64, end: u64, limit: &Limit, mut load_part: impl FnMut(Range<u64>) -> io::Result<bool>) {
    let mut at = from;
    while at < end && limit.wait_for(at) {
        let next = end.min(at.saturating_add(LOADED_AT_ONCE));
        match load_part(at..next) {
            Ok(is_needed) => _ = limit.was_needed.fetch_or(is_needed, Ordering::Relaxed),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // The thread that needs the part finds out.
            Err(_) => break,
        }
        limit.has_looked.store(true, Ordering::Relaxed);
        at = next;
    }
}

/// Whether the page with the byte `at` is in memory. `None` if the system does not say.
#[cfg(target_os = "linux")]
pub(super) fn is_loaded(file: &File, at: u64) -> Option<bool> {
    use rustix::io::{Errno, ReadWriteFlags, preadv2};
    match preadv2(file, &mut [io::IoSliceMut::new(&mut [0])], at, ReadWriteFlags::NOWAIT) {
        Ok(_) => Some(true),
        Err(Errno::AGAIN) => Some(false),
        Err(_) => None,
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_loaded(_: &File, _: u64) -> Option<bool> {
    None
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

/// Not needed, because it is not known whether threads wait.
#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::mpsc::channel};

    use super::*;
    use crate::corpus::{Content, Input, Source};

    #[test]
    fn parts_are_loaded_until_they_are_not_wanted() {
        const PART: u64 = LOADED_AT_ONCE;
        let limit = Arc::new(Limit::new(Some(2 * PART)));
        let (sender, receiver) = channel();
        let own = Arc::clone(&limit);
        let thread = std::thread::spawn(move || {
            load(7, 10 * PART, &own, |part| {
                let _ = sender.send(part.clone());
                Ok(part.start > 3 * PART)
            });
        });
        let next = || receiver.recv().map(|part| (part.start, part.end));
        assert_eq!([next(), next()], [Ok((7, PART + 7)), Ok((PART + 7, 2 * PART + 7))]);
        assert!(!limit.was_needed.load(Ordering::Relaxed));
        // The third one is not wanted yet.
        limit.set(Some(3 * PART));
        assert_eq!(next(), Ok((2 * PART + 7, 3 * PART + 7)));
        limit.set(Some(u64::MAX));
        let last = std::iter::from_fn(|| receiver.recv().ok()).last();
        assert_eq!(last, Some(9 * PART + 7..10 * PART));
        assert!(thread.join().is_ok() && limit.was_needed.load(Ordering::Relaxed));
        // Nothing is loaded after it was stopped, and nothing after a part that cannot be read.
        let stopped = Limit::new(None);
        load(0, PART, &stopped, |_| Ok(true));
        assert!(!stopped.has_looked.load(Ordering::Relaxed));
        for (kind, expected) in [(io::ErrorKind::Other, vec![0]), (io::ErrorKind::Interrupted, vec![0, 0, PART])] {
            let mut parts = Vec::new();
            load(0, 2 * PART, &limit, |part| {
                parts.push(part.start);
                if parts.len() == 1 { Err(kind.into()) } else { Ok(true) }
            });
            assert_eq!(parts, expected, "{kind}");
        }
    }

    #[test]
    fn many_waits_in_few_bytes_are_noticed() {
        let mut waits = Waits::since(100);
        let steps = [(CHECK_INTERVAL - 1, 500), (1, 107), (2 * CHECK_INTERVAL, 114), (CHECK_INTERVAL, 122)];
        assert_eq!(
            steps.map(|(bytes, number)| waits.are_many(bytes, (CHECK_INTERVAL, MANY_WAITS), || number)),
            [None, Some(false), Some(false), Some(true)]
        );
    }

    #[test]
    fn only_mapped_files_are_loaded() -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(&[b'x'; 3 << 20])?;
        let input = Input { name: "x".to_owned(), source: Source::File(file.path().to_owned()), format: None, scanned: false };
        let Ok(Content::Whole(mapped)) = input.open(true) else { panic!("not mapped") };
        for is_slow in [false, true] {
            let pace = || Pace { is_slow, ..Pace::default() };
            let mut preload = Preload::new(&mapped, pace());
            assert_eq!(matches!(preload.state, State::Loading(_)), is_slow);
            preload.advance(1 << 20, mapped.len());
            if !is_slow {
                // Small texts are counted together.
                assert_eq!(preload.end().waits.passed, 1 << 20);
            }
            let text = Bytes::from(Arc::<[u8]>::from(&b"x"[..]));
            assert_eq!(Preload::new(&text, pace()).end().is_slow, is_slow);
        }
        // What is in memory need not be loaded.
        if let Ok(file) = file.reopen()
            && is_loaded(&file, 0) == Some(true)
        {
            let limit = Limit::new(Some(u64::MAX));
            load(0, 3 << 20, &limit, |part| Ok(is_loaded(&file, part.start) == Some(false)));
            assert!(limit.has_looked.load(Ordering::Relaxed) && !limit.was_needed.load(Ordering::Relaxed));
        }
        Ok(())
    }
}
