//! Loads the pages of mapped files before they are needed.
//!
//! Whoever touches a page of a mapped file that is not in memory waits for the disk. The system then reads a little more than
//! that page: 128 KiB on most Linux systems, which a thread checks in a fraction of a millisecond. If threads wait so often, a
//! thread of its own reads the file before them, in large parts, only for the system to keep them in memory.

use std::{
    fs::File,
    io,
    ops::Range,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{Builder, JoinHandle},
};

use super::{Bytes, Watch, disk_waits::disk_waits};

/// Number of bytes after which is looked whether threads waited.
const CHECKED_AT_ONCE: u64 = 4 << 20;

/// Minimum number of waits in that many bytes. With a read-ahead of 1 MiB, there are fewer.
const MIN_WAITS: u64 = 8;

/// Number of bytes that are loaded at once. The system reads them in one go.
const LOADED_AT_ONCE: u64 = 1 << 20;

/// Maximum number of bytes that are loaded before they are needed.
const MAX_AHEAD: u64 = 16 << 20;

/// Loads the pages of a text before they are needed, if threads wait for them.
#[derive(Debug)]
pub struct Preload {
    state: State,
    length: u64,
    /// Whether threads waited for the text before.
    was_slow: bool,
}

#[derive(Debug)]
enum State {
    /// There is nothing to load: the text is not a mapped file.
    Nothing,
    /// Threads did not wait often so far.
    Watching { file: Watch, waits: Waits },
    /// Pages are being loaded.
    Loading(Loader),
}

impl Preload {
    /// For this text. `was_slow` says whether threads waited for the text before. Pages are then loaded from the start on.
    pub fn new(text: &Bytes, was_slow: bool) -> Preload {
        let state = match text.watch().filter(|_| text.is_mapped()) {
            None => State::Nothing,
            Some(file) if was_slow => Preload::loading(file.clone(), 0, text.len() as u64),
            Some(file) => State::Watching { file: file.clone(), waits: Waits { at: 0, number: disk_waits() } },
        };
        Preload { state, length: text.len() as u64, was_slow }
    }

    /// The text before `at` is being checked.
    pub fn advance(&mut self, at: usize) {
        let at = at as u64;
        match &mut self.state {
            State::Watching { file, waits } => {
                if waits.are_many(at, disk_waits) {
                    self.state = Preload::loading(file.clone(), at, self.length);
                }
            }
            State::Loading(loader) => loader.progress.set(Some(at.saturating_add(MAX_AHEAD))),
            State::Nothing => {}
        }
    }

    /// Ends it. Returns whether threads waited, or would have.
    pub fn end(self) -> bool {
        match self.state {
            State::Nothing => self.was_slow,
            State::Watching { .. } => false,
            State::Loading(mut loader) => loader.stop(),
        }
    }

    /// Begins to load what follows `at`.
    fn loading(file: Watch, at: u64, length: u64) -> State {
        // Without another thread, it only takes longer.
        Loader::start(file, at, length).map_or(State::Nothing, State::Loading)
    }
}

/// How often threads had waited when the text before `at` was being checked.
#[derive(Debug)]
struct Waits {
    at: u64,
    number: u64,
}

impl Waits {
    /// Whether there were many until now, if it is time to look. `waits` is their number.
    fn are_many(&mut self, at: u64, waits: impl Fn() -> u64) -> bool {
        if at < self.at.saturating_add(CHECKED_AT_ONCE) {
            return false;
        }
        let before = std::mem::replace(self, Waits { at, number: waits() });
        self.number >= before.number.saturating_add(MIN_WAITS)
    }
}

/// The thread that loads pages. It ends with this.
#[derive(Debug)]
struct Loader {
    progress: Arc<Progress>,
    thread: Option<JoinHandle<bool>>,
}

impl Loader {
    fn start(file: Watch, from: u64, end: u64) -> io::Result<Loader> {
        let progress = Arc::new(Progress { wanted: Mutex::new(Some(from.saturating_add(MAX_AHEAD))), changed: Condvar::new() });
        let own = Arc::clone(&progress);
        let load = move || {
            let mut buffer = vec![0; LOADED_AT_ONCE as usize];
            file.file().is_some_and(|file| {
                load(from, end, &own, |part| {
                    let is_needed = !is_loaded(file, part.end - 1);
                    if is_needed { read_at(file, &mut buffer, part.start).map(|_| true) } else { Ok(false) }
                })
            })
        };
        let thread = Builder::new().name("preload".to_owned()).spawn(load)?;
        Ok(Loader { progress, thread: Some(thread) })
    }

    /// Returns whether anything had to be loaded.
    fn stop(&mut self) -> bool {
        self.progress.set(None);
        self.thread.take().is_some_and(|thread| thread.join().unwrap_or(false))
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        self.stop();
    }
}

/// How far is loaded.
#[derive(Debug)]
struct Progress {
    /// The place up to which pages are loaded. `None` if no more are needed.
    wanted: Mutex<Option<u64>>,
    changed: Condvar,
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, wanted: Option<u64>) {
        *self.lock() = wanted;
        self.changed.notify_one();
    }

    /// Waits until the part at `at` may be loaded. `false` if no more are needed.
    fn wait_for(&self, at: u64) -> bool {
        let waits = |wanted: &mut Option<u64>| wanted.is_some_and(|wanted| wanted <= at);
        self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Loads the parts of a file from `from` to `end`. Returns whether one of them was not in memory, as `load_part` says.
fn load(from: u64, end: u64, progress: &Progress, mut load_part: impl FnMut(Range<u64>) -> io::Result<bool>) -> bool {
    let (mut at, mut was_needed) = (from, false);
    while at < end && progress.wait_for(at) {
        let next = end.min(at.saturating_add(LOADED_AT_ONCE));
        match load_part(at..next) {
            Ok(is_needed) => was_needed |= is_needed,
            // Those who need the part will see that.
            Err(_) => break,
        }
        at = next;
    }
    was_needed
}

/// Whether the page with the byte `at` is in memory.
#[cfg(target_os = "linux")]
fn is_loaded(file: &File, at: u64) -> bool {
    use rustix::io::{ReadWriteFlags, preadv2};
    preadv2(file, &mut [io::IoSliceMut::new(&mut [0])], at, ReadWriteFlags::NOWAIT).is_ok()
}

/// Not known.
#[cfg(not(target_os = "linux"))]
fn is_loaded(_: &File, _: u64) -> bool {
    false
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
        let progress = Arc::new(Progress { wanted: Mutex::new(Some(2 * PART)), changed: Condvar::new() });
        let (sender, receiver) = channel();
        let own = Arc::clone(&progress);
        let thread = std::thread::spawn(move || {
            load(7, 10 * PART, &own, |part| {
                let _ = sender.send(part.clone());
                Ok(part.start > 3 * PART)
            })
        });
        let next = || receiver.recv().map(|part| (part.start, part.end));
        assert_eq!([next(), next()], [Ok((7, PART + 7)), Ok((PART + 7, 2 * PART + 7))]);
        // The third one is not wanted yet.
        progress.set(Some(3 * PART));
        assert_eq!(next(), Ok((2 * PART + 7, 3 * PART + 7)));
        progress.set(Some(u64::MAX));
        let last = std::iter::from_fn(|| receiver.recv().ok()).last();
        assert_eq!(last, Some(9 * PART + 7..10 * PART));
        assert_eq!(thread.join().ok(), Some(true));
        // Nothing is loaded after it was stopped, and nothing after a part that cannot be read.
        assert!(!load(0, PART, &Progress { wanted: Mutex::new(None), changed: Condvar::new() }, |_| Ok(true)));
        let mut parts = 0;
        let failing = |_| {
            parts += 1;
            Err(io::ErrorKind::Other.into())
        };
        assert!(!load(0, 9 * PART, &progress, failing));
        assert_eq!(parts, 1);
    }

    #[test]
    fn many_waits_in_few_bytes_are_noticed() {
        let mut waits = Waits { at: 0, number: 100 };
        let steps = [(CHECKED_AT_ONCE - 1, 500), (CHECKED_AT_ONCE, 107), (3 * CHECKED_AT_ONCE, 114), (4 * CHECKED_AT_ONCE, 122)];
        assert_eq!(steps.map(|(at, number)| waits.are_many(at, || number)), [false, false, false, true]);
    }

    #[test]
    fn only_mapped_files_are_loaded() -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(&[b'x'; 3 << 20])?;
        let input = Input { name: "x".to_owned(), source: Source::File(file.path().to_owned()), format: None, scanned: false };
        let Ok(Content::Whole(mapped)) = input.open(true) else { panic!("not mapped") };
        for was_slow in [false, true] {
            let mut preload = Preload::new(&mapped, was_slow);
            assert_eq!(matches!(preload.state, State::Loading(_)), was_slow, "{was_slow}");
            preload.advance(1 << 20);
            preload.end();
            let text = Bytes::from(Arc::<[u8]>::from(&b"x"[..]));
            assert_eq!(Preload::new(&text, was_slow).end(), was_slow);
        }
        Ok(())
    }
}
