//! Blocks of bzip2. They can start at any bit and do not contain their length, but each starts with
//! the same 48 bits and can be decompressed on its own.

use std::{
    io::{self, Cursor, Read},
    sync::{Arc, LazyLock},
};

use aho_corasick::packed;
use bzip2::bufread::BzDecoder;

use super::{
    Bytes, Failing,
    parts::{LARGEST, Part, RangeWatch, Split, SumState, Sums, Unpacked, Work},
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

/// Number of bytes from the start of a block on that decide how it is read: the block, the mark
/// after it, and the checksum of the stream.
const WINDOW: usize = (MAX_BLOCK_BITS / 8) as usize + 32;

/// Maximum length of a stream without blocks in bytes.
const EMPTY_STREAM: usize = 16;

/// Usual maximum length of a decompressed block in bytes.
const USUAL: usize = 1 << 20;

/// The blocks of an archive. Places are in bits.
pub(super) struct Blocks {
    packed: Bytes,
    /// The start, or the possible start, of the next block.
    at: Option<u64>,
    /// The error instead of the first block.
    failure: Option<io::Error>,
    sum: Sum,
}

impl Blocks {
    pub fn new(packed: Bytes) -> Blocks {
        let (at, failure) = match header_then_block(&packed, 0) {
            Ok(at) => (at, None),
            Err(error) => (None, Some(error)),
        };
        Blocks { packed, at, failure, sum: Sum::default() }
    }

    /// The blocks from bit `at` on, where one begins. `sum` is the checksum of the stream before
    /// it.
    pub fn from(packed: Bytes, at: u64, sum: SumState, watch: RangeWatch) -> Blocks {
        Blocks { packed, at: Some(at), failure: None, sum: Sum { state: sum, watch: Some(watch) } }
    }
}

impl Split for Blocks {
    fn next_part(&mut self) -> Option<Part> {
        let Some(start) = self.at else {
            let reader = Box::new(Failing(Some(self.failure.take()?)));
            return Some(Part { start: 0, work: Work::InTurn { most: 0, reader, end: bits(&self.packed) } });
        };
        let mut from = start;
        self.at = loop {
            match next_mark(&self.packed, from + 1) {
                Some((at, BLOCK)) => break Some(at),
                Some((at, _)) => from = at,
                None => break None,
            }
        };
        let packed = self.packed.clone();
        let unpack = move || {
            let unpacked = unpack(&packed, start);
            let byte = |bit: u64| usize::try_from(bit / 8).unwrap_or(usize::MAX);
            packed.release(byte(start)..byte(unpacked.end));
            unpacked
        };
        Some(Part { start, work: Work::Ahead { most: USUAL, unpack: Box::new(unpack) } })
    }

    fn sum(&self) -> SumState {
        self.sum.state
    }

    fn read(&mut self, unpacked: &Unpacked) -> io::Result<()> {
        unpacked.sums.map_or(Ok(()), |sums| self.sum.add(sums))
    }
}

/// The checksum of the current stream so far.
#[derive(Default)]
struct Sum {
    state: SumState,
    /// Told what the checksum should be, if the blocks before the range are unknown.
    watch: Option<RangeWatch>,
}

impl Sum {
    /// Adds the checksum of a block, and verifies that of the stream after its last block.
    fn add(&mut self, sums: Sums) -> io::Result<()> {
        self.state = SumState { blocks: Some(1), sum: sums.own }.after(self.state);
        let Some(all) = sums.all else { return Ok(()) };
        let stream = std::mem::take(&mut self.state);
        match (&self.watch, stream.blocks) {
            (Some(watch), Some(_)) => watch.note(|seen| seen.stream_end = Some((stream, all))),
            _ if stream.sum != all => return Err(damaged("blocks are missing, or the checksum of the stream is wrong")),
            _ => {}
        }
        Ok(())
    }
}

/// Reads the blocks of a stream in order. The result is that of [`Blocks`] for the same bytes, even
/// if they are damaged.
pub(super) struct BlockReader<R> {
    source: R,
    /// The bytes of the archive around and after `at`.
    window: Vec<u8>,
    /// The next block or stream header, in bits of the window.
    at: u64,
    next: Next,
    sum: Sum,
    source_ended: bool,
    /// The error after the bytes in the window.
    source_failure: Option<io::Error>,
    text: Box<dyn Read + Send>,
}

/// What follows a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Block,
    /// The header of a stream, or the end of the archive.
    Header,
    /// Nothing: the archive is truncated in the checksum of the stream.
    Truncated,
    /// Nothing: the archive ended, or an error was reported.
    Ended,
}

impl<R: Read> BlockReader<R> {
    pub fn new(source: R) -> BlockReader<R> {
        BlockReader {
            source,
            window: Vec::new(),
            at: 0,
            next: Next::Header,
            sum: Sum::default(),
            source_ended: false,
            source_failure: None,
            text: Box::new(io::empty()),
        }
    }

    /// Reads until there are `wanted` bytes after `at`, or the source ends.
    fn fill(&mut self, wanted: usize) {
        let passed = usize::try_from(self.at / 8).unwrap_or(usize::MAX).min(self.window.len());
        let missing = wanted.saturating_sub(self.window.len() - passed);
        if self.source_ended || missing == 0 {
            return;
        }
        self.window.drain(..passed);
        self.at -= passed as u64 * 8;
        self.window.reserve_exact(missing);
        match self.source.by_ref().take(missing as u64).read_to_end(&mut self.window) {
            Ok(read) => self.source_ended = read < missing,
            Err(error) => (self.source_ended, self.source_failure) = (true, Some(error)),
        }
    }

    /// Moves to the text of the next block. Returns whether there may be more.
    fn advance(&mut self) -> io::Result<bool> {
        match self.next {
            Next::Header => {
                self.fill(EMPTY_STREAM);
                match header(&self.window, self.at)? {
                    Header::Block(at) => (self.at, self.next) = (at, Next::Block),
                    Header::Empty(end) => self.at = end,
                    Header::End if self.source_failure.is_some() => return Err(io::ErrorKind::UnexpectedEof.into()),
                    Header::End => self.next = Next::Ended,
                }
            }
            Next::Block => {
                self.fill(WINDOW);
                let block = unpack_block(&self.window, self.at)?;
                self.sum.add(block.sums)?;
                (self.at, self.next, self.text) = (block.end, block.next, Box::new(Cursor::new(block.text).chain(block.rest)));
            }
            Next::Truncated => return Err(io::ErrorKind::UnexpectedEof.into()),
            Next::Ended => return Ok(false),
        }
        Ok(true)
    }
}

impl<R: Read> Read for BlockReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(error) => {
                    self.next = Next::Ended;
                    self.text = Box::new(io::empty());
                    // The archive does not end here: its source could not be read.
                    let failure = self.source_failure.take_if(|_| error.kind() == io::ErrorKind::UnexpectedEof);
                    return Err(failure.unwrap_or(error));
                }
            }
        }
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

/// The first mark of a block at or after the byte `from`, in bits. It is almost certainly a block.
pub(super) fn block_from(packed: &[u8], from: usize) -> Option<u64> {
    let mut from = from as u64 * 8;
    loop {
        match next_mark(packed, from)? {
            (at, BLOCK) => return Some(at),
            (at, _) => from = at + 1,
        }
    }
}

/// What a stream header starts.
enum Header {
    /// A stream whose first block is here.
    Block(u64),
    /// A stream without blocks that ends here.
    Empty(u64),
    /// Nothing: the archive ends.
    End,
}

/// Reads the stream header at bit `at`.
fn header(packed: &[u8], at: u64) -> io::Result<Header> {
    if at >= bits(packed) {
        return Ok(Header::End);
    }
    match take(packed, at, 32) {
        Some(header) if header >> 8 == 0x42_5A68 && (0x31..=0x39).contains(&(header & 0xFF)) => {}
        Some(_) => return Err(damaged("the data that follows is not bzip2")),
        None => return Err(io::ErrorKind::UnexpectedEof.into()),
    }
    let at = at + 32;
    match take(packed, at, MARK) {
        Some(BLOCK) => return Ok(Header::Block(at)),
        Some(END) => {}
        Some(_) => return Err(damaged("there is neither a block nor the end of the stream")),
        None => return Err(io::ErrorKind::UnexpectedEof.into()),
    }
    if take(packed, at + MARK, 32).ok_or(io::ErrorKind::UnexpectedEof)? != 0 {
        return Err(damaged("the checksum of an empty stream is not 0"));
    }
    Ok(Header::Empty((at + MARK + 32).next_multiple_of(8)))
}

/// Finds the first block after the stream header at bit `at`. Streams without blocks are skipped.
/// Returns `None` at the end of the archive.
fn header_then_block(packed: &[u8], mut at: u64) -> io::Result<Option<u64>> {
    loop {
        match header(packed, at)? {
            Header::Block(at) => return Ok(Some(at)),
            Header::Empty(end) => at = end,
            Header::End => return Ok(None),
        }
    }
}

/// A decompressed block, with the right checksum.
struct Block {
    text: Vec<u8>,
    /// The text after the first [`LARGEST`] bytes.
    rest: Box<dyn Read + Send>,
    sums: Sums,
    /// The end of the block, or of the stream if it is the last block.
    end: u64,
    next: Next,
}

/// Decompresses the block at bit `start` as a part of an archive.
fn unpack(packed: &[u8], start: u64) -> Unpacked {
    let failing = |error| Box::new(Failing(Some(error))) as Box<dyn Read + Send>;
    let block = match unpack_block(packed, start) {
        Ok(block) => block,
        Err(error) => return Unpacked::last(failing(error)),
    };
    let next = match block.next {
        Next::Block => Ok(Some(block.end)),
        Next::Header => header_then_block(packed, block.end),
        Next::Truncated | Next::Ended => Err(io::ErrorKind::UnexpectedEof.into()),
    };
    let (end, after, is_last): (u64, Box<dyn Read + Send>, bool) = match next {
        Ok(Some(next)) => (next, Box::new(io::empty()), false),
        Ok(None) => (bits(packed), Box::new(io::empty()), true),
        Err(error) => (bits(packed), failing(error), true),
    };
    Unpacked { text: block.text, rest: Some(Box::new(block.rest.chain(after))), end, sums: Some(block.sums), is_last }
}

/// Decompresses the block at bit `start`. If its checksum is wrong, none of its bytes can be
/// trusted. So all of them are decompressed before the first one is passed on.
fn unpack_block(packed: &[u8], start: u64) -> io::Result<Block> {
    // The bytes that a stream has in its window, so that the result is the same.
    let first = usize::try_from(start / 8).unwrap_or(usize::MAX);
    let packed = packed.get(..first.saturating_add(WINDOW)).unwrap_or(packed);
    let own = take(packed, start + MARK, 32).and_then(|sum| u32::try_from(sum).ok()).ok_or(io::ErrorKind::UnexpectedEof)?;
    let mut from = start;
    let mut failure = None;
    // A mark can occur in a block by chance. The block ends at the first mark with which it
    // decompresses.
    for _ in 0..MAX_TRIED {
        let Some((end, mark)) = next_mark(packed, from + 1).filter(|(end, _)| end - start <= MAX_BLOCK_BITS) else { break };
        from = end;
        let alone: Arc<[u8]> = alone(packed, start, end, own).into();
        let decoder = || BzDecoder::new(Cursor::new(Arc::clone(&alone)));
        let mut decoding = decoder();
        let mut text = Vec::with_capacity(USUAL);
        let is_long = match decoding.by_ref().take(LARGEST as u64).read_to_end(&mut text) {
            // A long text is decompressed twice, because its checksum comes last.
            Ok(LARGEST) => io::copy(&mut decoder(), &mut io::sink()).map(|_| true),
            Ok(_) => Ok(false),
            Err(error) => Err(error),
        };
        let rest: Box<dyn Read + Send> = match is_long {
            Ok(true) => Box::new(decoding),
            Ok(false) => Box::new(io::empty()),
            Err(error) => {
                failure.get_or_insert(error);
                continue;
            }
        };
        let all = take(packed, end + MARK, 32).and_then(|all| u32::try_from(all).ok()).filter(|_| mark == END);
        let (end, next) = match (mark, all) {
            (BLOCK, _) => (end, Next::Block),
            (_, Some(_)) => ((end + MARK + 32).next_multiple_of(8), Next::Header),
            (_, None) => (end, Next::Truncated),
        };
        return Ok(Block { text, rest, sums: Sums { own, all }, end, next });
    }
    Err(failure.unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into()))
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
            blocks.read(&unpacked).expect("the sums are right");
            found.extend(unpacked.text);
            at = unpacked.end;
        }
        assert_eq!(at, bits(&packed));
        assert!(found == text);
        let mut streamed = Vec::new();
        BlockReader::new(&*packed).read_to_end(&mut streamed).expect("the sums are right");
        assert!(streamed == text);
    }
}
