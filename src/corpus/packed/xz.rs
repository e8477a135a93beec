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
    stream::{CONCATENATED, Error, Stream as Decoding},
};
use rayon::ThreadPool;

use super::{
    Bytes, BytesReader, Failing, FixedStep, MAX_WINDOW, TooMuchMemory,
    fixed_step::FixedInput,
    parts::{LARGEST, Part, Parts, Split, Unpacked, Work},
};

/// Maximum length of the state of a decoder in bytes, without its dictionary.
const STATE: u64 = 1 << 20;

/// Maximum dictionary of blocks that are decompressed ahead, in bytes. `xz -6`, the default, needs this much.
const MAX_DICTIONARY_AHEAD: usize = 8 << 20;

/// Reads a stream.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(FixedStep::new(decoder(packed)))
}

/// Reads a stream, but not in steps of constant size.
fn decoder(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    match Decoding::new_stream_decoder(MAX_WINDOW + STATE, CONCATENATED) {
        Ok(decoding) => Box::new(Decoder(XzDecoder::new_stream(FixedInput::new(packed), decoding))),
        Err(error) => Box::new(Failing(Some(error.into()))),
    }
}

struct Decoder<R>(XzDecoder<R>);

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|error| match error.get_ref().and_then(|source| source.downcast_ref()) {
            Some(Error::MemLimit) => TooMuchMemory { command: "xz -d" }.into(),
            _ => error,
        })
    }
}

/// Reads an archive. Its blocks are decompressed in parallel if there are several, and their places are known.
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

/// Maximum number of streams of an archive that is not read as one.
const MAX_STREAMS: usize = 1 << 16;

/// Number of decompressed bytes of short blocks that a thread decompresses at once.
const GROUP: usize = 4 << 20;

/// A stream in an archive.
#[derive(Debug)]
struct Stream {
    start: usize,
    /// The records of the blocks in its index that were not read yet.
    records: Range<usize>,
    /// Number of records.
    count: u64,
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
    /// Number of bytes in the archive.
    const fn padded(self) -> Option<u64> {
        self.stored.checked_next_multiple_of(4)
    }
}

impl Stream {
    /// The stream that ends at `end`. `None` if it is damaged there, or if it has a long block.
    fn before(packed: &[u8], end: usize) -> Option<Stream> {
        let footer_start = end.checked_sub(HEADER)?;
        let footer @ [_, _, _, _, size @ .., _, _, b'Y', b'Z'] = packed.get(footer_start..end)? else { return None };
        let index_size = (u32::from_le_bytes(size.try_into().ok()?) as usize).checked_add(1)?.checked_mul(4)?;
        let index_start = footer_start.checked_sub(index_size)?;
        let (index, index_sum) = packed[index_start..footer_start].split_at(index_size - 4);
        if footer[..4] != sum(&[&footer[4..10]]) || index_sum != sum(&[index]) {
            return None;
        }
        let (0, mut records) = index.split_first()? else { return None };
        let count = number(&mut records)?;
        let start_of_records = footer_start - 4 - records.len();
        let mut blocks = 0_u64;
        for _ in 0..count {
            let block = Block::next(&mut records).filter(|block| block.length <= LARGEST as u64)?;
            blocks = blocks.checked_add(block.padded()?)?;
        }
        if records.len() > 3 || records.iter().any(|byte| *byte != 0) {
            return None;
        }
        let start = index_start.checked_sub(usize::try_from(blocks).ok()?)?.checked_sub(HEADER)?;
        let [0xFD, b'7', b'z', b'X', b'Z', 0, flags @ .., _, _, _, _] = &packed[start..start + HEADER] else { return None };
        let is_header = matches!(flags, [0, ..0x10]) && packed[start + 8..start + HEADER] == sum(&[flags]);
        let records = start_of_records..footer_start - 4 - records.len();
        (is_header && flags == &footer[8..10]).then_some(Stream { start, records, count })
    }
}

impl Block {
    /// Reads a record.
    fn next(records: &mut &[u8]) -> Option<Block> {
        Some(Block { stored: number(records)?, length: number(records)? })
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
fn sum(parts: &[&[u8]]) -> [u8; 4] {
    let mut sum = Crc::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.sum().to_le_bytes()
}

/// The blocks of an archive.
#[derive(Debug)]
struct Blocks {
    packed: Bytes,
    /// The streams that were not read yet, the last one first.
    streams: Vec<Stream>,
    /// The start of the next block of the first of them.
    at: usize,
}

impl Blocks {
    /// The blocks of an archive. `None` if there is only one, if one is long, or if the index of a stream is damaged or missing.
    fn of(packed: &Bytes) -> Option<Blocks> {
        let (mut streams, mut end, mut count) = (Vec::new(), packed.len(), 0_u64);
        while end > 0 {
            while packed[..end].ends_with(&[0; 4]) {
                end -= 4;
            }
            let stream = Stream::before(packed, end).filter(|_| streams.len() < MAX_STREAMS)?;
            end = stream.start;
            count = count.saturating_add(stream.count);
            streams.push(stream);
        }
        (count > 1).then(|| Blocks { packed: packed.clone(), streams, at: HEADER })
    }
}

/// Blocks of one stream that follow each other.
struct Group {
    /// The start of their stream.
    stream: usize,
    place: Range<usize>,
    blocks: Vec<Block>,
    /// Number of decompressed bytes.
    length: usize,
}

impl Iterator for Blocks {
    type Item = Group;

    fn next(&mut self) -> Option<Group> {
        let stream = loop {
            let stream = self.streams.last_mut()?;
            if !stream.records.is_empty() {
                break stream;
            }
            self.streams.pop();
            self.at = self.streams.last()?.start + HEADER;
        };
        let start = self.at;
        let (mut blocks, mut length) = (Vec::new(), 0);
        let mut records = &self.packed[stream.records.clone()];
        while let Some(block) = Block::next(&mut records)
            && (blocks.is_empty() || length + block.length <= GROUP as u64)
        {
            stream.records.start = stream.records.end - records.len();
            // Both were added up before, without an overflow.
            self.at = self.at.saturating_add(block.padded().and_then(|padded| usize::try_from(padded).ok()).unwrap_or(0));
            length += block.length;
            blocks.push(block);
        }
        Some(Group { stream: stream.start, place: start..self.at, blocks, length: usize::try_from(length).unwrap_or(LARGEST) })
    }
}

impl Split for Blocks {
    fn next_part(&mut self) -> Option<Part> {
        let group = self.next()?;
        let (start, most, packed) = (group.place.start as u64, group.length + MAX_DICTIONARY_AHEAD, self.packed.clone());
        Some(Part { start, work: Work::Ahead { most, unpack: Box::new(move || group.unpack(&packed)) } })
    }
}

impl Group {
    /// Decompresses the blocks. If one is damaged, or not what the index says, a stream reads all that follows.
    fn unpack(self, packed: &Bytes) -> Unpacked {
        let header = &packed[self.stream..self.stream + HEADER];
        match self.unpack_all(header, &packed[self.place.clone()]) {
            Ok(text) => {
                let end = self.place.end as u64;
                packed.release(self.place);
                Unpacked { text, rest: None, end, sums: None, is_last: false }
            }
            Err(_) => {
                let header = io::Cursor::new(header.to_vec());
                Unpacked::last(decoder(header.chain(BytesReader::new(packed, self.place.start..packed.len()))))
            }
        }
    }

    /// Decompresses the blocks as a stream of their own, with an index for them, which the decoder compares with what it read.
    fn unpack_all(&self, header: &[u8], blocks: &[u8]) -> io::Result<Vec<u8>> {
        let end = self.end_of_stream(&header[6..8]);
        let packed = header.chain(blocks).chain(&end[..]);
        let decoding = Decoding::new_stream_decoder(MAX_DICTIONARY_AHEAD as u64 + STATE, 0)?;
        let mut text = Vec::with_capacity(self.length);
        XzDecoder::new_stream(packed, decoding).take(self.length as u64 + 1).read_to_end(&mut text)?;
        // If there is more, the index was not read.
        if text.len() == self.length { Ok(text) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    /// The index and the footer of a stream with these blocks only. `flags` are those of the stream.
    fn end_of_stream(&self, flags: &[u8]) -> Vec<u8> {
        let mut end = vec![0];
        push_number(&mut end, self.blocks.len() as u64);
        for block in &self.blocks {
            push_number(&mut end, block.stored);
            push_number(&mut end, block.length);
        }
        end.resize(end.len().next_multiple_of(4), 0);
        let size = ((end.len() / 4) as u32).to_le_bytes();
        end.extend(sum(&[&end]));
        end.extend(sum(&[&size, flags]));
        end.extend([&size, flags, b"YZ"].concat());
        end
    }
}

#[cfg(test)]
mod tests {
    use liblzma::stream::{Action, Check};
    use rayon::ThreadPoolBuilder;

    use super::*;

    /// A stream with blocks of these texts.
    fn stream_of(texts: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
        let mut encoding = Decoding::new_easy_encoder(0, Check::Crc32)?;
        let mut packed = Vec::with_capacity(1 << 20);
        for text in texts {
            encoding.process_vec(text, &mut packed, Action::FullFlush)?;
        }
        encoding.process_vec(&[], &mut packed, Action::Finish)?;
        Ok(packed)
    }

    /// Blocks that are decompressed one by one, and shorter ones that are decompressed together.
    fn texts() -> Vec<Vec<u8>> {
        let text = |(index, length): (u8, usize)| [vec![b'a' + index; length - 1], b"\n".to_vec()].concat();
        [5 << 20, 3 << 20, 1000, 77_777, 3 << 20, 4097]
            .into_iter()
            .enumerate()
            .map(|(i, length)| text((i as u8, length)))
            .collect()
    }

    fn bytes(packed: &[u8]) -> Bytes {
        Bytes::from(Arc::<[u8]>::from(packed))
    }

    /// The length of the text, its checksum, and the error after it.
    fn outcome(mut reader: Box<dyn Read + Send>) -> (usize, [u8; 4], Option<String>) {
        let mut text = Vec::new();
        let error = reader.read_to_end(&mut text).err().map(|error| error.to_string());
        (text.len(), sum(&[&text]), error)
    }

    fn pool() -> Arc<ThreadPool> {
        Arc::new(ThreadPoolBuilder::new().num_threads(3).build().expect("threads can be had"))
    }

    #[test]
    fn blocks_are_read_like_a_stream_however_damaged() -> Result<(), Error> {
        let (all, pool) = (texts(), pool());
        let (first, second) = (stream_of(&all)?, stream_of(&all[1..3])?);
        let intact = [&first[..], &[0; 8], &stream_of(&[])?, &second].concat();
        assert_eq!(
            Blocks::of(&bytes(&intact)).map(|blocks| blocks.map(|group| group.blocks.len()).collect()),
            Some(vec![1, 3, 2, 2])
        );
        let expected = outcome(Box::new(io::Cursor::new([all.concat(), all[1..3].concat()].concat())));
        assert_eq!(outcome(archive(bytes(&intact), pool.clone())), expected);
        let mut late = 0;
        for place in (0..intact.len()).step_by(intact.len() / 40) {
            let mut damaged = intact.clone();
            damaged[place] ^= 0x55;
            for packed in [&damaged[..], &intact[..place]] {
                let stream = outcome(stream(io::Cursor::new(packed.to_vec())));
                late += usize::from(stream.2.is_some() && stream.0 > 0 && Blocks::of(&bytes(packed)).is_some());
                assert_eq!(outcome(archive(bytes(packed), pool.clone())), stream, "{place}");
            }
        }
        assert!(late > 10, "{late} archives with damage in a later block");
        Ok(())
    }

    #[test]
    fn an_index_that_is_wrong_is_an_error() -> Result<(), Error> {
        let (all, pool) = (texts(), pool());
        let packed = stream_of(&all)?;
        let blocks: Vec<Block> = Blocks::of(&bytes(&packed)).into_iter().flatten().flat_map(|group| group.blocks).collect();
        assert_eq!(
            blocks.iter().map(|block| block.length as usize).collect::<Vec<_>>(),
            all.iter().map(Vec::len).collect::<Vec<_>>()
        );
        let length: u64 = blocks.iter().filter_map(|block| block.padded()).sum();
        let with_index = |blocks: Vec<Block>| {
            let group = Group { stream: 0, place: 0..0, blocks, length: 0 };
            [&packed[..HEADER + length as usize], &group.end_of_stream(&packed[6..8])].concat()
        };
        assert!(with_index(blocks.clone()) == packed);
        let changes: [fn(&mut Vec<Block>); 6] = [
            |blocks| blocks[0].length += 1,
            |blocks| blocks[4].length -= 1,
            |blocks| blocks.swap(1, 2),
            |blocks| (blocks[0].stored, blocks[1].stored) = (blocks[0].stored + 4, blocks[1].stored - 4),
            |blocks| blocks.push(Block { stored: 0, length: 0 }),
            |blocks| blocks[5].length = u64::MAX >> 1,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut wrong = blocks.clone();
            change(&mut wrong);
            let packed = with_index(wrong);
            let stream = outcome(stream(io::Cursor::new(packed.clone())));
            assert!(stream.2.is_some(), "{number}");
            assert_eq!(outcome(archive(bytes(&packed), pool.clone())), stream, "{number}");
        }
        Ok(())
    }

    #[test]
    fn what_cannot_be_split_is_read_as_a_stream() -> Result<(), Error> {
        let two = stream_of(&texts()[1..3])?;
        let one = stream_of(&texts()[..1])?;
        assert!(Blocks::of(&bytes(&two)).is_some());
        // One block, a long one, padding of a wrong length, nothing.
        let long = stream_of(&[vec![b'x'; LARGEST + 1], vec![b'x']])?;
        for packed in [one, long, [&two[..], &[0; 3]].concat(), [&[0; 4], &two[..]].concat(), Vec::new()] {
            assert!(Blocks::of(&bytes(&packed)).is_none(), "{} bytes", packed.len());
        }
        let small = Arc::new(ThreadPoolBuilder::new().num_threads(1).build().expect("threads can be had"));
        assert_eq!(outcome(archive(bytes(&two), small)), outcome(archive(bytes(&two), pool())));
        Ok(())
    }
}
