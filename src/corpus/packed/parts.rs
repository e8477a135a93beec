//! An archive made of parts that can be unpacked on their own.

use std::{
    collections::VecDeque,
    io::{self, Cursor, Read},
    ops::Range,
    sync::{
        Arc,
        mpsc::{Receiver, sync_channel},
    },
};

use rayon::ThreadPool;

use super::{Bytes, Refused};

/// A part that may unpack to more than this many bytes is read as a stream, in its turn: `pzstd -19` writes frames of this size.
pub(super) const LARGEST: usize = 32 << 20;

/// Parts that are unpacked ahead take up no more than this many bytes, and as much again as [`SPACE_OF_THREAD`] for each thread.
const SPACE: usize = 40 << 20;
const SPACE_OF_THREAD: usize = 16 << 20;

/// Finds the parts of an archive. Places count in a unit of its own, bytes or bits.
pub(super) trait Split: Send {
    /// The next part, found without unpacking the ones before it; `None` at the end. What looks like the beginning of a part and
    /// is none, because it lies inside the part before, is no harm.
    fn next_part(&mut self) -> Option<Part>;

    /// Is shown the parts that are read, in their order.
    ///
    /// # Errors
    /// When they do not go together.
    fn read(&mut self, _: &Unpacked) -> io::Result<()> {
        Ok(())
    }
}

/// A part of an archive.
pub(super) struct Part {
    /// Where it begins.
    pub start: u64,
    pub work: Work,
}

/// How a part is unpacked.
pub(super) enum Work {
    /// By any thread, before it is its turn. It takes up no more than `most` bytes, or hardly more.
    Ahead { most: usize, unpack: Box<dyn FnOnce() -> Unpacked + Send> },
    /// When it is its turn. It ends at `end`.
    InTurn { reader: Box<dyn Read + Send>, end: u64 },
}

/// What came of a part.
pub(super) struct Unpacked {
    pub text: Vec<u8>,
    /// Reads what follows the text, or says what is wrong there.
    pub rest: Option<Box<dyn Read + Send>>,
    /// Where the part has ended.
    pub end: u64,
    /// What [`Split::read`] wants to know.
    pub sums: Option<Sums>,
}

/// What an archive says of the text of a part, and of all parts up to there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    pub own: u32,
    pub all: Option<u32>,
}

impl Unpacked {
    /// Reads a decoder to its end, but no more than [`LARGEST`] bytes of it. `most` is a guess how many they are.
    pub fn read(mut decoder: Box<dyn Read + Send>, most: usize, end: u64) -> Unpacked {
        let mut text = Vec::with_capacity(most.min(LARGEST));
        let rest = match decoder.by_ref().take(LARGEST as u64).read_to_end(&mut text) {
            Err(error) => Some(Box::new(Refused(Some(error))) as Box<dyn Read + Send>),
            Ok(LARGEST) => Some(decoder),
            Ok(_) => None,
        };
        Unpacked { text, rest, end, sums: None }
    }
}

/// Some of the bytes of an archive.
pub(super) struct Slice {
    bytes: Bytes,
    range: Range<usize>,
}

impl Slice {
    pub fn new(bytes: &Bytes, range: Range<usize>) -> Cursor<Slice> {
        Cursor::new(Slice { bytes: bytes.clone(), range })
    }
}

impl AsRef<[u8]> for Slice {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

enum Pending {
    Ahead { most: usize, unpacked: Receiver<Unpacked> },
    InTurn { reader: Box<dyn Read + Send>, end: u64 },
}

/// Reads parts one after the other, and has the next ones unpacked meanwhile.
pub(super) struct Parts<S> {
    split: S,
    pool: Arc<ThreadPool>,
    /// Where what has been read ends; parts that seem to begin before it are none.
    at: u64,
    pending: VecDeque<(u64, Pending)>,
    /// A part that there has been no space for.
    waiting: Option<Part>,
    /// Bytes that parts take up, the one that is read included.
    held: usize,
    current: Option<(usize, Box<dyn Read + Send>)>,
    ended: bool,
}

impl<S: Split> Parts<S> {
    pub fn new(split: S, pool: Arc<ThreadPool>) -> Parts<S> {
        Parts { split, pool, at: 0, pending: VecDeque::new(), waiting: None, held: 0, current: None, ended: false }
    }

    /// Has as many parts unpacked as there are threads, and space.
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
                        // Nobody waits any more once the run has been stopped.
                        let _ = sender.send(unpack());
                    });
                    self.held += most;
                    Pending::Ahead { most, unpacked }
                }
                Work::InTurn { reader, end } => Pending::InTurn { reader, end },
            };
            self.pending.push_back((part.start, pending));
        }
    }

    /// Goes on to the next part; whether there is one.
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
                    let unpacked = unpacked.recv().map_err(|_| io::Error::other("the decoder gave up"))?;
                    self.split.read(&unpacked)?;
                    self.at = unpacked.end;
                    let rest = unpacked.rest.unwrap_or_else(|| Box::new(io::empty()));
                    (most, Box::new(Cursor::new(unpacked.text).chain(rest)))
                }
                Pending::InTurn { reader, end } => {
                    self.at = end;
                    (0, reader)
                }
            };
            self.current = Some(current);
            self.look_ahead();
            return Ok(true);
        }
        Ok(false)
    }

    /// Nothing is read behind the damage.
    fn fail(&mut self, error: io::Error) -> io::Error {
        self.pending.clear();
        self.waiting = None;
        self.ended = true;
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
                    Ok(read) => return Ok(read),
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

    /// Parts of one letter each; a second one seems to begin inside each of them.
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
