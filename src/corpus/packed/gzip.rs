//! Blocks of bgzip: gzip members with their length in an extra field (SAM specification, section
//! 4.1).

use std::{
    io::{self, BufRead, Read},
    ops::Range,
};

use flate2::bufread::GzDecoder;

use super::{
    Bytes, BytesReader,
    fixed_step::{FixedInput, Member, Members},
    parts::{Part, Unpacked, Work},
};

impl<R: BufRead> Member<R> for GzDecoder<R> {
    fn begin(packed: R) -> io::Result<GzDecoder<R>> {
        Ok(GzDecoder::new(packed))
    }

    fn finish(self) -> R {
        self.into_inner()
    }
}

/// Reads the members of a gzip stream.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(Members::<_, GzDecoder<_>>::new(FixedInput::new(packed)))
}

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
        Blocks::from(packed, 0)
    }

    /// The blocks from `at` on, where a group of blocks begins.
    pub fn from(packed: Bytes, at: usize) -> Blocks {
        Blocks { packed, at }
    }
}

impl Iterator for Blocks {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let start = self.at;
        if start >= self.packed.len() {
            return None;
        }
        let mut ends = Vec::new();
        while let Some(end) = block_end(&self.packed, self.at).filter(|_| ends.len() < BLOCKS) {
            self.at = end;
            ends.push(end);
        }
        let work = if ends.is_empty() {
            self.at = self.packed.len();
            Work::InTurn { most: 0, reader: stream(BytesReader::new(&self.packed, start..self.at)) }
        } else {
            let (packed, most) = (self.packed.clone(), ends.len() * LARGEST_BLOCK);
            Work::Ahead { most, unpack: Box::new(move || unpack(&packed, start, &ends)) }
        };
        Some(Part { start: start as u64, work })
    }
}

/// Where the group of blocks at `start` ends; `None` if no group can begin after it.
pub(super) fn group_end(packed: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    for _ in 0..BLOCKS {
        at = block_end(packed, at)?;
    }
    (at < packed.len()).then_some(at)
}

/// Decompresses the blocks from `start` to each of `ends`. If a block is damaged, or its length is
/// wrong, a stream reads from `start` on.
fn unpack(packed: &Bytes, start: usize, ends: &[usize]) -> Unpacked {
    let mut text = Vec::with_capacity(ends.len() * LARGEST_BLOCK);
    let mut at = start;
    for end in ends {
        if !unpack_block(packed, at..*end, &mut text) {
            return Unpacked::last(stream(BytesReader::new(packed, start..packed.len())));
        }
        at = *end;
    }
    packed.release(start..at);
    Unpacked { text, rest: None, is_last: false }
}

/// Appends the text of the block. Returns whether it is one member and not damaged.
fn unpack_block(packed: &[u8], block: Range<usize>, text: &mut Vec<u8>) -> bool {
    let most = (text.len() + LARGEST_BLOCK) as u64;
    let mut decoder = GzDecoder::new(packed.get(block).unwrap_or_default());
    let read = decoder.by_ref().take(LARGEST_BLOCK as u64 + 1).read_to_end(text);
    read.is_ok() && text.len() as u64 <= most && decoder.into_inner().is_empty()
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
