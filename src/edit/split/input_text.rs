//! The text of an input that is read again, from its start to its end.

use std::{
    io::{self, BufRead, Read},
    sync::atomic::{AtomicBool, Ordering},
};

use memchr::memchr2;

use super::SplitError;
use crate::{corpus::Reread, pgn::BOM};

/// Number of bytes that are taken before the run can be stopped.
const AT_ONCE: usize = 4 << 20;

/// A text that is being read again.
pub(crate) struct InputText<'a> {
    name: &'a str,
    text: Box<dyn BufRead + Send>,
    /// The next byte.
    pub at: u64,
    /// Number of bytes that the audit has read.
    pub length: u64,
    /// The bytes that end the first line.
    line_break: Option<&'static [u8]>,
    stop: &'a AtomicBool,
}

impl<'a> InputText<'a> {
    /// The text of an input of which the audit has read so many bytes.
    pub fn new(name: &'a str, reread: Reread, length: u64, stop: &'a AtomicBool) -> InputText<'a> {
        InputText { name, text: reread.text, at: 0, length, line_break: None, stop }
    }

    /// What ends a line in it.
    pub fn line_break(&self) -> &'static [u8] {
        self.line_break.unwrap_or(b"\n")
    }

    /// Whether it starts with a byte order mark.
    pub fn starts_with_mark(&mut self) -> Result<bool, SplitError> {
        // A stream may have less in its buffer.
        let head = self.text.fill_buf().map_err(|source| unreadable(self.name, source))?;
        if head.len() >= BOM.len() {
            return Ok(head.starts_with(BOM));
        }
        let mut head = Vec::new();
        let empty: Box<dyn BufRead + Send> = Box::new(io::empty());
        let mut rest = std::mem::replace(&mut self.text, empty);
        rest.by_ref().take(BOM.len() as u64).read_to_end(&mut head).map_err(|source| unreadable(self.name, source))?;
        let has_mark = head == BOM;
        self.text = Box::new(io::Cursor::new(head).chain(rest));
        Ok(has_mark)
    }

    /// Number of bytes of whitespace from here on, at most up to byte `end`. There may be more of
    /// them after these.
    pub fn blank(&mut self, end: u64) -> Result<u64, SplitError> {
        if self.at >= end {
            return Ok(0);
        }
        let head = self.text.fill_buf().map_err(|source| unreadable(self.name, source))?;
        let limit = usize::try_from(end - self.at).unwrap_or(usize::MAX);
        Ok(head.iter().take(limit).take_while(|byte| byte.is_ascii_whitespace()).count() as u64)
    }

    /// Takes the bytes up to `end`, and where they are.
    pub fn pass(&mut self, end: u64, mut take: impl FnMut(u64, &[u8]) -> Result<(), SplitError>) -> Result<(), SplitError> {
        while self.at < end {
            if self.stop.load(Ordering::Relaxed) {
                return Err(SplitError::Interrupted);
            }
            let part = match self.text.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(|source| unreadable(self.name, source))?,
            };
            let wanted = usize::try_from(end - self.at).unwrap_or(usize::MAX).min(AT_ONCE);
            let part = part.get(..wanted).unwrap_or(part);
            if part.is_empty() {
                return Err(SplitError::Changed { input: self.name.to_owned() });
            }
            if self.line_break.is_none() {
                self.line_break = memchr2(b'\n', b'\r', part).map(|at| match (part[at], part.get(at + 1)) {
                    (b'\r', Some(b'\n')) => &b"\r\n"[..],
                    (b'\r', _) => b"\r",
                    _ => b"\n",
                });
            }
            take(self.at, part)?;
            let count = part.len();
            self.text.consume(count);
            self.at += count as u64;
        }
        Ok(())
    }
}

pub(crate) fn unreadable(input: &str, source: io::Error) -> SplitError {
    SplitError::Unreadable { input: input.to_owned(), source }
}
