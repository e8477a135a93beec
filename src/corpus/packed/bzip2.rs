//! Blocks of bzip2. They can start at any bit and do not contain their length, but each starts with
//! the same 48 bits and can be decompressed on its own.

use std::{
    io::{self, Cursor, Read},
    sync::{Arc, LazyLock},
};

use aho_corasick::packed;
use bzip2::bufread::{BzDecoder, MultiBzDecoder};

use super::{
    Bytes, Failing, FixedStep,
    parts::{LARGEST, Part, Slice, Split, Sums, Unpacked, Work},
};

/// The start of a block: the digits of pi.
const BLOCK: u64 = 0x3141_5926_5359;

/// The end of a stream: the digits of the square root of pi.
const END: u64 = 0x1772_4538_5090;

/// Length of these marks in bits.
const MARK: u64 = 48;

/// Maximum length of a compressed block in bits.
const MAX_BLOCK_BITS: u64 = 8 * (4 << 20);

/// Maximum number of marks tried as the end of a block. A mark occurs by chance once in 30 TB.
const MAX_TRIED: usize = 3;

/// Usual maximum length of a decompressed block in bytes.
const USUAL: usize = 1 << 20;

/// The blocks of an archive. Places are in bits.
pub(super) struct Blocks {
    packed: Bytes,
    /// The start, or the possible start, of the next block.
    at: Option<u64>,
    /// The checksum of the current stream so far.
    sum: u32,
    ended: bool,
}

impl Blocks {
    pub fn new(packed: Bytes) -> Blocks {
        let at = header_then_block(&packed, 0).ok().flatten();
        Blocks { packed, at, sum: 0, ended: false }
    }
}

impl Split for Blocks {
    fn next_part(&mut self) -> Option<Part> {
        if self.ended {
            return None;
        }
        let Some(start) = self.at else {
            // There is no block. The decoder reports what is wrong.
            self.ended = true;
            let all = Slice::new(&self.packed, 0..self.packed.len());
            let end = bits(&self.packed);
            let reader = Box::new(FixedStep::new(MultiBzDecoder::new(all)));
            return Some(Part { start: 0, work: Work::InTurn { reader, end } });
        };
        let mut from = start;
        let next = loop {
            match next_mark(&self.packed, from + 1) {
                Some((at, BLOCK)) => break Some(at),
                Some((at, _)) => from = at,
                None => break None,
            }
        };
        self.at = next;
        self.ended = next.is_none();
        let packed = self.packed.clone();
        Some(Part { start, work: Work::Ahead { most: USUAL, unpack: Box::new(move || unpack(&packed, start)) } })
    }

    fn read(&mut self, unpacked: &Unpacked) -> io::Result<()> {
        let Some(sums) = unpacked.sums else { return Ok(()) };
        self.sum = self.sum.rotate_left(1) ^ sums.own;
        if let Some(all) = sums.all
            && all != std::mem::take(&mut self.sum)
        {
            return Err(damaged("blocks are missing, or the checksum of the stream is wrong"));
        }
        Ok(())
    }
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn bits(packed: &[u8]) -> u64 {
    packed.len() as u64 * 8
}

/// Reads up to 64 bits starting at bit `at`; `None` after the end.
fn take(packed: &[u8], at: u64, count: u64) -> Option<u64> {
    let end = at.checked_add(count).filter(|end| *end <= bits(packed))?;
    let bytes = packed.get(usize::try_from(at / 8).ok()?..usize::try_from(end.div_ceil(8)).ok()?)?;
    let number = bytes.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    let behind = (8 - end % 8) % 8;
    u64::try_from((number >> behind) & ((1 << count) - 1)).ok()
}

/// The first mark that starts at or after bit `from`.
fn next_mark(packed: &[u8], from: u64) -> Option<(u64, u64)> {
    static SEARCHER: LazyLock<Option<packed::Searcher>> = LazyLock::new(|| packed::Searcher::new(PATTERNS.iter()));
    let mut byte = usize::try_from(from / 8).ok()?;
    // Every mark contains five whole bytes, which show its alignment.
    while let Some(rest) = packed.get(byte..) {
        let found = match &*SEARCHER {
            Some(searcher) => searcher.find(rest).map(|found| (found.start(), found.pattern().as_usize())),
            None => rest
                .windows(5)
                .enumerate()
                .find_map(|(at, five)| PATTERNS.iter().position(|pattern| pattern == five).map(|pattern| (at, pattern))),
        };
        let (at, pattern) = found?;
        let (mark, shift) = if pattern < 8 { (BLOCK, pattern) } else { (END, pattern - 8) };
        let whole = (byte + at) as u64 * 8;
        let start = whole.checked_sub(8).map(|start| start + shift as u64);
        if let Some(start) = start.filter(|start| *start >= from && take(packed, *start, MARK) == Some(mark)) {
            return Some((start, mark));
        }
        byte += at + 1;
    }
    None
}

/// The five whole bytes after the first byte of a mark that starts at bit 0 to 7 of that byte:
/// those of [`BLOCK`], then those of [`END`].
static PATTERNS: LazyLock<Vec<[u8; 5]>> = LazyLock::new(|| {
    let of = |mark: u64| {
        (0..8).map(move |shift| {
            let [_, _, _, five @ ..] = (mark >> shift).to_be_bytes();
            five
        })
    };
    of(BLOCK).chain(of(END)).collect()
});

/// Finds the first block after the stream header at bit `at`. Streams without blocks are skipped.
/// Returns `None` at the end of the archive.
fn header_then_block(packed: &[u8], mut at: u64) -> io::Result<Option<u64>> {
    loop {
        if at == bits(packed) {
            return Ok(None);
        }
        match take(packed, at, 32) {
            Some(header) if header >> 8 == 0x42_5A68 && (0x31..=0x39).contains(&(header & 0xFF)) => {}
            Some(_) => return Err(damaged("the data that follows is not bzip2")),
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        at += 32;
        match take(packed, at, MARK) {
            Some(BLOCK) => return Ok(Some(at)),
            Some(END) => {}
            Some(_) => return Err(damaged("there is neither a block nor the end of the stream")),
            None => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        if take(packed, at + MARK, 32).ok_or(io::ErrorKind::UnexpectedEof)? != 0 {
            return Err(damaged("the checksum of an empty stream is not 0"));
        }
        at = (at + MARK + 32).next_multiple_of(8);
    }
}

/// Decompresses the block at bit `start`.
fn unpack(packed: &Bytes, start: u64) -> Unpacked {
    let refused =
        |error| Unpacked { text: Vec::new(), rest: Some(Box::new(Failing(Some(error)))), end: bits(packed), sums: None };
    let Some(own) = take(packed, start + MARK, 32).and_then(|sum| u32::try_from(sum).ok()) else {
        return refused(io::ErrorKind::UnexpectedEof.into());
    };
    let mut from = start;
    let mut failure = None;
    // A mark can occur in a block by chance. The block ends at the first mark with which it
    // decompresses.
    for _ in 0..MAX_TRIED {
        let Some((end, mark)) = next_mark(packed, from + 1).filter(|(end, _)| end - start <= MAX_BLOCK_BITS) else { break };
        from = end;
        let alone: Arc<[u8]> = alone(packed, start, end, own).into();
        let mut unpacked = Unpacked::read(Box::new(BzDecoder::new(Cursor::new(alone))), USUAL, end);
        // If the checksum of a block is wrong, none of its bytes can be trusted.
        if let Some(mut rest) = unpacked.rest.take_if(|_| unpacked.text.len() < LARGEST) {
            failure = failure.or(rest.read(&mut [0]).err());
            continue;
        }
        let all = (mark == END).then(|| take(packed, end + MARK, 32));
        let next = match all {
            None => Ok(Some(end)),
            Some(None) => Err(io::ErrorKind::UnexpectedEof.into()),
            Some(Some(_)) => header_then_block(packed, (end + MARK + 32).next_multiple_of(8)),
        };
        unpacked.sums = Some(Sums { own, all: all.flatten().and_then(|all| u32::try_from(all).ok()) });
        return match next {
            Ok(next) => Unpacked { end: next.unwrap_or(bits(packed)), ..unpacked },
            Err(error) => Unpacked { rest: Some(Box::new(Failing(Some(error)))), end: bits(packed), ..unpacked },
        };
    }
    refused(failure.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into()))
}

/// Builds a stream of one block from the bits `start` to `end`.
fn alone(packed: &[u8], start: u64, end: u64, sum: u32) -> Vec<u8> {
    let mut stream = b"BZh9".to_vec();
    let mut at = start;
    for step in [56, 8] {
        while let Some(bits) = take(packed, at, step).filter(|_| at + step <= end) {
            stream.extend(&bits.to_be_bytes()[8 - step as usize / 8..]);
            at += step;
        }
    }
    // The rest of the block, the end mark, the checksum, and zeros up to a whole byte.
    let left = end - at;
    let tail = u128::from(take(packed, at, left).unwrap_or_default()) << MARK | u128::from(END);
    let length = left + MARK + 32;
    let tail = (tail << 32 | u128::from(sum)) << (128 - length);
    stream.extend(tail.to_be_bytes().iter().take(length.div_ceil(8) as usize));
    stream
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn bits_are_taken_from_anywhere() {
        let bytes = [0b1010_0101, 0xFF, 0x00, 0x81];
        assert_eq!(take(&bytes, 0, 8), Some(0b1010_0101));
        assert_eq!(take(&bytes, 4, 8), Some(0b0101_1111));
        assert_eq!(take(&bytes, 3, 1), Some(0));
        assert_eq!(take(&bytes, 24, 8), Some(0x81));
        assert_eq!(take(&bytes, 0, 32), Some(0xA5FF_0081));
        assert_eq!(take(&bytes, 25, 8), None);
    }

    #[test]
    fn marks_are_found_at_every_bit() {
        for (mark, shift) in [BLOCK, END].into_iter().flat_map(|mark| (0..8).map(move |shift| (mark, shift))) {
            let mut bytes = vec![0x55; 40];
            bytes.extend(&(mark << (8 - shift)).to_be_bytes()[1..]);
            bytes.extend([0x55; 9]);
            let start = 40 * 8 + shift;
            assert_eq!(take(&bytes, start, MARK), Some(mark), "{shift}");
            assert_eq!(next_mark(&bytes, 0), Some((start, mark)), "{shift}");
            assert_eq!(next_mark(&bytes, start), Some((start, mark)), "{shift}");
            assert_eq!(next_mark(&bytes, start + 1), None, "{shift}");
        }
    }

    #[test]
    fn blocks_unpack_on_their_own() {
        let text: Vec<u8> = (0..400_000_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761) >> 7).to_le_bytes()).collect();
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(1));
        encoder.write_all(&text).expect("memory can be written");
        let packed = Bytes::from(Arc::<[u8]>::from(encoder.finish().expect("memory can be written")));
        let mut blocks = Blocks::new(packed.clone());
        let mut found = Vec::new();
        let mut at = 32;
        while let Some(Part { start, work: Work::Ahead { unpack, .. } }) = blocks.next_part() {
            assert_eq!(start, at);
            let unpacked = unpack();
            assert!(unpacked.rest.is_none());
            blocks.read(&unpacked).expect("the sums are right");
            found.extend(unpacked.text);
            at = unpacked.end;
        }
        assert_eq!(at, bits(&packed));
        assert!(found == text);
    }
}
