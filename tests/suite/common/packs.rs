//! Ways to pack a text.

use std::io::{Cursor, Write};

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

pub type Pack = fn(&[u8]) -> Vec<u8>;

pub fn zstandard(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).expect("memory can be written")
}

/// Several frames, with checksums, unknown sizes and frames to skip between them.
pub fn frames(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    for part in text.chunks(text.len() / 5 + 1) {
        packed.extend([0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 0x28, 0xB5, 0x2F]);
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
        encoder.include_checksum(true).expect("checksums");
        encoder.write_all(part).expect("memory can be written");
        packed.extend(encoder.finish().expect("memory can be written"));
    }
    packed
}

pub fn gzip(text: &[u8]) -> Vec<u8> {
    let (first, second) = text.split_at(text.len() / 2);
    let member = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(text).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    };
    [member(first), member(second)].concat()
}

/// Blocks that say how long they are.
pub fn bgzip(text: &[u8]) -> Vec<u8> {
    let block = |text: &[u8]| {
        let mut encoder =
            flate2::GzBuilder::new().extra(vec![b'B', b'C', 2, 0, 0, 0]).write(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(text).expect("memory can be written");
        let mut block = encoder.finish().expect("memory can be written");
        let length = u16::try_from(block.len() - 1).expect("a block is short").to_le_bytes();
        block[16..18].copy_from_slice(&length);
        block
    };
    text.chunks(200).chain([[].as_slice()]).flat_map(block).collect()
}

pub fn bzip2(text: &[u8]) -> Vec<u8> {
    let (first, second) = text.split_at(text.len() / 2);
    let stream = |text: &[u8]| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(1));
        encoder.write_all(text).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    };
    [stream(first), stream(second)].concat()
}

pub fn xz(text: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
    encoder.write_all(text).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

pub fn zip_stored(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored)).expect("a member");
        writer.write_all(text).expect("memory can be written");
    }
    writer.finish().expect("memory can be written").into_inner()
}

pub const PACKS: [(&str, Pack); 6] =
    [("zst", zstandard), ("frames", frames), ("gz", gzip), ("bgz", bgzip), ("bz2", bzip2), ("xz", xz)];
