//! Frames of Zstandard, found from the headers of frames and blocks (RFC 8878, section 3.1).

use std::{
    io::{Cursor, Read},
    ops::Range,
};

use super::{
    Bytes, Failing, FixedStep,
    parts::{LARGEST, Part, Slice, Split, Unpacked, Work},
};

/// Maximum length of a decompressed block.
const LARGEST_BLOCK: usize = 128 << 10;

/// Maximum length of a frame that is decompressed ahead. The length is an upper bound, because
/// blocks are often shorter than allowed. So this is more than [`LARGEST`].
const MAX_AHEAD: usize = 4 * LARGEST;

/// The frames of an archive. Data that is not a complete frame is read as a stream, so that the
/// decoder reports what is wrong.
pub(super) struct Frames {
    packed: Bytes,
    at: usize,
}

impl Frames {
    pub fn new(packed: Bytes) -> Frames {
        Frames { packed, at: 0 }
    }
}

impl Split for Frames {
    fn next_part(&mut self) -> Option<Part> {
        let start = self.at;
        if start >= self.packed.len() {
            return None;
        }
        let (range, most) = frame_at(&self.packed, start).unwrap_or((start..self.packed.len(), usize::MAX));
        self.at = range.end;
        let end = range.end as u64;
        let work = if most > MAX_AHEAD {
            Work::InTurn { reader: stream(Slice::new(&self.packed, range)), end }
        } else {
            let packed = self.packed.clone();
            Work::Ahead { most: most.min(LARGEST), unpack: Box::new(move || unpack(&packed, range, most)) }
        };
        Some(Part { start: start as u64, work })
    }
}

/// The frame that starts at `start`, if it is complete, and its maximum decompressed length.
fn frame_at(packed: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let bytes = |at: usize, length: usize| {
        let bytes = packed.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let magic = bytes(start, 4)?;
    if magic & 0xFFFF_FFF0 == 0x184D_2A50 {
        let end = (start + 8).checked_add(bytes(start + 4, 4)?)?;
        return (end <= packed.len()).then_some((start..end, 0));
    }
    if magic != 0xFD2F_B528 {
        return None;
    }
    let descriptor = bytes(start + 4, 1)?;
    let single_segment = descriptor & 0x20 != 0;
    let dictionary_id = [0, 1, 2, 4][descriptor & 3];
    let content_size = [usize::from(single_segment), 2, 4, 8][descriptor >> 6];
    let mut at = start + 5 + usize::from(!single_segment) + dictionary_id + content_size;
    let mut most = 0_usize;
    loop {
        let header = bytes(at, 3)?;
        let size = header >> 3;
        let (packed_size, unpacked_size) = match (header >> 1) & 3 {
            0 => (size, size),
            1 => (1, size),
            2 => (size, LARGEST_BLOCK),
            _ => return None,
        };
        at += 3 + packed_size;
        most = most.saturating_add(unpacked_size);
        if header & 1 != 0 {
            break;
        }
    }
    let end = at + if descriptor & 4 != 0 { 4 } else { 0 };
    (end <= packed.len()).then_some((start..end, most))
}

fn unpack(packed: &Bytes, range: Range<usize>, most: usize) -> Unpacked {
    let end = range.end as u64;
    if most > LARGEST {
        return Unpacked::read(stream(Slice::new(packed, range)), most, end);
    }
    let mut text = Vec::with_capacity(most);
    // Decompressing at once needs no window. For damaged frames, a stream shows how far they can be
    // read.
    let whole = zstd::bulk::Decompressor::new().and_then(|mut all| all.decompress_to_buffer(&packed[range.clone()], &mut text));
    match whole {
        Ok(_) => Unpacked { text, rest: None, end, sums: None },
        Err(_) => Unpacked::read(stream(Slice::new(packed, range)), most, end),
    }
}

fn stream(packed: Cursor<Slice>) -> Box<dyn Read + Send> {
    match zstd::Decoder::with_buffer(packed) {
        Ok(decoder) => Box::new(FixedStep::new(decoder)),
        Err(error) => Box::new(Failing(Some(error))),
    }
}
