//! Encoders, with the default levels of the usual programs.

use std::io::{self, Write};

use ::bzip2::{Compression as Bzip2Level, write::BzEncoder};
use flate2::{Compression, write::GzEncoder};
use liblzma::write::XzEncoder;
use zstd::stream::write::Encoder;

use super::Packing;
use crate::corpus::packer::{Layer, Packer};

/// The preset of `xz`.
const XZ_PRESET: u32 = 6;

/// Compresses what is written to the result.
pub(in crate::corpus) fn pack<W: Write + 'static>(packing: Packing, to: Packer<W>) -> io::Result<Packer<W>> {
    let layer: Box<dyn Layer<W>> = match packing {
        Packing::Gzip => Box::new(GzEncoder::new(to, Compression::default())),
        Packing::Bzip2 => Box::new(BzEncoder::new(to, Bzip2Level::best())),
        Packing::Xz => Box::new(XzEncoder::new(to, XZ_PRESET)),
        Packing::Zstandard => {
            let mut encoder = Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?;
            encoder.include_checksum(true)?;
            Box::new(encoder)
        }
        Packing::Zip | Packing::Parquet => return Err(io::Error::other("this format is not a stream")),
    };
    Ok(Packer::Packed(layer))
}

impl<W: Write> Layer<W> for GzEncoder<Packer<W>> {
    fn finish(self: Box<Self>) -> io::Result<Packer<W>> {
        GzEncoder::finish(*self)
    }
}

impl<W: Write> Layer<W> for BzEncoder<Packer<W>> {
    fn finish(self: Box<Self>) -> io::Result<Packer<W>> {
        BzEncoder::finish(*self)
    }
}

impl<W: Write> Layer<W> for XzEncoder<Packer<W>> {
    fn finish(self: Box<Self>) -> io::Result<Packer<W>> {
        XzEncoder::finish(*self)
    }
}

impl<W: Write> Layer<W> for Encoder<'static, Packer<W>> {
    fn finish(self: Box<Self>) -> io::Result<Packer<W>> {
        Encoder::finish(*self)
    }
}
