//! Blocks of bgzip: members of gzip that say in an extra field how long they are (SAM specification, section 4.1).

use std::io::{Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::{
    Steady,
    parts::{Part, Slice},
};

/// No block unpacks to more.
const LARGEST_BLOCK: usize = 1 << 16;

/// So many blocks are unpacked by one thread.
const BLOCKS: usize = 32;

/// Whether an archive begins with a block of bgzip.
pub(super) fn is_blocked(packed: &[u8]) -> bool {
    block_end(packed, 0).is_some()
}

/// Some blocks from `start` on, if there is a whole one.
pub(super) fn part_at(packed: &[u8], start: usize) -> Option<Part> {
    let mut end = block_end(packed, start)?;
    let mut blocks = 1;
    while let Some(next) = block_end(packed, end).filter(|_| blocks < BLOCKS) {
        end = next;
        blocks += 1;
    }
    Some(Part { range: start..end, most: blocks * LARGEST_BLOCK })
}

/// Where the block ends that begins at `start`.
fn block_end(packed: &[u8], start: usize) -> Option<usize> {
    let [0x1F, 0x8B, 8, flags, _, _, _, _, _, _, low, high, rest @ ..] = packed.get(start..)? else { return None };
    if flags & 4 == 0 {
        return None;
    }
    let mut extra = rest.get(..usize::from(u16::from_le_bytes([*low, *high])))?;
    while let [first, second, low, high, rest @ ..] = extra {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let field = rest.get(..length)?;
        if let ([b'B', b'C'], [low, high]) = ([*first, *second], field) {
            let end = start + usize::from(u16::from_le_bytes([*low, *high])) + 1;
            return (end <= packed.len()).then_some(end);
        }
        extra = &rest[length..];
    }
    None
}

pub(super) fn decode(packed: Cursor<Slice>) -> Box<dyn Read + Send> {
    Box::new(Steady::new(MultiGzDecoder::new(packed)))
}
