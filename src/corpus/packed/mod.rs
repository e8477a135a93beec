//! Compressed inputs: what packs them, how they are unpacked, in parts that may be unpacked side by side where the format allows.

mod bzip2;
mod fixed_step;
mod gzip;
mod parts;
mod zip;
mod zstandard;

use std::{
    fs::File,
    io::{self, BufReader, Cursor, Read, Seek},
    path::Path,
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

use super::{Bytes, Input, Source, mmap::map};

/// A decoder of xz that wants more memory than this (bytes) is refused; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 128 << 20;

/// So many bytes tell how something is compressed.
const MAX_MARK: u64 = 10;

/// How an input is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Zstandard, of one frame or several.
    Zstandard,
    /// gzip, of one member or several; bgzip too.
    Gzip,
    /// bzip2, of one stream or several.
    Bzip2,
    /// xz, of one stream or several.
    Xz,
    /// A zip archive: each member is an input of its own.
    Zip,
}

impl Packing {
    /// How something is compressed that begins like this.
    pub fn of(head: &[u8]) -> Option<Packing> {
        const BZIP2_BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
        const BZIP2_END: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
        match head {
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Packing::Zstandard),
            [0x1F, 0x8B, ..] => Some(Packing::Gzip),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Some(Packing::Zip),
            // The three letters alone might begin a text.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(BZIP2_BLOCK) || rest.starts_with(BZIP2_END) => {
                Some(Packing::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Xz),
            _ => None,
        }
    }

    /// The word for it in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Packing::Zstandard => "zstandard",
            Packing::Gzip => "gzip",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
            Packing::Zip => "zip",
        }
    }

    /// Unpacks `packed`, all of which is at hand. Frames of Zstandard, blocks of bgzip
    /// and of bzip2 are unpacked side by side in `pool`.
    /// What is read is the same for every number of threads, and so is how far it goes when the archive is damaged.
    ///
    /// The reader must not be read by a thread of `pool`. A zip archive has no text of its own: reading it is an error.
    pub fn unpack(self, packed: Bytes, pool: &Arc<ThreadPool>) -> Box<dyn Read + Send> {
        let pool = Arc::clone(pool);
        match self {
            Packing::Zstandard => Box::new(Parts::new(zstandard::Frames::new(packed), pool)),
            Packing::Gzip if gzip::is_blocked(&packed) => Box::new(Parts::new(gzip::Blocks::new(packed), pool)),
            Packing::Bzip2 => Box::new(Parts::new(bzip2::Blocks::new(packed), pool)),
            _ => self.unpack_stream(Box::new(Cursor::new(packed))),
        }
    }

    /// Unpacks what a stream brings.
    pub fn unpack_stream(self, packed: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        let packed = BufReader::with_capacity(1 << 16, packed);
        match self {
            Packing::Zstandard => match zstd::Decoder::with_buffer(packed) {
                Ok(decoder) => Box::new(FixedStep::new(decoder)),
                Err(error) => Box::new(Refused(Some(error))),
            },
            Packing::Gzip => Box::new(FixedStep::new(MultiGzDecoder::new(packed))),
            Packing::Bzip2 => Box::new(FixedStep::new(MultiBzDecoder::new(packed))),
            Packing::Xz => match Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED) {
                Ok(stream) => Box::new(FixedStep::new(XzDecoder::new_stream(packed, stream))),
                Err(error) => Box::new(Refused(Some(error.into()))),
            },
            Packing::Zip => Box::new(Refused(Some(io::Error::other("a zip archive in a stream")))),
        }
    }
}

/// The text of a file: what it holds, unpacked if it is packed (a zip archive apart).
///
/// # Errors
/// When it cannot be opened or read.
pub fn text_of(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    file.by_ref().take(MAX_MARK).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(match Packing::of(&head) {
        None | Some(Packing::Zip) => Box::new(BufReader::with_capacity(1 << 18, file)),
        Some(packing) => packing.unpack_stream(Box::new(file)),
    })
}

/// A name without the extension that says how the file is compressed.
pub(super) fn without_packing(name: &str) -> &str {
    const PACKED: [&str; 6] = ["zst", "gz", "bgz", "bz2", "xz", "zip"];
    match name.rsplit_once('.') {
        Some((stem, extension)) if PACKED.iter().any(|known| extension.eq_ignore_ascii_case(known)) => stem,
        _ => name,
    }
}

/// The inputs in the zip archive `packed`, whose own name is `name`, in the order of the archive; and what keeps those that
/// follow from being found. Hidden files are left out, as in directories, and so is what macOS adds to archives.
pub fn members(packed: &Bytes, name: &str) -> (Vec<Input>, Option<io::Error>) {
    let (members, failure) = zip::find(packed);
    let input = |(inner, member): (String, Member)| Input {
        name: format!("{name}/{inner}"),
        source: Source::Member(member),
        format: None,
    };
    let hidden = |name: &str| name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX");
    (members.into_iter().filter(|(name, _)| !hidden(name)).map(input).collect(), failure)
}

/// Stores what is left of a stream in a temporary file, for formats that are read from their end.
///
/// # Errors
/// When the stream cannot be read or the file not be written.
pub fn spool(mut stream: impl Read) -> io::Result<Bytes> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut stream, &mut file)?;
    file.rewind()?;
    Ok(Bytes::mapped(map(&file)?))
}

/// Cannot be read at all, and says so once.
struct Refused(Option<io::Error>);

impl Read for Refused {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
