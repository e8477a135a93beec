//! Streams of xz (.xz file format 1.2.1, section 2).

use std::io::{self, BufRead, Read};

use liblzma::{
    bufread::XzDecoder,
    stream::{Error, Stream as Decoding},
};

use super::{
    fixed_step::{FixedInput, Member, Members},
    memory_limit::{MAX_WINDOW, TooMuchMemory},
};

/// Maximum length of the state of a decoder in bytes, without its dictionary.
const STATE: u64 = 1 << 20;

/// How each stream begins.
const MAGIC: [u8; 6] = [0xFD, b'7', b'z', b'X', b'Z', 0];

/// One stream.
struct Stream<R>(XzDecoder<R>);

impl<R: BufRead> Member<R> for Stream<R> {
    /// Between streams are zeros, a multiple of four.
    fn skip_padding(packed: &mut R) -> io::Result<()> {
        let mut padding = 0;
        loop {
            let bytes = packed.fill_buf()?;
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let is_over = bytes.is_empty() || zeros < bytes.len();
            let is_magic = bytes[zeros..].iter().zip(&MAGIC).all(|(byte, magic)| byte == magic);
            packed.consume(zeros);
            padding = (padding + zeros) % 4;
            if is_over && padding == 0 && is_magic {
                return Ok(());
            }
            if is_over {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the data that follows is not xz"));
            }
        }
    }

    fn begin(packed: R) -> io::Result<Stream<R>> {
        Ok(Stream(XzDecoder::new_stream(packed, Decoding::new_stream_decoder(MAX_WINDOW + STATE, 0)?)))
    }

    fn finish(self) -> R {
        self.0.into_inner()
    }
}

impl<R: BufRead> Read for Stream<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(|error| match error.get_ref().and_then(|source| source.downcast_ref()) {
            Some(Error::MemLimit) => TooMuchMemory { command: "xz -d" }.into(),
            _ => error,
        })
    }
}

/// Reads the streams of an archive.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(Members::<_, Stream<_>>::new(FixedInput::new(packed)))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    fn packed(text: &[u8]) -> io::Result<Vec<u8>> {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 0);
        encoder.write_all(text)?;
        encoder.finish()
    }

    #[test]
    fn what_follows_the_last_stream_does_not_harm_its_text() -> io::Result<()> {
        let text = b"1. e4 *\n".repeat(1000);
        assert_ne!(text.len() % 4096, 0);
        let streams = [packed(&text)?, vec![0; 4], packed(&text)?, packed(b"")?].concat();
        // Other data, padding of a wrong length, and the start of a stream that is damaged.
        let damaged = [&MAGIC[..], b"not a header"].concat();
        let other = [&b"x"[..], b"other data, longer than a header", &[0; 3], &[0, 0, 0, 0, 1], &damaged, &damaged[..3]];
        for after in [&b""[..], &[0; 8]].iter().chain(&other) {
            let mut read = Vec::new();
            let result = stream(Cursor::new([&streams[..], after].concat())).read_to_end(&mut read);
            assert!(read == text.repeat(2), "{after:?}");
            assert_eq!(result.is_err(), other.contains(after), "{after:?}");
        }
        Ok(())
    }
}
