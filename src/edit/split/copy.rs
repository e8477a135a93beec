//! Copies the records of an input to the files of the good and of the bad ones.

use std::{
    io::{self, BufRead, Read},
    sync::atomic::{AtomicBool, Ordering},
};

use memchr::memchr2;

use super::{SplitError, comment::comment, target::Target};
use crate::{corpus::Reread, pgn::BOM, pipeline::BadRecord, rules::rule};

/// Number of bytes that are copied before the run can be stopped.
const AT_ONCE: usize = 4 << 20;

/// The files that are written.
#[derive(Debug)]
pub(super) struct Targets {
    pub good: Target,
    pub bad: Target,
    /// Whether findings are written into games.
    pub annotate: bool,
    /// Number of line breaks added after the last line of an input.
    pub line_breaks: u64,
}

/// An input that is being copied.
pub(super) struct Copying<'a> {
    name: &'a str,
    /// Its number among the inputs that are copied.
    number: usize,
    text: Box<dyn BufRead + Send>,
    /// The next byte to copy.
    at: u64,
    /// Number of bytes that the audit has read.
    length: u64,
    /// The bytes that end the first line.
    line_break: Option<&'static [u8]>,
    stop: &'a AtomicBool,
}

impl<'a> Copying<'a> {
    /// Begins to copy an input of which the audit has read so many bytes. What comes before its
    /// records is copied to files without content: a byte order mark, or the `header` of a table.
    pub fn begin(
        (name, number): (&'a str, usize),
        reread: Reread,
        (header, length): (u64, u64),
        targets: &mut Targets,
        stop: &'a AtomicBool,
    ) -> Result<Copying<'a>, SplitError> {
        let mut copying = Copying { name, number, text: reread.text, at: 0, length, line_break: None, stop };
        let has_mark = header == 0 && length >= BOM.len() as u64 && copying.starts_with_mark()?;
        let prefix = if has_mark { BOM.len() as u64 } else { header };
        let mut bytes = Vec::new();
        copying.pass(prefix, |_, part| {
            bytes.extend_from_slice(part);
            Ok(())
        })?;
        let is_ended = bytes.is_empty() || has_mark || matches!(bytes.last(), Some(b'\n' | b'\r'));
        for target in [&mut targets.good, &mut targets.bad].into_iter().filter(|target| target.bytes == 0) {
            target.write(&bytes)?;
            if !is_ended {
                target.write(b"\n")?;
            }
            // A line begins after a byte order mark.
            target.last = target.last.filter(|_| !has_mark);
        }
        Ok(copying)
    }

    /// Copies what comes before a bad record to the good ones, and then the record to the bad ones.
    pub fn bad_record(&mut self, record: &BadRecord, targets: &mut Targets) -> Result<(), SplitError> {
        self.copy_to(record.start, &mut targets.good)?;
        // Of copies of other games, it is not known where the movetext begins.
        let has_place = record.findings.iter().any(|finding| rule(finding.rule).is_some_and(|rule| !rule.is_about_copies()));
        if targets.annotate && record.game > 0 && has_place {
            self.copy_to(record.movetext.clamp(record.start, record.end), &mut targets.bad)?;
            self.copy_blank(record.end, &mut targets.bad)?;
            self.annotate(record, &mut targets.bad)?;
        }
        self.copy_to(record.end, &mut targets.bad)
    }

    /// Copies the whitespace after a bad record, which belongs to it.
    pub fn blank_after(&mut self, targets: &mut Targets) -> Result<(), SplitError> {
        self.copy_blank(self.length, &mut targets.bad)
    }

    /// Copies the rest to the good records, and ends the last line of both files. Returns the
    /// number of line breaks added.
    pub fn end(mut self, targets: &mut Targets) -> Result<(), SplitError> {
        self.copy_to(self.length, &mut targets.good)?;
        let line_break = self.line_break.unwrap_or(b"\n");
        for target in [&mut targets.good, &mut targets.bad].into_iter().filter(|target| !target.is_at_line_start()) {
            target.write(line_break)?;
            targets.line_breaks += 1;
        }
        Ok(())
    }

    /// Writes the findings of a game as a comment, on lines of its own if the movetext begins a
    /// line.
    fn annotate(&mut self, record: &BadRecord, bad: &mut Target) -> Result<(), SplitError> {
        let line_break = self.line_break.unwrap_or(b"\n");
        let has_movetext = self.at < record.end;
        let is_on_own_line = bad.is_at_line_start() || !has_movetext;
        if !bad.is_at_line_start() && !has_movetext {
            bad.write(line_break)?;
        }
        bad.write(&comment(&record.findings, line_break))?;
        bad.write(if is_on_own_line { line_break } else { b" " })?;
        // Without movetext, only a blank line separates the comment from the next game.
        if has_movetext { Ok(()) } else { bad.write(line_break) }
    }

    fn starts_with_mark(&mut self) -> Result<bool, SplitError> {
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

    fn copy_to(&mut self, end: u64, target: &mut Target) -> Result<(), SplitError> {
        let number = self.number;
        self.pass(end.min(self.length), |at, part| target.copy((number, at), part))
    }

    /// Copies whitespace.
    fn copy_blank(&mut self, end: u64, target: &mut Target) -> Result<(), SplitError> {
        while self.at < end {
            let head = self.text.fill_buf().map_err(|source| unreadable(self.name, source))?;
            let limit = usize::try_from(end - self.at).unwrap_or(usize::MAX);
            let blank = head.iter().take(limit).take_while(|byte| byte.is_ascii_whitespace()).count();
            if blank == 0 {
                break;
            }
            self.copy_to(self.at + blank as u64, target)?;
        }
        Ok(())
    }

    /// Takes the bytes up to `end`, and where they are.
    fn pass(&mut self, end: u64, mut take: impl FnMut(u64, &[u8]) -> Result<(), SplitError>) -> Result<(), SplitError> {
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

pub(super) fn unreadable(input: &str, source: io::Error) -> SplitError {
    SplitError::Unreadable { input: input.to_owned(), source }
}
