//! How much memory a decoder may take.

use std::io;

/// Maximum window or dictionary of a decoder in bytes, because the memory of a run is limited.
/// `xz -9` and `zstd --long=26` need this much.
pub(super) const MAX_WINDOW: u64 = 64 << 20;

/// The archive has a window or dictionary of more than [`MAX_WINDOW`].
#[derive(Debug, thiserror::Error)]
#[error("this needs more than {} MiB of memory; decompress it with `{command}` and check the result", MAX_WINDOW >> 20)]
pub(super) struct TooMuchMemory {
    pub(super) command: &'static str,
}

impl From<TooMuchMemory> for io::Error {
    fn from(error: TooMuchMemory) -> io::Error {
        io::Error::new(io::ErrorKind::Unsupported, error)
    }
}
