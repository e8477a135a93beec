//! Streams of xz.

use std::io::{self, BufRead, Read};

use liblzma::{
    bufread::XzDecoder,
    stream::{CONCATENATED, Error, Stream},
};

use super::{Failing, FixedStep, MAX_WINDOW, TooMuchMemory, fixed_step::FixedInput};

/// Maximum memory of a decoder in bytes: the dictionary, and less than 1 MiB for its state.
const MAX_MEMORY: u64 = MAX_WINDOW + (1 << 20);

/// Reads a stream.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    match Stream::new_stream_decoder(MAX_MEMORY, CONCATENATED) {
        Ok(stream) => Box::new(FixedStep::new(Decoder(XzDecoder::new_stream(FixedInput::new(packed), stream)))),
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
