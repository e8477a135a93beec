//! Compressed inputs and archives. Parts are decompressed in parallel if the format allows it.

mod bzip2;
mod fixed_step;
mod gzip;
mod parts;
mod zip;
mod zstandard;

use std::{
    io::{self, BufReader, Cursor, Read},
    sync::Arc,
};

use ::bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use liblzma::{
    bufread::XzDecoder,
    stream::{CONCATENATED, Stream},
};
use rayon::ThreadPool;

use fixed_step::FixedStep;
use parts::Parts;
pub use zip::Member;
pub(super) use zip::members;

use super::{Bytes, Packing, failing::Failing};

/// Maximum memory of an xz decoder in bytes. `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 128 << 20;

impl Packing {
    /// Decompresses `packed`. Zstandard frames, bgzip blocks and bzip2 blocks are decompressed in
    /// parallel in `pool`. The result does not depend on the number of threads, even if the archive
    /// is damaged.
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
        let packed = BufReader::with_capacity(1 << 16, packed);
        match self {
            Packing::Zstandard => match zstd::Decoder::with_buffer(packed) {
                Ok(decoder) => Box::new(FixedStep::new(decoder)),
                Err(error) => Box::new(Failing(Some(error))),
            },
            Packing::Gzip => Box::new(FixedStep::new(MultiGzDecoder::new(packed))),
            Packing::Bzip2 => Box::new(FixedStep::new(MultiBzDecoder::new(packed))),
            Packing::Xz => match Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED) {
                Ok(stream) => Box::new(FixedStep::new(XzDecoder::new_stream(packed, stream))),
                Err(error) => Box::new(Failing(Some(error.into()))),
            },
            Packing::Zip => Box::new(Failing(Some(io::Error::other("a zip archive cannot be read as a stream")))),
        }
    }
}
