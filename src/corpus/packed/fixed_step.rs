//! Reads and feeds a decoder in steps of constant size.

use std::io::{self, BufRead, Read};

/// The size of a step: the maximum number of bytes lost before an error.
const STEP: usize = 4096;

/// The size of a step of compressed data.
const PACKED_STEP: usize = 1 << 16;

/// Reads a decoder in steps of constant size, so that the number of bytes before an error does not
/// depend on the caller. An error is returned once.
///
/// A decoder that finds damage does not say how many bytes it wrote before. So a step is passed on
/// only if it is complete, or if the archive is truncated there.
pub(super) struct FixedStep<R> {
    decoder: R,
    step: Box<[u8; STEP]>,
    /// The start of the decoded bytes that are not read yet.
    at: usize,
    end: usize,
    ended: bool,
    failure: Option<io::Error>,
}

impl<R: Read> FixedStep<R> {
    pub fn new(decoder: R) -> FixedStep<R> {
        FixedStep { decoder, step: Box::new([0; STEP]), at: 0, end: 0, ended: false, failure: None }
    }

    /// The decoder.
    pub fn into_inner(self) -> R {
        self.decoder
    }

    /// Decodes a step.
    fn fill(&mut self) {
        (self.at, self.end) = (0, 0);
        while !self.ended && self.end < STEP {
            match self.decoder.read(&mut self.step[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    if error.kind() != io::ErrorKind::UnexpectedEof {
                        self.end = 0;
                    }
                    self.ended = true;
                    self.failure = Some(error);
                }
            }
        }
    }
}

impl<R: Read> Read for FixedStep<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        if self.at == self.end {
            self.fill();
        }
        if self.at == self.end {
            return self.failure.take().map_or(Ok(0), Err);
        }
        let length = into.len().min(self.end - self.at);
        into[..length].copy_from_slice(&self.step[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// Feeds a decoder in steps of constant size, because its errors may depend on the steps. A pipe
/// and a file are read in the same steps.
pub(super) struct FixedInput<R> {
    source: R,
    step: Vec<u8>,
    at: usize,
    /// The error after the bytes of the step.
    failure: Option<io::Error>,
}

impl<R: Read> FixedInput<R> {
    pub fn new(source: R) -> FixedInput<R> {
        FixedInput { source, step: Vec::with_capacity(PACKED_STEP), at: 0, failure: None }
    }
}

impl<R: Read> BufRead for FixedInput<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.step.len() {
            if let Some(error) = self.failure.take() {
                return Err(error);
            }
            self.at = 0;
            self.step.clear();
            self.failure = self.source.by_ref().take(PACKED_STEP as u64).read_to_end(&mut self.step).err();
            if let Some(error) = self.failure.take_if(|_| self.step.is_empty()) {
                return Err(error);
            }
        }
        Ok(&self.step[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.step.len());
    }
}

impl<R: Read> Read for FixedInput<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

/// A decoder of one member of an archive: a gzip member, a Zstandard frame, or a stream of xz.
pub(super) trait Member<R>: Read + Sized {
    /// Moves to the start of the next member, or to the end of the archive.
    fn skip_padding(_: &mut R) -> io::Result<()> {
        Ok(())
    }

    /// A decoder of the member that starts here.
    fn begin(packed: R) -> io::Result<Self>;

    /// What follows the member, which was read to its end.
    fn finish(self) -> R;
}

/// Reads members one after the other. The steps begin at the start of each member, so that the
/// result does not depend on where the reader begins.
pub(super) struct Members<R, D>(State<R, D>);

enum State<R, D> {
    Between(R),
    Member(FixedStep<D>),
    Ended,
}

impl<R: BufRead, D: Member<R>> Members<R, D> {
    pub fn new(packed: R) -> Members<R, D> {
        Members(State::Between(packed))
    }
}

impl<R: BufRead, D: Member<R>> Read for Members<R, D> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            // After an error, nothing is left to read.
            match std::mem::replace(&mut self.0, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(mut packed) => {
                    D::skip_padding(&mut packed)?;
                    if packed.fill_buf()?.is_empty() {
                        return Ok(0);
                    }
                    self.0 = State::Member(FixedStep::new(D::begin(packed)?));
                }
                State::Member(mut member) => match member.read(into)? {
                    0 => self.0 = State::Between(member.into_inner().finish()),
                    read => {
                        self.0 = State::Member(member);
                        return Ok(read);
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Failing;

    #[test]
    fn a_step_with_an_error_is_dropped_unless_the_archive_ends_in_it() {
        let errors: [(io::Error, usize); 2] =
            [(io::ErrorKind::UnexpectedEof.into(), STEP + 1), (io::ErrorKind::InvalidData.into(), STEP)];
        for (error, expected) in errors {
            let kind = error.kind();
            let decoder = io::repeat(b'x').take(STEP as u64 + 1).chain(Failing(Some(error)));
            let mut read = Vec::new();
            let error = FixedStep::new(decoder).read_to_end(&mut read).map_err(|error| error.kind());
            assert_eq!((read.len(), error), (expected, Err(kind)));
        }
    }

    #[test]
    fn a_source_is_fed_in_steps_up_to_its_error() {
        let source = io::repeat(b'x').take(PACKED_STEP as u64 + 1).chain(Failing(Some(io::Error::other("gone"))));
        let mut input = FixedInput::new(source);
        for expected in [PACKED_STEP, 1] {
            assert_eq!(input.fill_buf().map(<[u8]>::len).ok(), Some(expected));
            input.consume(expected);
        }
        assert!(input.fill_buf().is_err());
        assert_eq!(input.fill_buf().map(<[u8]>::len).ok(), Some(0));
    }
}
