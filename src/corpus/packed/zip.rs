//! The members of a zip archive.

use std::{
    collections::HashSet,
    io::{self, Cursor, Read},
    ops::Range,
};

use ::zip::{CompressionMethod, ZipArchive};
use flate2::{Crc, bufread::DeflateDecoder};

use super::{Bytes, BytesReader, FixedStep, Packing, Watch};

/// A member of a zip archive.
#[derive(Clone, Debug)]
pub struct Member {
    archive: Bytes,
    range: Range<usize>,
    method: u16,
    encrypted: bool,
    crc: u32,
    /// Bytes of text.
    size: u64,
}

const ENCRYPTED: u16 = 1;
const SIZES_FOLLOW: u16 = 8;

impl Member {
    /// The length of the text in bytes, according to the archive.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Shows whether the archive changed.
    pub fn watch(&self) -> Option<&Watch> {
        self.archive.watch()
    }

    /// Decompresses the member. Its length and checksum are verified at the end.
    pub fn unpack(&self) -> io::Result<Box<dyn Read + Send>> {
        if self.encrypted {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "the file is encrypted"));
        }
        let packed = BytesReader::new(&self.archive, self.range.clone());
        let reader: Box<dyn Read + Send> = match self.method {
            0 => Box::new(packed),
            8 => Box::new(FixedStep::new(DeflateDecoder::new(packed))),
            12 => Packing::Bzip2.unpack_stream(Box::new(packed)),
            93 => Packing::Zstandard.unpack_stream(Box::new(packed)),
            95 => Packing::Xz.unpack_stream(Box::new(packed)),
            other => {
                let message = format!("compression method {other} is not supported");
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
        };
        Ok(Box::new(Checked { reader, crc: Crc::new(), expected: self.crc, size: self.size, ended: false }))
    }
}

/// Verifies the length and the checksum of a member.
struct Checked {
    reader: Box<dyn Read + Send>,
    crc: Crc,
    expected: u32,
    size: u64,
    ended: bool,
}

impl Read for Checked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(into)?;
        self.crc.update(&into[..read]);
        if read == 0 && !into.is_empty() && !self.ended {
            self.ended = true;
            // `Crc` counts the length in 32 bits, which is enough together with the checksum.
            if self.crc.sum() != self.expected || u64::from(self.crc.amount()) != self.size & 0xFFFF_FFFF {
                let message = "the length or checksum does not match the archive";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(read)
    }
}

/// The files in an archive with their names, and an error if others could not be found.
pub(in crate::corpus) fn members(archive: &Bytes) -> (Vec<(String, Member)>, Option<io::Error>) {
    match in_directory(archive) {
        Ok(members) => (members, None),
        // The central directory is at the end. If it is missing, members can be found by their own
        // headers.
        Err(error) => (in_headers(archive), Some(error)),
    }
}

fn in_directory(archive: &Bytes) -> io::Result<Vec<(String, Member)>> {
    let mut zip = ZipArchive::new(Cursor::new(AsBytes(archive.clone()))).map_err(io::Error::other)?;
    let mut members = Vec::new();
    let mut starts = HashSet::new();
    for index in 0..zip.len() {
        let file = zip.by_index_raw(index).map_err(io::Error::other)?;
        starts.insert(file.header_start());
        if file.is_dir() {
            continue;
        }
        let start = file.data_start().and_then(|start| usize::try_from(start).ok()).unwrap_or(archive.len());
        let length = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX);
        let start = start.min(archive.len());
        let member = Member {
            archive: archive.clone(),
            range: start..start.saturating_add(length).min(archive.len()),
            method: method_number(file.compression()),
            encrypted: file.encrypted(),
            crc: file.crc32(),
            size: file.size(),
        };
        let name = file.name().map_err(io::Error::other)?.into_owned();
        members.push((file.header_start(), name, member));
    }
    for entry in central_entries(archive, zip.central_directory_start(), zip.offset()) {
        if starts.insert(entry.start) {
            members.extend(entry.member(archive)?.map(|(name, member)| (entry.start, name, member)));
        }
    }
    members.sort_by_key(|(start, ..)| *start);
    Ok(members.into_iter().map(|(_, name, member)| (name, member)).collect())
}

/// An entry of the central directory.
struct CentralEntry {
    /// The start of the member's header in the archive.
    start: u64,
    /// The length of the compressed data and of the text in bytes.
    lengths: [u32; 2],
}

impl CentralEntry {
    /// The member with its name; `None` for a directory.
    fn member(&self, archive: &Bytes) -> io::Result<Option<(String, Member)>> {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "two members have the same name, and one cannot be read");
        if self.lengths.contains(&u32::MAX) {
            return Err(damaged());
        }
        let at = usize::try_from(self.start).map_err(|_| damaged())?;
        let (name, mut member) = member_at(archive, at).ok_or_else(damaged)?;
        let [packed, size] = self.lengths;
        member.range.end = member.range.start.saturating_add(packed as usize).min(archive.len());
        member.size = u64::from(size);
        Ok((!name.ends_with('/')).then_some((name, member)))
    }
}

/// The entries of the central directory, which starts at `at`. The crate `zip` keeps only the last
/// of the members that have the same name. The archive itself begins at `base`.
fn central_entries(archive: &Bytes, at: u64, base: u64) -> Vec<CentralEntry> {
    let mut entries = Vec::new();
    let mut at = usize::try_from(at).unwrap_or(usize::MAX);
    while let Some(header) = archive.get(at..at.saturating_add(46)).filter(|header| header.starts_with(b"PK\x01\x02")) {
        let long = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        let short = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        // In a zip64 archive, the start is elsewhere if it does not fit.
        if long(42) != u32::MAX {
            entries.push(CentralEntry { start: base + u64::from(long(42)), lengths: [long(20), long(24)] });
        }
        at += 46 + short(28) + short(30) + short(32);
    }
    entries
}

/// The members up to the first one that is truncated or has no length in its header.
fn in_headers(archive: &Bytes) -> Vec<(String, Member)> {
    let mut members = Vec::new();
    let mut at = 0;
    while let Some((name, member)) = member_at(archive, at) {
        at = member.range.end;
        if !name.ends_with('/') {
            members.push((name, member));
        }
    }
    members
}

fn member_at(archive: &Bytes, at: usize) -> Option<(String, Member)> {
    let header = archive.get(at..at.checked_add(30)?)?;
    if !header.starts_with(b"PK\x03\x04") {
        return None;
    }
    let short = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let long = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let name_end = at + 30 + usize::from(short(26));
    let name = String::from_utf8_lossy(archive.get(at + 30..name_end)?).into_owned();
    let start = (name_end + usize::from(short(28))).min(archive.len());
    let flags = short(6);
    let end = if flags & SIZES_FOLLOW != 0 { archive.len() } else { start.saturating_add(long(18) as usize) };
    let member = Member {
        archive: archive.clone(),
        range: start..end.min(archive.len()),
        method: short(8),
        encrypted: flags & ENCRYPTED != 0,
        crc: long(14),
        size: u64::from(long(22)),
    };
    Some((name, member))
}

fn method_number(method: CompressionMethod) -> u16 {
    #[allow(deprecated)]
    method.to_u16()
}

/// Adapter for the library.
struct AsBytes(Bytes);

impl AsRef<[u8]> for AsBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
