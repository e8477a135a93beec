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

/// Two streams of xz.
pub fn streams(text: &[u8]) -> Vec<u8> {
    let (first, second) = text.split_at(text.len() / 3);
    [xz(first), xz(second)].concat()
}

/// A frame with a window of 2 to the power of `log` bytes.
pub fn zstandard_with_window(text: &[u8], log: u32) -> std::io::Result<Vec<u8>> {
    let mut packed = zstandard_of_unknown_size(text)?;
    // The window follows the magic number and the descriptor, which has no flags but the checksum.
    assert_eq!(packed[4] & !4, 0);
    packed[5] = ((log - 10) << 3) as u8;
    Ok(packed)
}

fn zstandard_of_unknown_size(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3)?;
    let (first, second) = text.split_at(text.len() / 2);
    encoder.write_all(first)?;
    // From here on it cannot know the size in advance.
    encoder.flush()?;
    encoder.write_all(second)?;
    encoder.finish()
}

/// A stream whose dictionary has the size with this number (28: 64 MiB, 30: 128 MiB).
pub fn xz_with_dictionary(text: &[u8], number: u8) -> Vec<u8> {
    let mut packed = xz(text);
    // The header of the block follows that of the stream: its length, flags, the filter LZMA2, and
    // its checksum.
    let header = &mut packed[12..];
    assert_eq!(header[1..4], [0, 0x21, 1]);
    header[4] = number;
    let length = usize::from(header[0]) * 4;
    let mut checksum = flate2::Crc::new();
    checksum.update(&header[..length]);
    header[length..length + 4].copy_from_slice(&checksum.sum().to_le_bytes());
    packed
}

pub fn zip_stored(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default().compression_method(CompressionMethod::Stored)).expect("a member");
        writer.write_all(text).expect("memory can be written");
    }
    writer.finish().expect("memory can be written").into_inner()
}

/// A zip archive whose members are deflated. The writer of the crate is built without that.
pub fn zip_deflated(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
        encoder.write_all(text).expect("memory can be written");
        let packed = encoder.finish().expect("memory can be written");
        let mut sum = flate2::Crc::new();
        sum.update(text);
        // Version, flags, method, time, date, checksum, both lengths, lengths of the name and of
        // nothing else.
        let mut header = [20, 0, 8, 0, 0x21].map(u16::to_le_bytes).concat();
        header.extend([sum.sum(), packed.len() as u32, text.len() as u32].map(u32::to_le_bytes).concat());
        header.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        let place = archive.len() as u32;
        directory.extend([b"PK\x01\x02\x14\0", &header[..], &[0; 10], &place.to_le_bytes(), name.as_bytes()].concat());
        archive.extend([b"PK\x03\x04", &header[..], name.as_bytes(), &packed].concat());
    }
    let count = members.len() as u16;
    let (place, length) = (archive.len() as u32, directory.len() as u32);
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend([count, count].map(u16::to_le_bytes).concat());
    archive.extend([length, place].map(u32::to_le_bytes).concat());
    archive.extend([0, 0]);
    archive
}

pub const PACKS: [(&str, Pack); 7] =
    [("zst", zstandard), ("frames", frames), ("gz", gzip), ("bgz", bgzip), ("bz2", bzip2), ("xz", xz), ("streams", streams)];
