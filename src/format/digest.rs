//! Digests of files, computed while they are written or read.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::Xxh3;

/// A file whose bytes are hashed on their way.
pub(crate) struct Digesting<T> {
    inner: T,
    hasher: Box<Xxh3>,
}

impl<T> Digesting<T> {
    pub fn new(inner: T) -> Digesting<T> {
        Digesting { inner, hasher: Box::default() }
    }

    pub fn into_inner(self) -> T {
        self.inner
    }

    /// The digest of all bytes so far, in hexadecimal.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.hasher.digest())
    }
}

impl<T> std::fmt::Debug for Digesting<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Digesting").finish_non_exhaustive()
    }
}

impl<T: Write> Write for Digesting<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(bytes.get(..written).unwrap_or(bytes));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Digesting<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.hasher.update(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}
