//! Bytes in memory or in a memory map.

use std::{
    fmt,
    io::{self, BufRead, Read, Seek},
    ops::{Deref, Range},
    sync::Arc,
};

use super::{
    Watch,
    mmap::{Mapping, map_temporary},
    preload::preload,
};
use crate::spill::{TemporaryWriter, temporary_file};

/// Bytes in memory or in a memory map. Cloning does not copy them.
#[derive(Clone)]
pub struct Bytes(Held);

#[derive(Clone)]
enum Held {
    Mapped(Arc<Mapping>, Option<Watch>),
    Shared(Arc<[u8]>, Option<Watch>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Held::Mapped(mapped, _) => mapped,
            Held::Shared(bytes, _) => bytes,
        }
    }
}

impl<T> From<T> for Bytes
where
    Arc<[u8]>: From<T>,
{
    fn from(bytes: T) -> Bytes {
        Bytes(Held::Shared(Arc::from(bytes), None))
    }
}

impl Bytes {
    /// A temporary file.
    pub(super) fn mapped(mapped: Mapping) -> Bytes {
        Bytes(Held::Mapped(Arc::new(mapped), None))
    }

    /// An input that is mapped.
    pub(super) fn watched(mapped: Arc<Mapping>, watch: Watch) -> Bytes {
        Bytes(Held::Mapped(mapped, Some(watch)))
    }

    /// An input that was read.
    pub(super) fn copied(bytes: Arc<[u8]>, watch: Option<Watch>) -> Bytes {
        Bytes(Held::Shared(bytes, watch))
    }

    /// Gives back the memory of the blocks that end in `read`, which will hardly be read again, if
    /// they are mapped. The rest follows with the next call. All bytes can still be read.
    pub fn release(&self, read: Range<usize>) {
        /// Number of bytes that are released at once.
        const BLOCK: usize = 4 << 20;
        let Held::Mapped(mapped, _) = &self.0 else { return };
        let [from, to] = [read.start, read.end].map(|at| at - at % BLOCK);
        if from < to {
            mapped.release(from..to);
        }
    }

    /// Asks the system to read `place` if it is part of a mapped input, and not in memory.
    pub fn preload(&self, place: Range<usize>) {
        if let Held::Mapped(_, Some(watch)) = &self.0
            && let Some(file) = watch.file()
        {
            preload(file, place.start as u64..place.end.min(self.len()) as u64);
        }
    }

    /// Shows whether the bytes changed; `None` if they cannot.
    pub fn watch(&self) -> Option<&Watch> {
        match &self.0 {
            Held::Mapped(_, watch) | Held::Shared(_, watch) => watch.as_ref(),
        }
    }
}

/// Reads a range of bytes, and gives back the memory of those that were read.
pub struct BytesReader {
    bytes: Bytes,
    /// What was not read yet.
    rest: Range<usize>,
}

impl BytesReader {
    /// Reads the part of `range` that is in `bytes`.
    pub fn new(bytes: &Bytes, range: Range<usize>) -> BytesReader {
        let end = range.end.min(bytes.len());
        BytesReader { bytes: bytes.clone(), rest: range.start.min(end)..end }
    }

    /// Reads all bytes.
    pub fn of(bytes: &Bytes) -> BytesReader {
        BytesReader::new(bytes, 0..bytes.len())
    }
}

impl Read for BytesReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for BytesReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.bytes[self.rest.clone()])
    }

    fn consume(&mut self, amount: usize) {
        let from = self.rest.start;
        self.rest.start = from.saturating_add(amount).min(self.rest.end);
        self.bytes.release(from..self.rest.start);
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.0 {
            Held::Mapped(..) => "mapped",
            Held::Shared(..) => "shared",
        };
        write!(f, "Bytes({kind}, {})", self.len())
    }
}

/// Copies the rest of a stream to a temporary file, for formats that are read from the end.
pub fn spool(mut stream: impl Read) -> io::Result<Bytes> {
    let mut file = temporary_file()?;
    io::copy(&mut stream, &mut TemporaryWriter(&mut file))?;
    file.rewind()?;
    Ok(Bytes::mapped(map_temporary(&file)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_reads_its_range() -> io::Result<()> {
        let long = vec![b'x'; 9 << 20];
        let mut file = tempfile::tempfile()?;
        io::Write::write_all(&mut file, &long)?;
        let mapped = Bytes::mapped(map_temporary(&file)?);
        for bytes in [mapped, Bytes::from(Arc::<[u8]>::from(&long[..]))] {
            for (range, length) in
                [(0..long.len(), long.len()), (7..9, 2), (5..usize::MAX, long.len() - 5), (long.len()..usize::MAX, 0)]
            {
                let mut read = Vec::new();
                BytesReader::new(&bytes, range).read_to_end(&mut read)?;
                assert!(read.len() == length && read.iter().all(|byte| *byte == b'x'));
            }
            assert_eq!(bytes[..], long[..], "bytes can be read again");
        }
        Ok(())
    }

    #[test]
    fn cloning_shares_the_bytes() {
        let bytes = Bytes::from(Arc::<[u8]>::from(&b"abc"[..]));
        assert_eq!(bytes.clone().as_ptr(), bytes.as_ptr());
    }
}
