//! Collections that grow beyond memory: they keep what fits in memory, and the rest in temporary files.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    marker::PhantomData,
};

use serde::{Serialize, de::DeserializeOwned};

/// An error with a temporary file, which has no name of its own. It says where the file is.
#[derive(Debug, thiserror::Error)]
#[error("a temporary file in `{directory}` failed: {reason}; make room there, or choose another directory with TMPDIR")]
struct TemporaryFailed {
    directory: String,
    reason: io::Error,
}

/// The error with a temporary file for `reason`.
pub fn temporary_failed(reason: io::Error) -> io::Error {
    let directory = tempfile::env::temp_dir().display().to_string();
    io::Error::new(reason.kind(), TemporaryFailed { directory, reason })
}

/// Whether a temporary file failed, rather than what was read.
pub fn is_temporary_failure(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<TemporaryFailed>())
}

/// A new temporary file without a name.
///
/// # Errors
/// If it cannot be created. The message names the directory.
pub fn temporary_file() -> io::Result<File> {
    tempfile::tempfile().map_err(temporary_failed)
}

/// Writes to a temporary file. Errors name its directory.
pub struct TemporaryWriter<'a>(pub &'a mut File);

impl Write for TemporaryWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(temporary_failed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(temporary_failed)
    }
}

/// Appends to a temporary file that is created when it is first needed.
fn append(file: &mut Option<BufWriter<File>>, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let appended = match file {
        Some(file) => write(file),
        None => tempfile::tempfile().and_then(|new| write(file.insert(BufWriter::new(new)))),
    };
    appended.map_err(temporary_failed)
}

/// The file with everything written, for reading.
fn written(file: BufWriter<File>) -> io::Result<File> {
    file.into_inner().map_err(|error| temporary_failed(error.into_error()))
}

/// Byte strings that are added once, and then read in that order or at random.
#[derive(Debug)]
pub struct Log {
    max_in_memory: usize,
    /// The last ones, each after its length.
    memory: Vec<u8>,
    /// Those before them.
    file: Option<BufWriter<File>>,
    /// Number of bytes in the file.
    in_file: u64,
}

/// The length of a byte string, before it.
type Length = [u8; 4];

impl Log {
    /// No byte strings; at most about `max_in_memory` bytes of them will be in memory.
    pub const fn with_limit(max_in_memory: usize) -> Log {
        Log { max_in_memory, memory: Vec::new(), file: None, in_file: 0 }
    }

    /// Adds a byte string, which consists of these parts.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    #[inline]
    pub fn push<const HEAD: usize, const PARTS: usize>(&mut self, head: &[u8; HEAD], parts: [&[u8]; PARTS]) -> io::Result<()> {
        let length = HEAD + parts.iter().map(|part| part.len()).sum::<usize>();
        let prefix: Length = u32::try_from(length).map_err(io::Error::other)?.to_le_bytes();
        self.memory.reserve(prefix.len() + length);
        self.memory.extend_from_slice(&prefix);
        self.memory.extend_from_slice(head);
        parts.iter().for_each(|part| self.memory.extend_from_slice(part));
        if self.memory.len() > self.max_in_memory { self.spill() } else { Ok(()) }
    }

    /// Adds all byte strings of another log. Those in its memory are written to the file of this one if they do not stay in
    /// memory, without another copy.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read.
    pub fn append(&mut self, other: Log) -> io::Result<()> {
        let WrittenLog { memory, file, in_file } = other.written()?;
        if self.file.is_none() && file.is_none() && self.memory.len() + memory.len() <= self.max_in_memory {
            self.memory.extend_from_slice(&memory);
            return Ok(());
        }
        self.spill()?;
        let appended = append(&mut self.file, |own| {
            if let Some(mut file) = file {
                file.rewind()?;
                io::copy(&mut file.take(in_file), own)?;
            }
            own.write_all(&memory)
        });
        self.in_file += in_file + memory.len() as u64;
        appended
    }

    /// How many bytes after the start of a byte string of the size of `T` the next one begins.
    pub const fn distance<T>() -> u64 {
        (size_of::<Length>() + size_of::<T>()) as u64
    }

    /// Where the next byte string will be.
    pub const fn end(&self) -> u64 {
        self.in_file + self.memory.len() as u64
    }

    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        let appended = append(&mut self.file, |file| file.write_all(&self.memory));
        self.in_file += self.memory.len() as u64;
        self.memory.clear();
        appended
    }

    /// All byte strings, for reading.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn written(self) -> io::Result<WrittenLog> {
        let file = self.file.map(written).transpose()?;
        Ok(WrittenLog { memory: self.memory, file, in_file: self.in_file })
    }
}

/// The byte strings of a [`Log`].
#[derive(Debug)]
pub struct WrittenLog {
    memory: Vec<u8>,
    file: Option<File>,
    in_file: u64,
}

impl WrittenLog {
    /// Number of bytes that are read from the file at once.
    const READ_AT_ONCE: usize = 1 << 16;

    /// Shows all byte strings, and where each is.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or `take` fails.
    pub fn for_each(&mut self, mut take: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut at = 0;
        if let Some(file) = &mut self.file {
            file.rewind().map_err(temporary_failed)?;
            let mut buffer = Vec::with_capacity(2 * Self::READ_AT_ONCE);
            while at < self.in_file {
                let part = Read::take(&mut *file, Self::READ_AT_ONCE as u64).read_to_end(&mut buffer);
                if part.map_err(temporary_failed)? == 0 {
                    return Err(temporary_failed(io::ErrorKind::UnexpectedEof.into()));
                }
                let mut rest = &buffer[..];
                while let Some((bytes, after)) = next(rest) {
                    take(at, bytes)?;
                    at += (rest.len() - after.len()) as u64;
                    rest = after;
                }
                let read = buffer.len() - rest.len();
                buffer.drain(..read);
            }
        }
        let mut rest = &self.memory[..];
        while !rest.is_empty() {
            let (bytes, after) = split_next(rest)?;
            take(at, bytes)?;
            at += (rest.len() - after.len()) as u64;
            rest = after;
        }
        Ok(())
    }

    /// Reads the byte string at `at`.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn read(&mut self, at: u64) -> io::Result<Vec<u8>> {
        match (at.checked_sub(self.in_file), &mut self.file) {
            (Some(at), _) => {
                let rest = usize::try_from(at).ok().and_then(|at| self.memory.get(at..));
                split_next(rest.unwrap_or_default()).map(|(bytes, _)| bytes.to_vec())
            }
            (None, Some(file)) => {
                let mut bytes = Vec::new();
                let read = file.seek(SeekFrom::Start(at)).and_then(|_| read_next(file, &mut bytes));
                read.map(|()| bytes).map_err(temporary_failed)
            }
            (None, None) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Replaces `bytes` by the next byte string of `file`.
fn read_next(file: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut length = Length::default();
    file.read_exact(&mut length)?;
    bytes.resize(u32::from_le_bytes(length) as usize, 0);
    file.read_exact(bytes)
}

/// The byte string at the start of `bytes`, and what follows it.
fn split_next(bytes: &[u8]) -> io::Result<(&[u8], &[u8])> {
    next(bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// The same. `None` if the byte string is not complete.
#[inline]
fn next(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<{ size_of::<Length>() }>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

/// Byte strings that are read at random.
#[derive(Debug, Default)]
pub struct Cards(Vec<u8>);

impl Cards {
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<u64> {
        let at = self.0.len() as u64;
        self.0.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        self.0.extend_from_slice(bytes);
        Ok(at)
    }

    pub fn read(&self, at: u64) -> io::Result<&[u8]> {
        let (bytes, _) = split_next(&self.0[at as usize..])?;
        Ok(bytes)
    }
}

/// Values in the order in which they were added.
#[derive(Debug)]
pub struct Queue<T> {
    max_in_memory: usize,
    memory: Vec<T>,
    file: Option<BufWriter<File>>,
    values: PhantomData<T>,
}

impl<T: Serialize + DeserializeOwned> Queue<T> {
    /// No values; at most `max_in_memory` of them will be in memory.
    pub const fn with_limit(max_in_memory: usize) -> Queue<T> {
        Queue { max_in_memory, memory: Vec::new(), file: None, values: PhantomData }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// Number of values in memory.
    pub const fn in_memory(&self) -> usize {
        self.memory.len()
    }

    /// Adds a value.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, value: T) -> io::Result<()> {
        if self.memory.len() < self.max_in_memory {
            self.memory.push(value);
            return Ok(());
        }
        append(&mut self.file, |file| {
            serde_json::to_writer(&mut *file, &value)?;
            file.write_all(b"\n")
        })
    }

    /// Hands out all values.
    ///
    /// # Errors
    /// If a temporary file cannot be read, or `take` fails.
    pub fn drain(self, mut take: impl FnMut(T) -> io::Result<()>) -> io::Result<()> {
        for value in self.memory {
            take(value)?;
        }
        let Some(file) = self.file else { return Ok(()) };
        let mut file = written(file)?;
        file.rewind().map_err(temporary_failed)?;
        for line in BufReader::new(file).lines() {
            take(serde_json::from_str(&line.map_err(temporary_failed)?)?)?;
        }
        Ok(())
    }
}

/// Entries of `N` numbers, to be read in order.
#[derive(Debug)]
pub struct Sorter<const N: usize> {
    max_in_memory: usize,
    memory: Vec<[u64; N]>,
    /// Sorted runs, one after the other.
    file: Option<BufWriter<File>>,
    /// Number of entries of each run.
    runs: Vec<u64>,
}

impl<const N: usize> Sorter<N> {
    /// No entries; at most `max_in_memory` of them will be in memory.
    pub const fn with_limit(max_in_memory: usize) -> Sorter<N> {
        Sorter { max_in_memory, memory: Vec::new(), file: None, runs: Vec::new() }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, entry: [u64; N]) -> io::Result<()> {
        self.memory.push(entry);
        if self.memory.len() >= self.max_in_memory { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut memory = std::mem::take(&mut self.memory);
        memory.sort_unstable();
        append(&mut self.file, |file| memory.iter().flatten().try_for_each(|number| file.write_all(&number.to_le_bytes())))?;
        self.runs.push(memory.len() as u64);
        Ok(())
    }

    /// All entries in order.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn sorted(mut self) -> io::Result<Sorted<N>> {
        self.memory.sort_unstable_by(|one, other| other.cmp(one));
        let mut sorted = Sorted { file: self.file.map(written).transpose()?, runs: Vec::new(), next: BinaryHeap::new() };
        let mut at = 0;
        for entries in self.runs {
            sorted.runs.push(Run { at, left: entries, ready: Vec::new() });
            at += entries * Sorted::<N>::ENTRY as u64;
        }
        sorted.runs.push(Run { at: 0, left: 0, ready: self.memory });
        for run in 0..sorted.runs.len() {
            sorted.refill(run)?;
        }
        Ok(sorted)
    }
}

/// A sorted part of a file, or of memory.
#[derive(Debug)]
struct Run<const N: usize> {
    at: u64,
    /// Number of entries that are still in the file.
    left: u64,
    /// Entries in memory, the next one last.
    ready: Vec<[u64; N]>,
}

/// The entries of a [`Sorter`], in order: runs that are being merged.
#[derive(Debug)]
pub struct Sorted<const N: usize> {
    file: Option<File>,
    runs: Vec<Run<N>>,
    /// The next entry of each run.
    next: BinaryHeap<Reverse<([u64; N], usize)>>,
}

impl<const N: usize> Sorted<N> {
    /// Bytes of an entry.
    const ENTRY: usize = N * size_of::<u64>();
    /// Number of entries that are read at once.
    const AT_ONCE: u64 = 64;

    /// Makes the next entry of a run available.
    fn refill(&mut self, run: usize) -> io::Result<()> {
        let own = &mut self.runs[run];
        if own.ready.is_empty()
            && own.left > 0
            && let Some(file) = &mut self.file
        {
            let entries = own.left.min(Self::AT_ONCE);
            let mut bytes = vec![0; entries as usize * Self::ENTRY];
            file.seek(SeekFrom::Start(own.at)).and_then(|_| file.read_exact(&mut bytes)).map_err(temporary_failed)?;
            own.at += bytes.len() as u64;
            own.left -= entries;
            own.ready.extend(bytes.chunks_exact(Self::ENTRY).map(|entry| {
                let mut numbers = [0; N];
                for (number, bytes) in numbers.iter_mut().zip(entry.as_chunks().0) {
                    *number = u64::from_le_bytes(*bytes);
                }
                numbers
            }));
            own.ready.reverse();
        }
        if let Some(entry) = self.runs[run].ready.pop() {
            self.next.push(Reverse((entry, run)));
        }
        Ok(())
    }
}

impl<const N: usize> Iterator for Sorted<N> {
    type Item = io::Result<[u64; N]>;

    fn next(&mut self) -> Option<Self::Item> {
        let Reverse((entry, run)) = self.next.pop()?;
        Some(self.refill(run).map(|()| entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_change_nothing() -> io::Result<()> {
        let numbers: Vec<u64> = (0..500).map(|number| number * 7919 % 331).collect();
        for limit in [1, 7, 64, 1000] {
            let mut sorter: Sorter<2> = Sorter::with_limit(limit);
            let mut queue: Queue<u64> = Queue::with_limit(limit);
            let mut log = Log::with_limit(limit);
            // Every fifth byte string, and later every 50th, is added with those of another log.
            let mut other = Log::with_limit(limit / 2);
            for (at, &number) in numbers.iter().enumerate() {
                sorter.push([number, 1])?;
                queue.push(number)?;
                other.push(&number.to_le_bytes(), [&b"log"[..number as usize % 4]])?;
                if at % if at < 250 { 5 } else { 50 } == 0 {
                    log.append(std::mem::replace(&mut other, Log::with_limit(limit / 2)))?;
                }
            }
            log.append(other)?;
            let mut in_order = numbers.clone();
            in_order.sort_unstable();
            let sorted: Vec<u64> = sorter.sorted()?.map(|entry| entry.map(|[number, _]| number)).collect::<io::Result<_>>()?;
            assert_eq!(sorted, in_order, "limit {limit}");
            let mut drained = Vec::new();
            queue.drain(|number| {
                drained.push(number);
                Ok(())
            })?;
            assert_eq!(drained, numbers, "limit {limit}");
            let (mut log, mut places) = (log.written()?, Vec::new());
            log.for_each(|at, bytes| {
                places.push((at, bytes.to_vec()));
                Ok(())
            })?;
            assert_eq!(places.len(), numbers.len(), "limit {limit}");
            for ((at, bytes), number) in places.iter().zip(&numbers).rev() {
                assert_eq!(*bytes, [&number.to_le_bytes(), &b"log"[..*number as usize % 4]].concat(), "limit {limit}");
                assert_eq!(log.read(*at)?, *bytes, "limit {limit}");
            }
        }
        Ok(())
    }
}
