//! Archives with parts that can be decompressed independently.

use std::{
    collections::VecDeque,
    io::{self, Cursor, Read},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, sync_channel},
    },
};

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use super::Failing;

/// Maximum length of a decompressed part. Longer parts are read as streams, in order. `pzstd -19`
/// writes frames of this size.
pub(super) const LARGEST: usize = 32 << 20;

/// Maximum number of bytes of parts decompressed ahead, plus [`SPACE_OF_THREAD`] per thread.
const SPACE: usize = 40 << 20;
const SPACE_OF_THREAD: usize = 16 << 20;

/// Finds the parts of an archive. Places are in bytes or bits, depending on the format.
pub(super) trait Split: Send {
    /// The next part, found without decompressing earlier ones; `None` at the end. A false start
    /// inside the previous part is allowed.
    fn next_part(&mut self) -> Option<Part>;

    /// What the checksum over several parts depends on so far.
    fn sum(&self) -> SumState {
        SumState::default()
    }

    /// Called for each part that is read, in order.
    fn read(&mut self, _: &Unpacked) -> io::Result<()> {
        Ok(())
    }
}

/// The checksum of the current stream so far. If the blocks before a range are unknown, it is that
/// of the blocks in the range, and can be combined with theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SumState {
    /// The number of blocks since the start of the range, if those before it are unknown.
    pub blocks: Option<u64>,
    /// The checksum.
    pub sum: u32,
}

impl SumState {
    /// The state before a range, if the blocks before it are unknown.
    pub const fn unknown() -> SumState {
        SumState { blocks: Some(0), sum: 0 }
    }

    /// Whether the checksum is `sum`.
    pub const fn is(self, sum: u32) -> bool {
        self.sum == sum
    }

    /// The state after these blocks, if `before` is that before them.
    pub fn after(self, before: SumState) -> SumState {
        match self.blocks {
            None => self,
            Some(blocks) => {
                let sum = before.sum.rotate_left((blocks % 32) as u32) ^ self.sum;
                SumState { blocks: before.blocks.map(|before| before.saturating_add(blocks)), sum }
            }
        }
    }
}

/// What was seen of a range of an archive while it was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Where the range ended, once it was read.
    pub end: Option<RangeEnd>,
    /// The checksum of the stream that began before the range, and what it should be.
    pub stream_end: Option<(SumState, u32)>,
}

/// The end of a range of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RangeEnd {
    /// The number of decompressed bytes in the range.
    pub length: u64,
    /// The true end of its last part.
    pub stored: u64,
    /// The checksum of the current stream.
    pub sum: SumState,
}

/// Shows what was seen of a range while another thread reads it.
#[derive(Clone, Debug, Default)]
pub struct RangeWatch(Arc<Mutex<Seen>>);

impl RangeWatch {
    /// What was seen so far.
    pub fn seen(&self) -> Seen {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(&self, note: impl FnOnce(&mut Seen)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
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
    /// In order, as a stream that ends at `end`. Its decoder needs at most about `most` bytes.
    InTurn { most: usize, reader: Box<dyn Read + Send>, end: u64 },
}

/// A decompressed part.
pub(super) struct Unpacked {
    pub text: Vec<u8>,
    /// Reads the data after the text, or reports an error.
    pub rest: Option<Box<dyn Read + Send>>,
    /// The end of the part.
    pub end: u64,
    /// Checksums for [`Split::read`].
    pub sums: Option<Sums>,
    /// Whether nothing is read after `rest`.
    pub is_last: bool,
}

/// The checksum of a part, and of all parts up to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    pub own: u32,
    pub all: Option<u32>,
}

impl Unpacked {
    /// Reads up to [`LARGEST`] bytes from a decoder. `most` is the expected number of bytes.
    pub fn read(mut decoder: Box<dyn Read + Send>, most: usize, end: u64) -> Unpacked {
        let mut text = Vec::with_capacity(most.min(LARGEST));
        let rest = match decoder.by_ref().take(LARGEST as u64).read_to_end(&mut text) {
            Err(error) => Some(Box::new(Failing(Some(error))) as Box<dyn Read + Send>),
            Ok(LARGEST) => Some(decoder),
            Ok(_) => None,
        };
        Unpacked { text, rest, end, sums: None, is_last: false }
    }

    /// The rest of the archive, read in order.
    pub fn last(rest: Box<dyn Read + Send>) -> Unpacked {
        Unpacked { text: Vec::new(), rest: Some(rest), end: u64::MAX, sums: None, is_last: true }
    }
}

enum Pending {
    Ahead { most: usize, unpacked: Receiver<Unpacked> },
    InTurn { most: usize, reader: Box<dyn Read + Send>, end: u64 },
}

/// Reads parts in order, while the next ones are decompressed in the background.
pub(super) struct Parts<S> {
    split: S,
    pool: Arc<ThreadPool>,
    /// The end of the last part. Parts that seem to start before it are false starts.
    at: u64,
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

impl<S: Split> Parts<S> {
    pub fn new(split: S, pool: Arc<ThreadPool>) -> Parts<S> {
        Parts {
            split,
            pool,
            at: 0,
            pending: VecDeque::new(),
            waiting: None,
            held: 0,
            current: None,
            ended: false,
            read: 0,
            range: None,
        }
    }

    /// Parts that tell `watch` where a range ends.
    pub fn with_range(split: S, pool: Arc<ThreadPool>, end: u64, watch: RangeWatch) -> Parts<S> {
        Parts { range: Some((end, watch)), ..Parts::new(split, pool) }
    }

    /// Notes that the part at `start` begins.
    fn pass(&mut self, start: u64) {
        if let Some((_, watch)) = self.range.take_if(|(end, _)| start >= *end) {
            let end = RangeEnd { length: self.read, stored: start, sum: self.split.sum() };
            watch.note(|seen| seen.end = Some(end));
        }
    }

    /// Starts decompressing parts while there are threads and space.
    fn look_ahead(&mut self) {
        let threads = self.pool.current_num_threads();
        let space = SPACE.saturating_add(threads.saturating_mul(SPACE_OF_THREAD));
        while self.pending.len() <= threads && !self.ended {
            let Some(part) = self.waiting.take().or_else(|| self.split.next_part()) else {
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
                Work::InTurn { most, reader, end } => {
                    self.held += most;
                    Pending::InTurn { most, reader, end }
                }
            };
            self.pending.push_back((part.start, pending));
        }
    }

    /// Moves to the next part. Returns whether there is one.
    fn next(&mut self) -> io::Result<bool> {
        self.look_ahead();
        while let Some((start, pending)) = self.pending.pop_front() {
            let current: (usize, Box<dyn Read + Send>) = match pending {
                Pending::Ahead { most, .. } if start < self.at => {
                    self.held -= most;
                    self.look_ahead();
                    continue;
                }
                Pending::Ahead { most, unpacked } => {
                    self.pass(start);
                    let unpacked = unpacked.recv().map_err(|_| io::Error::other("the decoder stopped unexpectedly"))?;
                    self.split.read(&unpacked)?;
                    self.at = unpacked.end;
                    if unpacked.is_last {
                        self.end();
                    }
                    let rest = unpacked.rest.unwrap_or_else(|| Box::new(io::empty()));
                    (most, Box::new(Cursor::new(unpacked.text).chain(rest)))
                }
                Pending::InTurn { most, reader, end } => {
                    self.pass(start);
                    self.at = end;
                    (most, reader)
                }
            };
            self.current = Some(current);
            self.look_ahead();
            return Ok(true);
        }
        Ok(false)
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

impl<S: Split> Read for Parts<S> {
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

    /// Parts of one letter each, and a false start in each of them.
    struct Letters(std::vec::IntoIter<(u64, &'static [u8], u64)>);

    impl Split for Letters {
        fn next_part(&mut self) -> Option<Part> {
            let (start, text, end) = self.0.next()?;
            let unpack = Box::new(move || Unpacked::read(Box::new(text), LARGEST, end));
            Some(Part { start, work: Work::Ahead { most: LARGEST, unpack } })
        }

        fn read(&mut self, unpacked: &Unpacked) -> io::Result<()> {
            if unpacked.text == b"!" { Err(io::Error::other("no letter")) } else { Ok(()) }
        }
    }

    fn read(parts: Vec<(u64, &'static [u8], u64)>, threads: usize) -> (String, bool) {
        let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had"));
        let mut text = Vec::new();
        let failed = Parts::new(Letters(parts.into_iter()), pool).read_to_end(&mut text).is_err();
        (String::from_utf8(text).expect("letters"), failed)
    }

    #[test]
    fn parts_come_in_order_without_those_inside_others() {
        let parts: Vec<(u64, &[u8], u64)> = (0..30)
            .flat_map(|at| [(at * 10, &b"abcdefghij"[at as usize % 10..][..1], at * 10 + 10), (at * 10 + 5, b"?", 500)])
            .collect();
        for threads in [1, 2, 5] {
            assert_eq!(read(parts.clone(), threads), ("abcdefghij".repeat(3), false));
        }
    }

    #[test]
    fn nothing_follows_what_does_not_fit() {
        assert_eq!(read(vec![(0, b"a", 1), (1, b"!", 2), (2, b"b", 3)], 2), ("a".to_owned(), true));
    }
}
