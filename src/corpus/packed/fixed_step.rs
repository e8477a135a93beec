//! Reads a decoder in steps of constant size.

use std::io::{self, Read};

/// The size of a step: the maximum number of bytes lost before an error.
const STEP: usize = 4096;

/// Reads a decoder in steps of constant size, so that the number of bytes before an error does not
/// depend on the caller. An error is returned once.
pub(super) struct FixedStep<R> {
    decoder: Option<R>,
    step: Box<[u8; STEP]>,
    /// The start of the decoded bytes that are not read yet.
    at: usize,
    end: usize,
}

impl<R: Read> FixedStep<R> {
    pub fn new(decoder: R) -> FixedStep<R> {
        FixedStep { decoder: Some(decoder), step: Box::new([0; STEP]), at: 0, end: 0 }
    }
}

impl<R: Read> Read for FixedStep<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        while self.at == self.end {
            let Some(decoder) = &mut self.decoder else { return Ok(0) };
            match decoder.read(self.step.as_mut_slice()) {
                Ok(0) => self.decoder = None,
                Ok(read) => (self.at, self.end) = (0, read),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.decoder = None;
                    return Err(error);
                }
            }
        }
        let length = into.len().min(self.end - self.at);
        into[..length].copy_from_slice(&self.step[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}
