//! Loads files before they are opened.
//!
//! To open a small file and to read it takes one or two requests to the disk or to a file server,
//! one after the other, and much less time in between. As many files are requested at once as there
//! are threads. If files are not in memory, further threads read those that come next, only for the
//! system to keep them.

use std::{
    collections::VecDeque,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::Builder,
};

use super::{
    Input, Source,
    disk_use::disk_reads,
    preload::{LOADED_AT_ONCE, Waits, is_loaded},
};
use crate::text::open_regular;

/// Number of files between two checks for reads from a disk.
const CHECK_INTERVAL: u64 = 32;

/// Number of reads in an interval from which on files are loaded. To open and read a file of any
/// length takes one or two.
const MANY_READS: u64 = CHECK_INTERVAL / 2;

/// Number of threads that load files. They mostly wait.
const LOADERS: usize = 8;

/// Maximum number of files that are loaded before they are opened.
const MAX_AHEAD: usize = 64;

/// The stack of a thread that loads files, in bytes.
const STACK: usize = 128 << 10;

/// Number of bytes that such a thread reads at once.
const BUFFER: usize = 64 << 10;

/// Number of files that a process must be allowed to open, so that the audit has enough of them.
#[cfg(unix)]
const MIN_OPEN_FILES: u64 = 256;

/// Loads files before they are opened, if those before them had to be read from a disk.
#[derive(Debug)]
pub struct FilePreload {
    reads: Waits,
    loaders: Option<Loaders>,
}

impl Default for FilePreload {
    fn default() -> FilePreload {
        FilePreload { reads: Waits::since(disk_reads()), loaders: None }
    }
}

impl FilePreload {
    /// Has to be called when inputs are opened: their number, and those after them.
    pub fn advance<'a>(&mut self, opened: usize, next: impl Iterator<Item = &'a Input>) {
        self.advance_with(opened, next, disk_reads);
    }

    /// The same. `reads` is the number of reads so far, with those by the threads that load files.
    fn advance_with<'a>(&mut self, opened: usize, next: impl Iterator<Item = &'a Input>, reads: impl Fn() -> u64) {
        match self.reads.are_many(opened as u64, (CHECK_INTERVAL, MANY_READS), reads) {
            Some(false) => self.loaders = None,
            // Without other threads, it only takes longer.
            Some(true) if self.loaders.is_none() && may_open_more() => {
                self.loaders = Loaders::start(|file| load(file).map(|_| ())).ok()
            }
            _ => {}
        }
        if let Some(loaders) = &mut self.loaders {
            loaders.advance(opened, next);
        }
    }
}

/// Threads that load files. After this is dropped, they end with the file that they are reading.
#[derive(Debug)]
struct Loaders {
    queue: Arc<Queue>,
    /// How many of the next inputs the threads know.
    known: usize,
}

#[derive(Debug)]
struct Queue {
    /// Files to load. `None` if no more are needed.
    files: Mutex<Option<VecDeque<PathBuf>>>,
    changed: Condvar,
}

impl Loaders {
    /// Starts the threads.
    fn start(load: impl Fn(&Path) -> io::Result<()> + Clone + Send + 'static) -> io::Result<Loaders> {
        let queue = Arc::new(Queue { files: Mutex::new(Some(VecDeque::new())), changed: Condvar::new() });
        let loaders = Loaders { queue: Arc::clone(&queue), known: 0 };
        for _ in 0..LOADERS {
            let (own, load) = (Arc::clone(&queue), load.clone());
            let run = move || {
                while let Some(file) = own.next() {
                    // Whoever opens it later finds out what is wrong with it.
                    let _ = load(&file);
                }
            };
            Builder::new().name("preload".to_owned()).stack_size(STACK).spawn(run)?;
        }
        Ok(loaders)
    }

    /// Hands over the files that come next, up to a limit.
    fn advance<'a>(&mut self, opened: usize, next: impl Iterator<Item = &'a Input>) {
        self.known = self.known.saturating_sub(opened);
        let new = next.take(MAX_AHEAD).skip(self.known);
        let mut count = 0;
        if let Some(files) = &mut *self.queue.lock() {
            files.extend(new.inspect(|_| count += 1).filter_map(|input| match &input.source {
                Source::File(path) => Some(path.clone()),
                _ => None,
            }));
            // What was not loaded in time need not be loaded any more.
            files.drain(..files.len().saturating_sub(MAX_AHEAD));
        }
        self.known += count;
        self.queue.changed.notify_all();
    }
}

impl Drop for Loaders {
    fn drop(&mut self) {
        *self.queue.lock() = None;
        self.queue.changed.notify_all();
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Option<VecDeque<PathBuf>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next file. `None` if no more are needed.
    fn next(&self) -> Option<PathBuf> {
        let waits = |files: &mut Option<VecDeque<PathBuf>>| files.as_ref().is_some_and(VecDeque::is_empty);
        self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner).as_mut()?.pop_front()
    }
}

/// Whether the process may open more files than the audit needs.
fn may_open_more() -> bool {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current.is_none_or(|most| most >= MIN_OPEN_FILES);
    #[cfg(not(unix))]
    true
}

/// Reads the start of a regular file, if it is not known to be in memory. Returns whether it was
/// read.
fn load(path: &Path) -> io::Result<bool> {
    let file = open_regular(path)?;
    if is_loaded(&file, 0) == Some(true) {
        return Ok(false);
    }
    let mut start = file.take(LOADED_AT_ONCE);
    let mut buffer = vec![0; BUFFER];
    while start.read(&mut buffer)? > 0 {}
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs::File, sync::mpsc::channel};

    use super::*;

    fn inputs(count: usize) -> Vec<Input> {
        let source =
            |number: usize| if number % 10 == 9 { Source::Stdin } else { Source::File(PathBuf::from(number.to_string())) };
        (0..count).map(|number| Input { name: String::new(), source: source(number), format: None, scanned: true }).collect()
    }

    /// The files among the inputs with these numbers.
    fn files(numbers: std::ops::Range<usize>) -> BTreeSet<PathBuf> {
        numbers.filter(|number| number % 10 != 9).map(|number| PathBuf::from(number.to_string())).collect()
    }

    #[test]
    fn the_files_that_come_next_are_loaded_once() -> io::Result<()> {
        let (sender, receiver) = channel();
        let mut loaders = Loaders::start(move |path| sender.send(path.to_owned()).map_err(io::Error::other))?;
        let all = inputs(200);
        let loaded = |count: usize| receiver.iter().take(count).collect::<BTreeSet<PathBuf>>();
        loaders.advance(1, all[1..].iter());
        assert_eq!(loaded(files(1..65).len()), files(1..65));
        // When some of them are opened, the others are not handed over again.
        loaders.advance(10, all[11..].iter());
        assert_eq!(loaded(files(65..75).len()), files(65..75));
        // Even if more are opened than are known.
        loaders.advance(150, all[161..].iter());
        assert_eq!(loaded(files(161..200).len()), files(161..200));
        loaders.advance(39, [].iter());
        drop(loaders);
        assert_eq!(receiver.iter().count(), 0);
        Ok(())
    }

    #[test]
    fn files_are_loaded_while_many_are_read_from_a_disk() {
        let mut preload = FilePreload { reads: Waits::since(100), loaders: None };
        let steps = [(31, 500, false), (1, 100 + MANY_READS, true), (20, 0, true), (12, 200, true), (32, 201, false)];
        for (opened, reads, expected) in steps {
            preload.advance_with(opened, [].iter(), || reads);
            assert_eq!(preload.loaders.is_some(), expected, "{reads}");
        }
    }

    #[test]
    fn only_regular_files_are_read() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, "1. e4 *\n".repeat(200_000))?;
        // It has just been written.
        if is_loaded(&File::open(&path)?, 0) == Some(true) {
            assert!(!load(&path)?);
        }
        assert!(load(folder.path()).is_err());
        assert!(load(&folder.path().join("missing")).is_err());
        #[cfg(unix)]
        {
            let pipe = folder.path().join("pipe.pgn");
            rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
            let own = pipe.clone();
            let writer = std::thread::spawn(move || std::fs::write(own, "1. e4 *\n"));
            // The writer waits until the pipe is opened.
            for _ in 0..10_000 {
                assert!(load(&pipe).is_err());
            }
            assert!(!writer.is_finished(), "the pipe was opened");
            assert_eq!(std::fs::read(&pipe)?, b"1. e4 *\n");
            assert!(writer.join().is_ok_and(|written| written.is_ok()));
        }
        Ok(())
    }
}
