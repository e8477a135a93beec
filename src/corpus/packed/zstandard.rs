//! Frames of Zstandard, found by their headers and those of their blocks (RFC 8878, section 3.1).

use std::io::{Cursor, Read};

use super::{
    Steady,
    parts::{Part, Slice},
};

/// No block unpacks to more.
const LARGEST_BLOCK: usize = 128 << 10;

/// The frame that begins at `start`, if it is whole.
pub(super) fn part_at(packed: &[u8], start: usize) -> Option<Part> {
    let bytes = |at: usize, length: usize| {
        let bytes = packed.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let magic = bytes(start, 4)?;
    if magic & 0xFFFF_FFF0 == 0x184D_2A50 {
        let end = (start + 8).checked_add(bytes(start + 4, 4)?)?;
        return (end <= packed.len()).then_some(Part { range: start..end, most: 0 });
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
    (end <= packed.len()).then_some(Part { range: start..end, most })
}

pub(super) fn decode(packed: Cursor<Slice>) -> Box<dyn Read + Send> {
    match zstd::Decoder::with_buffer(packed) {
        Ok(decoder) => Box::new(Steady::new(decoder)),
        Err(error) => Box::new(super::Refused(Some(error))),
    }
}
