//! The formats of compressed files and archives.

use serde::{Deserialize, Serialize};

/// Maximum length of a signature.
pub(super) const MAX_MARK_LENGTH: usize = 10;

/// Maximum number of layers of compression around a text, as in `games.pgn.gz.bz2`.
pub const MAX_LAYERS: usize = 2;

/// A compression or archive format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Packing {
    /// Zstandard, with one or more frames.
    Zstandard,
    /// gzip, with one or more members; also bgzip.
    Gzip,
    /// bzip2, with one or more streams.
    Bzip2,
    /// xz, with one or more streams.
    Xz,
    /// A zip archive. Each member is an input.
    Zip,
    /// A table, which is not read.
    Parquet,
}

impl Packing {
    /// Detects the format from the first bytes.
    pub fn of(head: &[u8]) -> Option<Packing> {
        const BZIP2_BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
        const BZIP2_END: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
        match head {
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Packing::Zstandard),
            [0x1F, 0x8B, ..] => Some(Packing::Gzip),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Some(Packing::Zip),
            // A text can start with the three letters, so more bytes are checked.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(BZIP2_BLOCK) || rest.starts_with(BZIP2_END) => {
                Some(Packing::Bzip2)
            }
            // The version of the first header follows.
            [b'P', b'A', b'R', b'1', 0x15, ..] => Some(Packing::Parquet),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Xz),
            _ => None,
        }
    }

    /// The name in messages.
    pub const fn as_str(self) -> &'static str {
        match self {
            Packing::Zstandard => "zstandard",
            Packing::Gzip => "gzip",
            Packing::Bzip2 => "bzip2",
            Packing::Xz => "xz",
            Packing::Zip => "zip",
            Packing::Parquet => "Parquet",
        }
    }
}

/// Removes the extension of a compression format from a name.
pub fn without_packing(name: &str) -> &str {
    split_packing(name).map_or(name, |(stem, _)| stem)
}

/// The name without the extension of a compression format, and the format; `None` without one.
pub(super) fn split_packing(name: &str) -> Option<(&str, Packing)> {
    const EXTENSIONS: [(&str, Packing); 6] = [
        ("zst", Packing::Zstandard),
        ("gz", Packing::Gzip),
        ("bgz", Packing::Gzip),
        ("bz2", Packing::Bzip2),
        ("xz", Packing::Xz),
        ("zip", Packing::Zip),
    ];
    let (stem, extension) = name.rsplit_once('.')?;
    let known = EXTENSIONS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    known.map(|(_, packing)| (stem, *packing))
}
