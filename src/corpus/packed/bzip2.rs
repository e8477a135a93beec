//! Streams of bzip2, block by block.

use std::io::{self, BufRead, Cursor, Read};

use bzip2::{Decompress, Error, Status};

use super::{fixed_step::FixedInput, parts::LARGEST};

/// The size of the first step in which a block is written. Later steps are larger.
const STEP: usize = 1 << 16;

/// Reads the blocks of an archive. The decoder writes the text of a block, and only then compares
/// its checksum. So the text is held back until then: what a damaged block becomes, nobody has
/// written. Only of a text with more than [`LARGEST`] bytes, the first ones are passed on before. A
/// block packs at most 900 kB, so most of such a text are long runs of one byte.
struct Blocks<R> {
    packed: R,
    /// The decoder of the current stream.
    stream: Option<Decompress>,
    /// The text of a block.
    text: Cursor<Vec<u8>>,
    has_failed: bool,
}

impl<R: BufRead> Blocks<R> {
    /// Decompresses the next block. The text is empty at the end of the archive.
    fn next_text(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            if self.stream.is_some() {
                let length = text.len();
                text.reserve(STEP);
                // Without input, the decoder writes the rest of a block, and compares its checksum.
                step(&mut self.stream, &[], &mut text)?;
                if length < text.len() && text.len() < LARGEST {
                    continue;
                }
                if !text.is_empty() {
                    return Ok(text);
                }
            }
            let packed = self.packed.fill_buf()?;
            if packed.is_empty() {
                return if self.stream.is_none() { Ok(text) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
            }
            // Without space, it stops when it has read a block.
            let read = step(&mut self.stream, packed, &mut Vec::new())?;
            self.packed.consume(read);
        }
    }
}

/// Decompresses into the space that `text` has. Returns the number of bytes read.
fn step(stream: &mut Option<Decompress>, packed: &[u8], text: &mut Vec<u8>) -> io::Result<usize> {
    let decoder = stream.get_or_insert_with(|| Decompress::new(false));
    let before = decoder.total_in();
    let status = decoder.decompress_vec(packed, text).map_err(|error| match error {
        Error::DataMagic => io::Error::new(io::ErrorKind::InvalidData, "the data that follows is not bzip2"),
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    })?;
    let read = decoder.total_in() - before;
    match status {
        Status::StreamEnd => *stream = None,
        Status::MemNeeded => return Err(io::ErrorKind::OutOfMemory.into()),
        _ => {}
    }
    Ok(usize::try_from(read).unwrap_or(usize::MAX))
}

impl<R: BufRead> Read for Blocks<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(into)?;
        if read > 0 || into.is_empty() || self.has_failed {
            return Ok(read);
        }
        self.text = Cursor::default();
        self.text = Cursor::new(self.next_text().inspect_err(|_| self.has_failed = true)?);
        self.text.read(into)
    }
}

/// Reads the streams of an archive.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    let packed = FixedInput::new(packed);
    Box::new(Blocks { packed, stream: None, text: Cursor::default(), has_failed: false })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::{Compression, write::BzEncoder};

    use super::*;

    /// A stream with blocks of at most 100 kB.
    fn packed(text: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = BzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text)?;
        encoder.finish()
    }

    fn read(packed: Vec<u8>) -> (Vec<u8>, Option<String>) {
        let mut text = Vec::new();
        let error = stream(Cursor::new(packed)).read_to_end(&mut text).err();
        (text, error.map(|error| error.to_string()))
    }

    #[test]
    fn the_text_ends_before_the_block_that_is_wrong() -> io::Result<()> {
        let text: Vec<u8> = (0..37_500_u32).flat_map(|number| (number.wrapping_mul(2_654_435_761) >> 7).to_le_bytes()).collect();
        // Where bytes differ from their neighbours, a block has this length. Each stream has two.
        let block = 99_980;
        let stream = packed(&text)?;
        let packed = [&stream[..], &packed(b"")?, &stream].concat();
        let both = text.repeat(2);
        assert!(read(packed.clone()) == (both.clone(), None));
        let damages: [(usize, usize); 5] = [
            (400, text.len() + block),
            (2, both.len()),
            (stream.len() - 5, text.len()),
            (stream.len() + 9, text.len()),
            (stream.len() + 200, block),
        ];
        for (from_end, expected) in damages {
            let mut damaged = packed.clone();
            damaged[packed.len() - from_end] ^= 4;
            let (text, error) = read(damaged);
            assert_eq!((text.len(), error.is_some()), (expected, true), "{from_end}");
            assert!(both.starts_with(&text));
        }
        for (from_end, expected) in [(1, both.len()), (400, text.len() + block), (stream.len() + 3, text.len())] {
            let (text, error) = read(packed[..packed.len() - from_end].to_vec());
            assert_eq!((text.len(), error.as_deref()), (expected, Some("unexpected end of file")), "{from_end}");
            assert!(both.starts_with(&text));
        }
        for after in [&b"x"[..], b"BZ0", b"other data", &[0; 9]] {
            let (all, error) = read([&packed[..], after].concat());
            assert!(all == both && error.is_some_and(|error| error == "the data that follows is not bzip2"), "{after:?}");
        }
        Ok(())
    }

    #[test]
    fn a_text_of_long_runs_is_read_whole() -> io::Result<()> {
        let text = [&vec![b'\n'; LARGEST + 9], &b"1. e4 *"[..]].concat();
        let mut encoder = BzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&text)?;
        let (read, error) = read(encoder.finish()?);
        assert!(read == text && error.is_none());
        Ok(())
    }
}
