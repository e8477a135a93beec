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

use super::Bytes;

/// A part that may unpack to more than this many bytes is read as a stream, in its turn.
pub(super) const LARGEST: usize = 16 << 20;

/// A part of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Where it is.
    pub range: Range<usize>,
    /// It unpacks to no more bytes than this.
    pub most: usize,
}

/// A reader that unpacks some bytes of an archive.
pub(super) type Decode = fn(Cursor<Slice>) -> Box<dyn Read + Send>;

/// What came of a part: its text, as far as it can be unpacked, and what is wrong with the rest.
type Unpacked = (Vec<u8>, Option<io::Error>);

/// Some of the bytes of an archive.
pub(super) struct Slice {
    bytes: Bytes,
    range: Range<usize>,
}

impl AsRef<[u8]> for Slice {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

enum Pending {
    Whole(Receiver<Unpacked>),
    Stream(Range<usize>),
}

/// Reads parts one after the other, and unpacks the next ones meanwhile. Where the parts cannot be told apart any more, the rest
/// is read as one stream, whose decoder says what is wrong.
pub(super) struct Parts {
    packed: Bytes,
    part_at: fn(&[u8], usize) -> Option<Part>,
    decode: Decode,
    pool: Arc<ThreadPool>,
    at: usize,
    pending: VecDeque<Pending>,
    current: Option<Box<dyn Read + Send>>,
    failure: Option<io::Error>,
}

impl Parts {
    pub fn new(packed: Bytes, part_at: fn(&[u8], usize) -> Option<Part>, decode: Decode, pool: Arc<ThreadPool>) -> Parts {
        Parts { packed, part_at, decode, pool, at: 0, pending: VecDeque::new(), current: None, failure: None }
    }

    fn slice(&self, range: Range<usize>) -> Cursor<Slice> {
        Cursor::new(Slice { bytes: self.packed.clone(), range })
    }

    /// Has as many parts unpacked as there are threads.
    fn look_ahead(&mut self) {
        while self.pending.len() < self.pool.current_num_threads() && self.at < self.packed.len() {
            let rest = self.at..self.packed.len();
            let part = (self.part_at)(&self.packed, self.at).unwrap_or(Part { range: rest, most: usize::MAX });
            self.at = part.range.end;
            self.pending.push_back(if part.most > LARGEST {
                Pending::Stream(part.range)
            } else {
                let (sender, receiver) = sync_channel(1);
                let (slice, decode) = (self.slice(part.range), self.decode);
                self.pool.spawn(move || {
                    let mut text = Vec::with_capacity(part.most);
                    let failure = decode(slice).read_to_end(&mut text).err();
                    // Nobody waits any more once the run has been stopped.
                    let _ = sender.send((text, failure));
                });
                Pending::Whole(receiver)
            });
        }
    }

    /// Goes on to the next part; whether there is one.
    fn next(&mut self) -> bool {
        self.look_ahead();
        self.current = match self.pending.pop_front() {
            None => None,
            Some(Pending::Stream(range)) => Some((self.decode)(self.slice(range))),
            Some(Pending::Whole(receiver)) => {
                let lost = |_| (Vec::new(), Some(io::Error::other("the decoder gave up")));
                let (text, failure) = receiver.recv().unwrap_or_else(lost);
                self.failure = failure;
                Some(Box::new(Cursor::new(text)))
            }
        };
        self.look_ahead();
        self.current.is_some()
    }

    /// Nothing is read behind the damage.
    fn fail(&mut self, error: io::Error) -> io::Error {
        self.pending.clear();
        self.at = self.packed.len();
        self.current = None;
        error
    }
}

impl Read for Parts {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(current) = &mut self.current {
                match current.read(into) {
                    Ok(0) => self.current = None,
                    Ok(read) => return Ok(read),
                    Err(error) => return Err(self.fail(error)),
                }
            }
            if let Some(error) = self.failure.take() {
                return Err(self.fail(error));
            }
            if !self.next() {
                return Ok(0);
            }
        }
    }
}
