//! Compressed inputs and archives. Parts are decompressed in parallel if the format allows it.

mod bzip2;
mod fixed_step;
mod gzip;
mod parts;
mod xz;
mod zip;
mod zstandard;

use std::{
    io::{self, Cursor, Read},
    sync::Arc,
};

use rayon::ThreadPool;

use fixed_step::FixedStep;
use parts::Parts;
pub use zip::Member;
pub(super) use zip::members;

use super::{Bytes, Packing, Watch, failing::Failing};

/// Maximum window or dictionary of a decoder in bytes, because the memory of a run is limited.
/// `xz -9` and `zstd --long=26` need this much.
const MAX_WINDOW: u64 = 64 << 20;

/// The archive has a window or dictionary of more than [`MAX_WINDOW`].
#[derive(Debug, thiserror::Error)]
#[error("this needs more than {} MiB of memory; decompress it with `{command}` and check the result", MAX_WINDOW >> 20)]
struct TooMuchMemory {
    command: &'static str,
}

impl From<TooMuchMemory> for io::Error {
    fn from(error: TooMuchMemory) -> io::Error {
        io::Error::new(io::ErrorKind::Unsupported, error)
    }
}

impl Packing {
    /// Decompresses `packed`. Zstandard frames, bgzip blocks and bzip2 blocks are decompressed in
    /// parallel in `pool`. The result is that of [`Packing::unpack_stream`], whatever the number of
    /// threads, even if the archive is damaged.
    ///
    /// The reader must not be used by a thread of `pool`. Reading a zip archive is an error,
    /// because it has no text of its own.
    pub fn unpack(self, packed: Bytes, pool: &Arc<ThreadPool>) -> Box<dyn Read + Send> {
        let pool = Arc::clone(pool);
        match self {
            Packing::Zstandard => Box::new(Parts::new(zstandard::Frames::new(packed), pool)),
            Packing::Gzip if gzip::is_blocked(&packed) => Box::new(Parts::new(gzip::Blocks::new(packed), pool)),
            Packing::Bzip2 => Box::new(Parts::new(bzip2::Blocks::new(packed), pool)),
            _ => self.unpack_stream(Box::new(Cursor::new(packed))),
        }
    }

    /// Decompresses a stream.
    pub fn unpack_stream(self, packed: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        match self {
            Packing::Zstandard => zstandard::stream(packed),
            Packing::Gzip => gzip::stream(packed),
            Packing::Bzip2 => Box::new(bzip2::BlockReader::new(packed)),
            Packing::Xz => xz::stream(packed),
            Packing::Zip => Box::new(Failing(Some(io::Error::other("a zip archive cannot be read as a stream")))),
        }
    }
}
