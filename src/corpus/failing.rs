//! A reader that reports an error.

use std::io::{self, Read};

/// A reader that fails once, and is then at its end.
pub struct Failing(pub Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
