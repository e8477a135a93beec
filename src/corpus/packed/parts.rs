//! Archives with parts that can be decompressed independently.

use std::{
    collections::VecDeque,
    io::{self, Cursor, Read},
    sync::{
        Arc, OnceLock,
        mpsc::{Receiver, sync_channel},
    },
};

use rayon::ThreadPool;

use super::Failing;

/// Maximum length of a decompressed part. Longer parts are read as streams, in order. `pzstd -19`
/// writes frames of this size.
pub(super) const LARGEST: usize = 32 << 20;

/// Maximum number of bytes of parts decompressed ahead, plus [`SPACE_OF_THREAD`] per thread.
const SPACE: usize = 40 << 20;
const SPACE_OF_THREAD: usize = 16 << 20;

/// Shows where a range of an archive ends in its text, once it was read by another thread.
#[derive(Clone, Debug, Default)]
pub struct RangeWatch(Arc<OnceLock<u64>>);

impl RangeWatch {
    /// The number of decompressed bytes in the range.
    pub fn length(&self) -> Option<u64> {
        self.0.get().copied()
    }
}

/// A part of an archive.
pub(super) struct Part {
    /// The start of the part.
    pub start: u64,
    pub work: Work,
}

/// How a part is decompressed.
pub(super) enum Work {
    /// By any thread, ahead of time. It needs at most about `most` bytes.
    Ahead { most: usize, unpack: Box<dyn FnOnce() -> Unpacked + Send> },
    /// In order, as a stream. Its decoder needs at most about `most` bytes.
    InTurn { most: usize, reader: Box<dyn Read + Send> },
}

/// A decompressed part.
pub(super) struct Unpacked {
    pub text: Vec<u8>,
    /// Reads the data after the text, or reports an error.
    pub rest: Option<Box<dyn Read + Send>>,
    /// Whether nothing is read after `rest`.
    pub is_last: bool,
}

impl Unpacked {
    /// Reads up to [`LARGEST`] bytes from a decoder. `most` is the expected number of bytes.
    pub fn read(mut decoder: Box<dyn Read + Send>, most: usize) -> Unpacked {
        let mut text = Vec::with_capacity(most.min(LARGEST));
        let rest = match decoder.by_ref().take(LARGEST as u64).read_to_end(&mut text) {
            Err(error) => Some(Box::new(Failing(Some(error))) as Box<dyn Read + Send>),
            Ok(LARGEST) => Some(decoder),
            Ok(_) => None,
        };
        Unpacked { text, rest, is_last: false }
    }

    /// The rest of the archive, read in order.
    pub fn last(rest: Box<dyn Read + Send>) -> Unpacked {
        Unpacked { text: Vec::new(), rest: Some(rest), is_last: true }
    }
}

enum Pending {
    Ahead { most: usize, unpacked: Receiver<Unpacked> },
    InTurn { most: usize, reader: Box<dyn Read + Send> },
}

/// Reads parts in order, while the next ones are decompressed in the background.
pub(super) struct Parts<S> {
    /// Finds the parts without decompressing them.
    split: S,
    pool: Arc<ThreadPool>,
    pending: VecDeque<(u64, Pending)>,
    /// The next part, if there was no space for it yet.
    waiting: Option<Part>,
    /// Number of bytes that parts need, including the current one.
    held: usize,
    current: Option<(usize, Box<dyn Read + Send>)>,
    ended: bool,
    /// Number of bytes that were read.
    read: u64,
    /// The end of a range, and who wants to know where it is in the text.
    range: Option<(u64, RangeWatch)>,
}

impl<S: Iterator<Item = Part>> Parts<S> {
    pub fn new(split: S, pool: Arc<ThreadPool>) -> Parts<S> {
        Parts { split, pool, pending: VecDeque::new(), waiting: None, held: 0, current: None, ended: false, read: 0, range: None }
    }

    /// Parts that tell `watch` where a range ends.
    pub fn with_range(split: S, pool: Arc<ThreadPool>, end: u64, watch: RangeWatch) -> Parts<S> {
        Parts { range: Some((end, watch)), ..Parts::new(split, pool) }
    }

    /// Notes that the part at `start` begins.
    fn pass(&mut self, start: u64) {
        if let Some((_, watch)) = self.range.take_if(|(end, _)| start >= *end) {
            let _ = watch.0.set(self.read);
        }
    }

    /// Starts decompressing parts while there are threads and space.
    fn look_ahead(&mut self) {
        let threads = self.pool.current_num_threads();
        let space = SPACE.saturating_add(threads.saturating_mul(SPACE_OF_THREAD));
        while self.pending.len() <= threads && !self.ended {
            let Some(part) = self.waiting.take().or_else(|| self.split.next()) else {
                self.ended = true;
                return;
            };
            let pending = match part.work {
                Work::Ahead { most, .. } if self.held > 0 && self.held.saturating_add(most) > space => {
                    self.waiting = Some(part);
                    return;
                }
                Work::Ahead { most, unpack } => {
                    let (sender, unpacked) = sync_channel(1);
                    self.pool.spawn(move || {
                        // The receiver is gone if the run was interrupted.
                        let _ = sender.send(unpack());
                    });
                    self.held += most;
                    Pending::Ahead { most, unpacked }
                }
                Work::InTurn { most, reader } => {
                    self.held += most;
                    Pending::InTurn { most, reader }
                }
            };
            self.pending.push_back((part.start, pending));
        }
    }

    /// Moves to the next part. Returns whether there is one.
    fn next(&mut self) -> io::Result<bool> {
        self.look_ahead();
        let Some((start, pending)) = self.pending.pop_front() else { return Ok(false) };
        self.pass(start);
        self.current = Some(match pending {
            Pending::Ahead { most, unpacked } => {
                let unpacked = unpacked.recv().map_err(|_| io::Error::other("the decoder stopped unexpectedly"))?;
                if unpacked.is_last {
                    self.end();
                }
                let rest = unpacked.rest.unwrap_or_else(|| Box::new(io::empty()));
                (most, Box::new(Cursor::new(unpacked.text).chain(rest)))
            }
            Pending::InTurn { most, reader } => (most, reader),
        });
        self.look_ahead();
        Ok(true)
    }

    /// Stops looking for parts.
    fn end(&mut self) {
        self.pending.clear();
        self.waiting = None;
        self.ended = true;
    }

    /// Stops reading after an error.
    fn fail(&mut self, error: io::Error) -> io::Error {
        self.end();
        self.current = None;
        error
    }
}

impl<S: Iterator<Item = Part>> Read for Parts<S> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some((most, current)) = &mut self.current {
                match current.read(into) {
                    Ok(0) => {
                        self.held -= *most;
                        self.current = None;
                    }
                    Ok(read) => {
                        self.read += read as u64;
                        return Ok(read);
                    }
                    Err(error) => return Err(self.fail(error)),
                }
            }
            match self.next() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(error) => return Err(self.fail(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;

    #[test]
    fn parts_come_in_order_up_to_one_that_fails() {
        for (threads, fails) in [(1, 30), (2, 30), (5, 30), (2, 7)] {
            let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had"));
            let parts = (0..30).map(|number| {
                let letter = Cursor::new([b'a' + number as u8 % 10]);
                let reader: Box<dyn Read + Send> =
                    if number == fails { Box::new(Failing(Some(io::Error::other("no letter")))) } else { Box::new(letter) };
                let unpack = Box::new(move || Unpacked::read(reader, LARGEST));
                Part { start: number, work: Work::Ahead { most: LARGEST, unpack } }
            });
            let (mut text, watch) = (String::new(), RangeWatch::default());
            let result = Parts::with_range(parts, pool, 5, watch.clone()).read_to_string(&mut text);
            assert_eq!(result.is_err(), fails < 30);
            assert_eq!(text, "abcdefghij".repeat(3)[..fails as usize]);
            assert_eq!(watch.length(), Some(5));
        }
    }
}
