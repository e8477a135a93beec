//! Streams of xz, and their blocks, found from the indexes at the ends of the streams (.xz file
//! format 1.2.1, sections 2 to 4).

use std::{
    io::{self, BufRead, Read},
    ops::Range,
    sync::Arc,
};

use flate2::Crc;
use liblzma::{
    bufread::XzDecoder,
    stream::{Error, Stream as Decoding},
};
use rayon::ThreadPool;

use super::{
    Bytes, BytesReader, Failing, FixedStep, MAX_WINDOW, TooMuchMemory,
    fixed_step::{AfterText, FixedInput},
    parts::{LARGEST, Part, Parts, Split, Unpacked, Work},
};

/// Maximum length of the state of a decoder in bytes, without its dictionary.
const STATE: u64 = 1 << 20;

/// Maximum dictionary of blocks that are decompressed ahead, in bytes. `xz -6`, the default, needs
/// this much.
const MAX_DICTIONARY_AHEAD: usize = 8 << 20;

/// Reads a stream.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(FixedStep::new(decoder(packed, true, false)))
}

/// Reads streams one after the other, but not in steps of constant size. `is_first` is whether the
/// archive begins with the first one, and `has_text` whether text of it was read before.
fn decoder(packed: impl Read + Send + 'static, is_first: bool, has_text: bool) -> Box<dyn Read + Send> {
    match new_decoder(FixedInput::new(packed)) {
        Ok(decoder) => Box::new(Decoder { decoder: Some(decoder), is_first, has_text, failure: None }),
        Err(error) => Box::new(Failing(Some(error))),
    }
}

/// A decoder of one stream.
fn new_decoder<R: BufRead>(packed: R) -> io::Result<XzDecoder<R>> {
    Ok(XzDecoder::new_stream(packed, Decoding::new_stream_decoder(MAX_WINDOW + STATE, 0)?))
}

/// How each stream begins.
const MAGIC: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];

/// A decoder that loses nothing: what it wrote before an error is read first.
struct Decoder<R> {
    /// The decoder of the current stream; `None` after the last one, and after an error.
    decoder: Option<XzDecoder<R>>,
    is_first: bool,
    /// Whether text of the current stream was read.
    has_text: bool,
    failure: Option<io::Error>,
}

impl<R: BufRead> Decoder<R> {
    /// Goes on to the next stream. Between streams is padding: zeros, a multiple of four.
    fn next_stream(&mut self) -> io::Result<()> {
        let Some(mut packed) = self.decoder.take().map(XzDecoder::into_inner) else { return Ok(()) };
        let mut padding = 0;
        loop {
            let bytes = packed.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let (is_end, is_magic) = (bytes.is_empty(), bytes[zeros..].iter().zip(&MAGIC).all(|(byte, magic)| byte == magic));
            let has_more = zeros < bytes.len();
            padding = (padding + zeros) % 4;
            packed.consume(zeros);
            if is_end && padding == 0 {
                return Ok(());
            }
            if is_end || (has_more && (padding != 0 || !is_magic)) {
                return Err(AfterText("the data that follows is not xz".to_owned()).into());
            }
            if has_more {
                break;
            }
        }
        self.decoder = Some(new_decoder(packed)?);
        (self.is_first, self.has_text) = (false, false);
        Ok(())
    }

    /// The error that is reported. If it is in a stream without text, all text before it is whole.
    fn described(&self, error: io::Error) -> io::Error {
        match error.get_ref().and_then(|source| source.downcast_ref()) {
            Some(Error::MemLimit) => TooMuchMemory { command: "xz -d" }.into(),
            Some(_) if !self.is_first && !self.has_text => AfterText(error.to_string()).into(),
            _ => error,
        }
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        while let Some(decoder) = self.decoder.as_mut().filter(|_| !into.is_empty()) {
            let before = decoder.total_out();
            let read = decoder.read(into);
            let written = usize::try_from(decoder.total_out() - before).unwrap_or(usize::MAX);
            self.has_text |= written > 0;
            match read {
                Ok(0) => self.next_stream()?,
                Ok(read) => return Ok(read),
                // The caller may try again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => {
                    let error = self.described(error);
                    self.decoder = None;
                    if written == 0 {
                        return Err(error);
                    }
                    self.failure = Some(error);
                    return Ok(written);
                }
            }
        }
        Ok(0)
    }
}

/// Reads an archive. Its blocks are decompressed in parallel if there are several, and their places
/// are known.
pub(super) fn archive(packed: Bytes, pool: Arc<ThreadPool>) -> Box<dyn Read + Send> {
    // A single thread of the pool has enough to do with the text.
    let blocks = if pool.current_num_threads() > 1 { Blocks::of(&packed) } else { None };
    match blocks {
        Some(blocks) => Box::new(FixedStep::new(Parts::new(blocks, pool))),
        None => stream(BytesReader::of(&packed)),
    }
}

/// The length of the header of a stream, and of its footer.
const HEADER: usize = 12;

/// Minimum length of a block, without padding.
const SHORTEST_BLOCK: u64 = 5;

/// Maximum length of all indexes of an archive that is not read as a stream. They are kept in
/// memory. The index of 1 TB of text in blocks of 24 MiB takes about 0.3 MB.
const MAX_INDEXES: usize = 1 << 20;

/// Number of decompressed bytes of short blocks that a thread decompresses at once, and maximum
/// number of these blocks.
const GROUP: u64 = 4 << 20;
const MAX_BLOCKS: u64 = 1024;

/// A stream by its index.
#[derive(Debug)]
struct StreamIndex {
    /// The start of the stream.
    start: usize,
    /// The end of its last block.
    blocks_end: usize,
    /// The end of the stream.
    end: usize,
    header: [u8; HEADER],
    /// Number of blocks.
    count: u64,
    /// Their records in the index. They are copied, because others may change the file.
    records: Vec<u8>,
}

impl StreamIndex {
    /// The stream that ends at `end`. `None` if it is damaged there, or if it has a long block.
    fn before(packed: &[u8], end: usize) -> Option<StreamIndex> {
        let footer_start = end.checked_sub(HEADER)?;
        let footer @ [_, _, _, _, size @ .., _, _, b'Y', b'Z'] = packed.get(footer_start..end)? else { return None };
        let index_size = (u32::from_le_bytes(size.try_into().ok()?) as usize).checked_add(1)?.checked_mul(4)?;
        let blocks_end = footer_start.checked_sub(index_size).filter(|_| index_size <= MAX_INDEXES)?;
        let index = packed.get(blocks_end..footer_start)?.to_vec();
        let (index, index_sum) = index.split_at_checked(index_size.checked_sub(4)?)?;
        if footer[..4] != sum(&footer[4..10]) || index_sum != sum(index) {
            return None;
        }
        let (0, mut rest) = index.split_first()? else { return None };
        let count = number(&mut rest)?;
        let (all, mut length) = (rest, 0_u64);
        for _ in 0..count {
            let is_known = |block: &Block| block.stored >= SHORTEST_BLOCK && block.length <= LARGEST as u64;
            let block = Block::next(&mut rest).filter(is_known)?;
            length = length.checked_add(block.padded()?)?;
        }
        if rest.len() > 3 || rest.iter().any(|byte| *byte != 0) {
            return None;
        }
        let records = all[..all.len() - rest.len()].to_vec();
        let start = blocks_end.checked_sub(usize::try_from(length).ok()?)?.checked_sub(HEADER)?;
        let header: [u8; HEADER] = packed.get(start..start + HEADER)?.try_into().ok()?;
        let [0xFD, b'7', b'z', b'X', b'Z', 0, flags @ .., _, _, _, _] = &header else { return None };
        let is_header = matches!(flags, [0, ..0x10]) && header[8..] == sum(flags) && flags == &footer[8..10];
        is_header.then_some(StreamIndex { start, blocks_end, end, header, count, records })
    }

    /// The index and the footer of a stream with only some of the blocks: `count` ones with these
    /// records.
    fn end_of_stream(&self, count: u64, records: &[u8]) -> Vec<u8> {
        let flags = &self.header[6..8];
        let mut end = vec![0];
        push_number(&mut end, count);
        end.extend(records);
        end.resize(end.len().next_multiple_of(4), 0);
        let size = ((end.len() / 4) as u32).to_le_bytes();
        end.extend(sum(&end));
        let footer = [&size, flags].concat();
        end.extend(sum(&footer));
        end.extend(footer);
        end.extend(b"YZ");
        end
    }
}

/// A block by its record in the index.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Number of bytes in the archive, without the padding to a multiple of four.
    stored: u64,
    /// Number of decompressed bytes.
    length: u64,
}

impl Block {
    /// Reads a record.
    fn next(records: &mut &[u8]) -> Option<Block> {
        Some(Block { stored: number(records)?, length: number(records)? })
    }

    /// Number of bytes in the archive.
    const fn padded(self) -> Option<u64> {
        self.stored.checked_next_multiple_of(4)
    }
}

/// Reads a number of seven bits per byte, the lowest first, in as few bytes as possible.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for place in 0..9 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return (*byte != 0 || place == 0).then_some(number);
        }
    }
    None
}

/// Appends such a number.
fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The checksum of some bytes.
fn sum(bytes: &[u8]) -> [u8; 4] {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum().to_le_bytes()
}

/// The blocks of an archive.
#[derive(Debug)]
struct Blocks {
    packed: Bytes,
    /// The current stream and those after it, the last one first.
    streams: Vec<Arc<StreamIndex>>,
    /// The next block of the current stream: its start, its record, and the number of blocks before
    /// it.
    at: usize,
    record: usize,
    passed: u64,
}

impl Blocks {
    /// The blocks of an archive. `None` if there is only one, if one is long, if the indexes are
    /// long, or if the index of a stream is damaged or missing.
    fn of(packed: &Bytes) -> Option<Blocks> {
        let (mut streams, mut end, mut count, mut kept) = (Vec::new(), packed.len(), 0_u64, 0);
        while end > 0 {
            while packed[..end].ends_with(&[0; 4]) {
                end -= 4;
            }
            let stream = StreamIndex::before(packed, end)?;
            end = stream.start;
            count = count.saturating_add(stream.count);
            kept += stream.records.len() + size_of::<StreamIndex>();
            if kept > MAX_INDEXES {
                return None;
            }
            streams.push(Arc::new(stream));
        }
        (count > 1).then(|| Blocks { packed: packed.clone(), streams, at: HEADER, record: 0, passed: 0 })
    }
}

/// Blocks of one stream that follow each other.
#[derive(Debug)]
struct Group {
    stream: Arc<StreamIndex>,
    place: Range<usize>,
    /// Their records.
    records: Range<usize>,
    /// The number of blocks before them, and their number.
    before: u64,
    count: u64,
    /// Number of decompressed bytes.
    length: u64,
}

impl Iterator for Blocks {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        while self.streams.last()?.records.len() == self.record {
            self.streams.pop();
            (self.at, self.record, self.passed) = (self.streams.last()?.start + HEADER, 0, 0);
        }
        let stream = Arc::clone(self.streams.last()?);
        let (start, record, before, mut length) = (self.at, self.record, self.passed, 0);
        let mut records = &stream.records[record..];
        while let Some(block) = Block::next(&mut records)
            && (self.passed == before || length + block.length <= GROUP && self.passed - before < MAX_BLOCKS)
        {
            self.record = stream.records.len() - records.len();
            self.at += usize::try_from(block.padded()?).ok()?;
            self.passed += 1;
            length += block.length;
        }
        Some(Group { stream, place: start..self.at, records: record..self.record, before, count: self.passed - before, length })
    }
}

impl Split for Blocks {
    fn next_part(&mut self) -> Option<Part> {
        let group = self.next()?;
        // The length of a block is limited.
        let most = usize::try_from(group.length).unwrap_or(LARGEST) + MAX_DICTIONARY_AHEAD;
        let (start, packed) = (group.place.start as u64, self.packed.clone());
        Some(Part { start, work: Work::Ahead { most, unpack: Box::new(move || group.unpack(&packed)) } })
    }
}

impl Group {
    /// Decompresses the blocks. If one is damaged or needs more memory, or is not what the index
    /// says, a stream reads all that follows.
    fn unpack(self, packed: &Bytes) -> Unpacked {
        let end = self.place.end as u64;
        match self.unpack_all(&packed[self.place.clone()]) {
            Some(text) => {
                packed.release(self.place);
                Unpacked { text, rest: None, end, sums: None, is_last: false }
            }
            None => Unpacked::last(self.stream_from_here(packed)),
        }
    }

    /// Decompresses the blocks as a stream of their own, with an index for them, which the decoder
    /// compares with what it read.
    fn unpack_all(&self, blocks: &[u8]) -> Option<Vec<u8>> {
        let end = self.stream.end_of_stream(self.count, &self.stream.records[self.records.clone()]);
        let length = self.stream.header.len() + blocks.len() + end.len();
        let packed = self.stream.header.chain(blocks).chain(&end[..]);
        let decoding = Decoding::new_stream_decoder(MAX_DICTIONARY_AHEAD as u64 + STATE, 0).ok()?;
        let mut decoder = XzDecoder::new_stream(packed, decoding);
        let mut text = Vec::with_capacity(usize::try_from(self.length).ok()?);
        decoder.by_ref().take(self.length + 1).read_to_end(&mut text).ok()?;
        // Blocks may contain what looks like the end of the stream.
        (text.len() as u64 == self.length && decoder.total_in() == length as u64).then_some(text)
    }

    /// Reads all blocks from the first one of these on, with an index for them, and the streams
    /// after them.
    fn stream_from_here(&self, packed: &Bytes) -> Box<dyn Read + Send> {
        let stream = &*self.stream;
        let end = stream.end_of_stream(stream.count - self.before, &stream.records[self.records.start..]);
        let blocks = BytesReader::new(packed, self.place.start..stream.blocks_end);
        let after = BytesReader::new(packed, stream.end..packed.len());
        let packed = io::Cursor::new(stream.header).chain(blocks).chain(io::Cursor::new(end)).chain(after);
        decoder(packed, stream.start == 0, self.before > 0)
    }
}

#[cfg(test)]
mod tests {
    use liblzma::stream::{Action, Check, Filters, LzmaOptions};
    use rayon::ThreadPoolBuilder;

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// A stream with blocks of these texts, and a dictionary of this length.
    fn stream_with(dictionary: u32, texts: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
        let mut filters = Filters::new();
        filters.lzma2(LzmaOptions::new_preset(0)?.dict_size(dictionary));
        let mut encoding = Decoding::new_stream_encoder(&filters, Check::Crc32)?;
        let mut packed = Vec::with_capacity(1 << 20);
        for text in texts {
            encoding.process_vec(text, &mut packed, Action::FullFlush)?;
        }
        encoding.process_vec(&[], &mut packed, Action::Finish)?;
        Ok(packed)
    }

    fn stream_of(texts: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
        stream_with(1 << 16, texts)
    }

    /// Texts of these lengths.
    fn texts(lengths: &[usize]) -> Vec<Vec<u8>> {
        let text = |(letter, length): (u8, &usize)| [vec![letter; length - 1], b"\n".to_vec()].concat();
        (b'a'..).zip(lengths).map(text).collect()
    }

    /// Blocks that are decompressed one by one, and shorter ones that are decompressed together.
    /// Many end where a step ends.
    const LENGTHS: [usize; 6] = [5 << 20, 3 << 20, 1000, 77_777, 3 << 20, 4097];

    fn bytes(packed: &[u8]) -> Bytes {
        Bytes::from(Arc::<[u8]>::from(packed))
    }

    /// The length of the text, its checksum, and the error after it.
    fn outcome(mut reader: Box<dyn Read + Send>) -> (usize, [u8; 4], Option<String>) {
        let mut text = Vec::new();
        let error = reader.read_to_end(&mut text).err().map(|error| error.to_string());
        (text.len(), sum(&text), error)
    }

    fn outcome_of_stream(packed: &[u8]) -> (usize, [u8; 4], Option<String>) {
        outcome(stream(io::Cursor::new(packed.to_vec())))
    }

    fn pool(threads: usize) -> Arc<ThreadPool> {
        Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had"))
    }

    fn groups(packed: &[u8]) -> Option<Vec<Group>> {
        Blocks::of(&bytes(packed)).map(Iterator::collect)
    }

    /// The places, records and texts of the blocks of a stream.
    fn blocks(stream: &[u8]) -> Option<(Arc<StreamIndex>, Vec<Block>)> {
        let index = groups(stream)?.first()?.stream.clone();
        let mut records = &index.records[..];
        let blocks = std::iter::from_fn(|| Block::next(&mut records)).collect();
        Some((index, blocks))
    }

    /// An index and a footer for these blocks.
    fn index_of(like: &StreamIndex, blocks: &[Block]) -> Vec<u8> {
        let mut records = Vec::new();
        for block in blocks {
            push_number(&mut records, block.stored);
            push_number(&mut records, block.length);
        }
        like.end_of_stream(blocks.len() as u64, &records)
    }

    #[test]
    fn blocks_are_read_like_a_stream_however_damaged() -> Outcome {
        let (all, pool) = (texts(&LENGTHS), pool(3));
        let (first, second) = (stream_of(&all)?, stream_of(&all[1..3])?);
        let intact = [&first[..], &[0; 8], &stream_of(&[])?, &second].concat();
        let groups = groups(&intact).ok_or("no blocks")?;
        assert_eq!(groups.iter().map(|group| group.count).collect::<Vec<_>>(), [1, 3, 2, 2]);
        let expected = outcome(Box::new(io::Cursor::new([all.concat(), all[1..3].concat()].concat())));
        assert_eq!(outcome(archive(bytes(&intact), pool.clone())), expected);
        let starts = groups.iter().flat_map(|group| [0, 1, 2, 5, 11].map(|byte| group.place.start + byte));
        let mut late = 0;
        for place in starts.chain((0..intact.len()).step_by(intact.len() / 25)) {
            let mut damaged = intact.clone();
            damaged[place] ^= 0x55;
            for packed in [&damaged[..], &intact[..place]] {
                let stream = outcome_of_stream(packed);
                late += usize::from(stream.2.is_some() && stream.0 > 0 && Blocks::of(&bytes(packed)).is_some());
                assert_eq!(outcome(archive(bytes(packed), pool.clone())), stream, "{place}");
            }
        }
        assert!(late > 20, "{late} archives with damage in a later block");
        Ok(())
    }

    #[test]
    fn what_follows_the_last_stream_does_not_harm_its_text() -> Outcome {
        let (all, pool) = (texts(&LENGTHS), pool(3));
        let packed = [stream_of(&all)?, vec![0; 4], stream_of(&all[3..5])?].concat();
        let expected = outcome(archive(bytes(&packed), pool.clone()));
        let text = all.concat().len() + all[3..5].concat().len();
        assert_eq!((expected.0, &expected.2), (text, &None));
        assert_ne!(text % 4096, 0);
        // Other data, padding of a wrong length, and the start of a stream that is damaged.
        let damaged = [&MAGIC[..], b"not a header"].concat();
        for after in [&b"x"[..], b"other data, longer than a header", &[0; 3], &[0, 0, 0, 0, 1], &damaged, &damaged[..3]] {
            let packed = [&packed[..], after].concat();
            for read in [outcome_of_stream(&packed), outcome(archive(bytes(&packed), pool.clone()))] {
                assert_eq!((read.0, read.1), (expected.0, expected.1), "{after:?}");
                assert!(read.2.is_some(), "{after:?}");
            }
        }
        Ok(())
    }

    #[test]
    fn an_index_that_is_wrong_is_an_error() -> Outcome {
        let (all, pool) = (texts(&LENGTHS), pool(3));
        let packed = stream_of(&all)?;
        let (index, blocks) = blocks(&packed).ok_or("no blocks")?;
        assert_eq!(blocks.iter().map(|block| block.length as usize).collect::<Vec<_>>(), LENGTHS);
        assert!([&packed[..index.blocks_end], &index_of(&index, &blocks)].concat() == packed);
        let changes: [fn(&mut Vec<Block>); 7] = [
            |blocks| blocks[0].length += 1,
            |blocks| blocks[4].length -= 1,
            |blocks| blocks.swap(1, 2),
            |blocks| (blocks[0].stored, blocks[1].stored) = (blocks[0].stored + 4, blocks[1].stored - 4),
            |blocks| blocks.push(Block { stored: 0, length: 0 }),
            |blocks| blocks[5].length = u64::MAX >> 1,
            |blocks| blocks[5].stored = u64::MAX >> 1,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut wrong = blocks.clone();
            change(&mut wrong);
            let packed = [&packed[..index.blocks_end], &index_of(&index, &wrong)].concat();
            let stream = outcome_of_stream(&packed);
            assert!(stream.2.is_some(), "{number}");
            assert_eq!(outcome(archive(bytes(&packed), pool.clone())), stream, "{number}");
        }
        // A second block without text that is the end of the stream, and another stream.
        let (short, hidden) = (stream_of(&all[2..4])?, stream_of(&all[3..4])?);
        let (index, mut both) = self::blocks(&short).ok_or("no blocks")?;
        let inner = [index_of(&index, &both), hidden].concat();
        both.push(Block { stored: inner.len() as u64, length: 0 });
        let packed = [&short[..index.blocks_end], &inner, &index_of(&index, &both)].concat();
        let stream = outcome_of_stream(&packed);
        assert!(stream.2.is_some() && groups(&packed).is_some_and(|groups| groups.len() == 1));
        assert_eq!(outcome(archive(bytes(&packed), pool)), stream);
        Ok(())
    }

    #[test]
    fn blocks_may_need_more_memory_than_others() -> Outcome {
        let all = texts(&LENGTHS);
        let (small, large) = (stream_of(&all)?, stream_with(32 << 20, &all[..2])?);
        let ((first, mut records), (second, more)) = (blocks(&small).ok_or("none")?, blocks(&large).ok_or("none")?);
        records.extend(more);
        let stored = [&small[..first.blocks_end], &large[HEADER..second.blocks_end]].concat();
        let packed = [&stored[..], &index_of(&first, &records), &small].concat();
        let stream = outcome_of_stream(&packed);
        assert_eq!((stream.0, &stream.2), (all.concat().len() * 2 + (8 << 20), &None));
        assert_eq!(outcome(archive(bytes(&packed), pool(2))), stream);
        Ok(())
    }

    #[test]
    fn a_group_has_a_limited_number_of_blocks() -> Outcome {
        let packed = stream_of(&vec![b"1. e4 *\n".to_vec(); 3000])?;
        let counts: Vec<_> = groups(&packed).ok_or("no blocks")?.iter().map(|group| group.count).collect();
        assert_eq!(counts, [1024, 1024, 952]);
        assert_eq!(outcome(archive(bytes(&packed), pool(2))), outcome_of_stream(&packed));
        Ok(())
    }

    #[test]
    fn what_cannot_be_split_is_read_as_a_stream() -> Outcome {
        let all = texts(&LENGTHS);
        let two = stream_of(&all[1..3])?;
        assert!(Blocks::of(&bytes(&two)).is_some());
        // One block, a long one, padding of a wrong length, nothing.
        let long = stream_of(&[vec![b'x'; LARGEST + 1], vec![b'x']])?;
        let wrong = [[&two[..], &[0; 3]].concat(), [&[0; 4], &two[..]].concat()];
        for packed in [stream_of(&all[..1])?, long, Vec::new()].iter().chain(&wrong) {
            assert!(Blocks::of(&bytes(packed)).is_none(), "{} bytes", packed.len());
        }
        assert_eq!(outcome(archive(bytes(&two), pool(1))), outcome(archive(bytes(&two), pool(2))));
        Ok(())
    }
}
