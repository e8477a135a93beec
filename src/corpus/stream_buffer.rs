//! A buffer that grows at its end and is dropped from its start.

use std::{
    fmt,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
};

use super::{Bytes, mmap::map_temporary};
use crate::spill::{TemporaryWriter, temporary_file};

/// Maximum length in memory. A longer buffer is a temporary file, because records can have any
/// length.
const MAX_IN_MEMORY: usize = 8 << 20;

/// A part of a stream, in memory or in a temporary file.
pub struct StreamBuffer(Kept);

enum Kept {
    Memory(Vec<u8>),
    /// The file, starting from byte `from`.
    File {
        file: File,
        mapped: Bytes,
        from: usize,
    },
}

impl Default for StreamBuffer {
    fn default() -> StreamBuffer {
        StreamBuffer(Kept::Memory(Vec::new()))
    }
}

impl fmt::Debug for StreamBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.0 {
            Kept::Memory(_) => "memory",
            Kept::File { .. } => "file",
        };
        write!(f, "StreamBuffer({kind}, {})", self.text().len())
    }
}

impl From<Vec<u8>> for StreamBuffer {
    fn from(text: Vec<u8>) -> StreamBuffer {
        StreamBuffer(Kept::Memory(text))
    }
}

impl StreamBuffer {
    /// The text.
    pub fn text(&self) -> &[u8] {
        match &self.0 {
            Kept::Memory(text) => text,
            Kept::File { mapped, from, .. } => mapped.get(*from..).unwrap_or_default(),
        }
    }

    /// Appends up to `more` bytes of the stream and returns their number. Bytes that were read
    /// before an error are kept.
    pub fn read(&mut self, stream: &mut dyn Read, more: usize) -> io::Result<usize> {
        let before = self.text().len();
        let mut stream = stream.take(more as u64);
        if let Kept::Memory(text) = &mut self.0 {
            let fits = MAX_IN_MEMORY.saturating_sub(text.len());
            stream.by_ref().take(fits as u64).read_to_end(text)?;
            if stream.limit() == 0 || text.len() < MAX_IN_MEMORY {
                return Ok(self.text().len() - before);
            }
        }
        let failure = self.write_in_file(|file| io::copy(&mut stream, &mut TemporaryWriter(file))).err();
        failure.map_or(Ok(self.text().len() - before), Err)
    }

    /// Appends `more`.
    pub fn append(&mut self, more: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            Kept::Memory(text) if text.len() + more.len() <= MAX_IN_MEMORY => {
                text.extend_from_slice(more);
                Ok(())
            }
            _ => self.write_in_file(|file| TemporaryWriter(file).write_all(more).map(|()| 0)),
        }
    }

    /// Drops the first `length` bytes.
    pub fn drop_front(&mut self, length: usize) {
        match &mut self.0 {
            Kept::Memory(text) => drop(text.drain(..length.min(text.len()))),
            Kept::File { from, .. } => *from += length,
        }
        // Half the limit, so that the text does not move back and forth.
        if matches!(self.0, Kept::File { .. }) && self.text().len() <= MAX_IN_MEMORY / 2 {
            self.0 = Kept::Memory(self.text().to_vec());
        }
    }

    /// The current bytes, and where the text starts in them. Later changes do not affect them.
    pub fn snapshot(&self) -> (Bytes, usize) {
        match &self.0 {
            Kept::Memory(text) => (Bytes::from(std::sync::Arc::<[u8]>::from(text.as_slice())), 0),
            Kept::File { mapped, from, .. } => (mapped.clone(), *from),
        }
    }

    /// Moves the text to a file and appends to it with `write`. If that fails, the text is kept,
    /// and so are bytes that were written before an error.
    fn write_in_file(&mut self, write: impl FnOnce(&mut File) -> io::Result<u64>) -> io::Result<()> {
        match &mut self.0 {
            Kept::Memory(text) => {
                let mut file = temporary_file()?;
                TemporaryWriter(&mut file).write_all(text)?;
                let (mapped, written) = extended(&mut file, write)?;
                self.0 = Kept::File { file, mapped, from: 0 };
                written
            }
            Kept::File { file, mapped, .. } => {
                let (longer, written) = extended(file, write)?;
                *mapped = longer;
                written
            }
        }
    }
}

/// Appends to `file` with `write`, and maps what it contains then.
fn extended(file: &mut File, write: impl FnOnce(&mut File) -> io::Result<u64>) -> io::Result<(Bytes, io::Result<()>)> {
    file.seek(SeekFrom::End(0))?;
    let written = write(file).map(drop);
    Ok((Bytes::mapped(map_temporary(file)?), written))
}
