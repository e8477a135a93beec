//! Reading with a limit, because a device or a pipe may never end.

use std::io::{self, Read};

use super::wording::{quantity, thousands};

/// A reader that fails after a number of bytes instead of reading on forever.
#[derive(Debug)]
pub struct Bounded<R> {
    inner: R,
    what: &'static str,
    max: u64,
    left: u64,
}

impl<R: Read> Bounded<R> {
    /// Reads at most `max` bytes of `inner`. `what` names what must fit into them, for the error.
    pub const fn new(inner: R, what: &'static str, max: u64) -> Bounded<R> {
        Bounded { inner, what, max, left: max }
    }

    /// Starts to count again, for the next part of the same kind.
    pub const fn renew(&mut self) {
        self.left = self.max;
    }

    /// The reader that is bounded.
    pub const fn inner(&self) -> &R {
        &self.inner
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.left > 0 || bytes.is_empty() {
            let length = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
            let count = self.inner.read(&mut bytes[..length])?;
            self.left -= count as u64;
            return Ok(count);
        }
        // Exactly as many bytes are accepted.
        match self.inner.read(&mut [0])? {
            0 => Ok(0),
            _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("{} has more than {}", self.what, size(self.max)))),
        }
    }
}

/// A number of bytes in the largest unit that fits.
fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes >= MIB && bytes.is_multiple_of(MIB) {
        return format!("{} MiB", thousands(bytes / MIB));
    }
    quantity(bytes, "byte", "bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_bytes_are_an_error() -> io::Result<()> {
        let mut text = String::new();
        Bounded::new(&b"abc"[..], "the file", 3).read_to_string(&mut text)?;
        assert_eq!(text, "abc");
        let error = Bounded::new(&b"abcd"[..], "the file", 3).read_to_string(&mut text).expect_err("too long");
        assert_eq!(error.to_string(), "the file has more than 3 bytes");
        let error = Bounded::new(io::repeat(0), "a list", 2 << 20).read_to_end(&mut Vec::new()).expect_err("endless");
        assert_eq!(error.to_string(), "a list has more than 2 MiB");
        Ok(())
    }

    #[test]
    fn the_limit_can_be_renewed() -> io::Result<()> {
        let mut reader = Bounded::new(&b"abcd"[..], "a line", 2);
        let mut part = [0; 2];
        for expected in [b"ab", b"cd"] {
            reader.renew();
            reader.read_exact(&mut part)?;
            assert_eq!(&part, expected);
        }
        Ok(())
    }
}
