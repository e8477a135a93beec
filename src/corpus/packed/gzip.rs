//! Blocks of bgzip: gzip members with their length in an extra field (SAM specification, section
//! 4.1).

use std::io::{Cursor, Read};

use flate2::bufread::MultiGzDecoder;

use super::{
    Bytes, FixedStep,
    parts::{Part, Slice, Split, Unpacked, Work},
};

/// Maximum length of a decompressed block.
const LARGEST_BLOCK: usize = 1 << 16;

/// Number of blocks that a thread decompresses at once.
const BLOCKS: usize = 32;

/// Whether an archive starts with a bgzip block.
pub(super) fn is_blocked(packed: &[u8]) -> bool {
    block_end(packed, 0).is_some()
}

/// The blocks of an archive. Data that is not a complete block is read as a stream, so that the
/// decoder reports what is wrong.
pub(super) struct Blocks {
    packed: Bytes,
    at: usize,
}

impl Blocks {
    pub fn new(packed: Bytes) -> Blocks {
        Blocks { packed, at: 0 }
    }
}

impl Split for Blocks {
    fn next_part(&mut self) -> Option<Part> {
        let start = self.at;
        if start >= self.packed.len() {
            return None;
        }
        let mut blocks = 0;
        while let Some(end) = block_end(&self.packed, self.at).filter(|_| blocks < BLOCKS) {
            self.at = end;
            blocks += 1;
        }
        let work = if blocks == 0 {
            self.at = self.packed.len();
            Work::InTurn { reader: stream(Slice::new(&self.packed, start..self.at)), end: self.at as u64 }
        } else {
            let (packed, range, most) = (self.packed.clone(), start..self.at, blocks * LARGEST_BLOCK);
            let end = range.end as u64;
            Work::Ahead { most, unpack: Box::new(move || Unpacked::read(stream(Slice::new(&packed, range)), most, end)) }
        };
        Some(Part { start: start as u64, work })
    }
}

/// The end of the block that starts at `start`.
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

fn stream(packed: Cursor<Slice>) -> Box<dyn Read + Send> {
    Box::new(FixedStep::new(MultiGzDecoder::new(packed)))
}
