//! Compressed inputs and archives. Parts are decompressed in parallel if the format allows it.

mod bzip2;
mod fixed_step;
mod gzip;
mod memory_limit;
mod pack;
mod parts;
mod xz;
mod zip;
mod zstandard;

use std::{
    io::{self, Read},
    sync::Arc,
};

use rayon::ThreadPool;

use self::{fixed_step::FixedStep, parts::Parts};
use super::{Bytes, BytesReader, Packing, Watch, failing::Failing};

pub(super) use pack::pack;
pub use parts::RangeWatch;
pub use zip::Member;
pub(super) use zip::members;

impl Packing {
    /// Decompresses `packed`. Zstandard frames and blocks of bgzip are decompressed in parallel in
    /// `pool`. The result is that of [`Packing::unpack_stream`], whatever the number of threads,
    /// even if the archive is damaged.
    ///
    /// The reader must not be used by a thread of `pool`. Reading a zip archive is an error,
    /// because it has no text of its own.
    pub fn unpack(self, packed: Bytes, pool: &Arc<ThreadPool>) -> Box<dyn Read + Send> {
        let pool = Arc::clone(pool);
        match self {
            Packing::Zstandard => Box::new(Parts::new(zstandard::Frames::new(packed), pool)),
            Packing::Gzip if gzip::is_blocked(&packed) => Box::new(Parts::new(gzip::Blocks::new(packed), pool)),
            _ => self.unpack_stream(Box::new(BytesReader::of(&packed))),
        }
    }

    /// Decompresses `packed` from `from` on, where a part begins, and tells `watch` where the part
    /// at `to` begins in the text. Places are those of [`Packing::cuts`].
    pub fn unpack_range(
        self,
        packed: Bytes,
        (from, to): (u64, u64),
        watch: RangeWatch,
        pool: &Arc<ThreadPool>,
    ) -> Box<dyn Read + Send> {
        let pool = Arc::clone(pool);
        let byte = usize::try_from(from).unwrap_or(usize::MAX);
        match self {
            Packing::Zstandard => Box::new(Parts::with_range(zstandard::Frames::from(packed, byte), pool, to, watch)),
            Packing::Gzip => Box::new(Parts::with_range(gzip::Blocks::from(packed, byte), pool, to, watch)),
            Packing::Bzip2 | Packing::Xz | Packing::Zip | Packing::Parquet => {
                Box::new(Failing(Some(io::Error::other("this format has no parts"))))
            }
        }
    }

    /// Where `packed` can be cut into ranges of about `target` bytes that can be decompressed on
    /// their own: the ends of Zstandard frames and of groups of bgzip blocks, in bytes. No cut is
    /// in the first `least` bytes of the text.
    pub fn cuts(self, packed: &Bytes, target: u64, least: usize) -> Vec<u64> {
        let target = usize::try_from(target.max(1)).unwrap_or(usize::MAX);
        let ends: fn(&[u8], usize) -> Option<usize> = match self {
            Packing::Zstandard => zstandard::frame_end,
            Packing::Gzip if gzip::is_blocked(packed) => gzip::group_end,
            _ => return Vec::new(),
        };
        let mut cuts = Vec::new();
        let (mut at, mut next, mut is_late) = (0, target, false);
        while let Some(end) = ends(packed, at) {
            at = end;
            if at >= next {
                // Until the first cut, see whether the text before it is long enough.
                is_late = is_late || text_has(self, packed, at, least);
                if is_late {
                    cuts.push(at as u64);
                    next = at.saturating_add(target);
                }
            }
        }
        cuts
    }

    /// Decompresses a stream.
    pub fn unpack_stream(self, packed: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        match self {
            Packing::Zstandard => zstandard::stream(packed),
            Packing::Gzip => gzip::stream(packed),
            Packing::Bzip2 => bzip2::stream(packed),
            Packing::Xz => xz::stream(packed),
            Packing::Zip => Box::new(Failing(Some(io::Error::other("a zip archive cannot be read as a stream")))),
            Packing::Parquet => {
                let message = "Parquet files are not read; convert them to CSV, for example with DuckDB";
                Box::new(Failing(Some(io::Error::other(message))))
            }
        }
    }
}

/// Whether there are `least` bytes of text in the archive up to `end`.
fn text_has(packing: Packing, packed: &Bytes, end: usize, least: usize) -> bool {
    let mut text = packing.unpack_stream(Box::new(BytesReader::new(packed, 0..end))).take(least as u64);
    let mut read = Vec::new();
    // An error ends the text.
    let _ = text.read_to_end(&mut read);
    read.len() >= least
}
