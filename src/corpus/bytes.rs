//! Bytes in memory or in a memory map.

use std::{
    fmt,
    io::{self, Read, Seek},
    ops::Deref,
    sync::Arc,
};

use super::{
    Watch,
    mmap::{Mapping, map_temporary},
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

impl From<Arc<[u8]>> for Bytes {
    fn from(bytes: Arc<[u8]>) -> Bytes {
        Bytes(Held::Shared(bytes, None))
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
    pub(super) fn copied(bytes: Vec<u8>, watch: Watch) -> Bytes {
        Bytes(Held::Shared(Arc::from(bytes), Some(watch)))
    }

    /// Shows whether the bytes changed; `None` if they cannot.
    pub fn watch(&self) -> Option<&Watch> {
        match &self.0 {
            Held::Mapped(_, watch) | Held::Shared(_, watch) => watch.as_ref(),
        }
    }
}

/// The bytes from a place on, as a stream.
pub fn bytes_from(bytes: &Bytes, from: u64) -> impl Read + Send + 'static {
    let mut cursor = io::Cursor::new(bytes.clone());
    cursor.set_position(from);
    cursor
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
///
/// # Errors
/// If the stream cannot be read or the file cannot be written.
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
    fn cloning_shares_the_bytes() {
        let bytes = Bytes::from(Arc::<[u8]>::from(&b"abc"[..]));
        assert_eq!(bytes.clone().as_ptr(), bytes.as_ptr());
    }
}
