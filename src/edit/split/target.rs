//! The files of the good and of the bad records while they are written.
//!
//! Text is written early, while the audit reads it, where it probably belongs. At the end, it is
//! compared with what belongs there. What was right is not written again, and the rest is taken
//! back.

use std::{
    collections::VecDeque,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::SplitError;
use crate::{
    corpus::Packer,
    format::{CheckedFiles, OutputFile},
    report::{OwnFile, repairs::PathKind},
};

/// Number of bytes that are written at once, if they are not a long stretch of an input.
const BUFFER: usize = 1 << 18;

/// Number of bytes after which the system is asked to write them to the disk.
const SYNC_EVERY: u64 = 8 << 20;

/// Maximum number of stretches of text that are written early.
const MAX_STRETCHES: usize = 1 << 16;

/// A stretch of text of an input.
#[derive(Debug)]
struct Stretch {
    input: usize,
    start: u64,
    end: u64,
}

/// A file that is written, compressed as its name says.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    /// `None` if nothing is written.
    to: Option<BufWriter<Packer<OutputFile>>>,
    /// Whether an existing file is replaced.
    replaces: bool,
    /// The last byte that belongs to the file so far.
    pub last: Option<u8>,
    /// Number of line breaks at the end of the file so far.
    pub line_ends: u64,
    /// Number of bytes that belong to the file so far, before compression.
    pub bytes: u64,
    /// What was written early, after those bytes.
    early: VecDeque<Stretch>,
    /// Number of bytes written, before compression.
    written: u64,
    /// Number of those that the system was asked to write to the disk.
    synced: u64,
}

impl Target {
    pub fn create(path: &Path, option: &'static str, force: bool, read: &CheckedFiles) -> Result<Target, SplitError> {
        if PathKind::of(path) == PathKind::Pipe || path == Path::new("-") {
            return Err(SplitError::Pipe { path: path.to_owned(), option });
        }
        if !force {
            OwnFile::Records.check(path)?;
        }
        let unwritable = |source| SplitError::unwritable(path, source);
        let replaces = force || path.exists();
        let file = OutputFile::create(path).map_err(unwritable)?.apart_from(read);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let packer = Packer::new(&name, file).map_err(unwritable)?;
        let to = BufWriter::with_capacity(BUFFER, packer);
        Ok(Target { path: path.to_owned(), to: Some(to), replaces, ..Target::nowhere() })
    }

    /// Takes text, and writes nothing.
    pub fn nowhere() -> Target {
        let (path, early) = (PathBuf::new(), VecDeque::new());
        Target { path, to: None, replaces: false, last: None, line_ends: 0, bytes: 0, early, written: 0, synced: 0 }
    }

    /// The file, if it is not compressed and what was written can be taken back.
    fn plain(&mut self) -> Option<&mut OutputFile> {
        match self.to.as_mut()?.get_mut() {
            Packer::Plain(file) if file.can_go_back() => Some(file),
            _ => None,
        }
    }

    /// Whether text can be written early.
    pub fn can_go_back(&mut self) -> bool {
        self.plain().is_some()
    }

    /// Writes text from byte `at` of an input that probably comes next. Returns whether more can be
    /// written like that.
    pub fn write_early(&mut self, (input, at): (usize, u64), text: &[u8]) -> Result<bool, SplitError> {
        let end = at + text.len() as u64;
        match self.early.back_mut() {
            Some(last) if (last.input, last.end) == (input, at) => last.end = end,
            _ => self.early.push_back(Stretch { input, start: at, end }),
        }
        self.put(text)?;
        Ok(self.early.len() < MAX_STRETCHES)
    }

    /// Writes text from byte `at` of an input, unless it was written early.
    pub fn copy(&mut self, (input, at): (usize, u64), text: &[u8]) -> Result<(), SplitError> {
        let mut known = 0;
        if let Some(next) = self.early.front_mut().filter(|next| (next.input, next.start) == (input, at)) {
            known = text.len().min(usize::try_from(next.end - at).unwrap_or(usize::MAX));
            next.start += known as u64;
            if next.start == next.end {
                self.early.pop_front();
            }
        }
        let (known, new) = text.split_at(known);
        self.note(known);
        self.write(new)
    }

    /// Writes bytes that were not written early.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), SplitError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.take_back()?;
        self.note(bytes);
        self.put(bytes)
    }

    fn note(&mut self, bytes: &[u8]) {
        self.last = bytes.last().copied().or(self.last);
        let ends = bytes.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r'));
        let is_all = ends.clone().count() == bytes.len();
        let breaks = ends.filter(|byte| **byte == b'\n').count() as u64;
        self.line_ends = if is_all { self.line_ends + breaks } else { breaks };
        self.bytes += bytes.len() as u64;
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), SplitError> {
        let mut put = || {
            self.to.as_mut().map_or(Ok(()), |to| to.write_all(bytes))?;
            self.written += bytes.len() as u64;
            // What is compressed must not be flushed.
            if self.written - self.synced >= SYNC_EVERY && self.can_go_back() {
                self.flush()?;
                let start = std::mem::replace(&mut self.synced, self.written);
                if let Some(file) = self.plain() {
                    file.begin_sync(start);
                }
            }
            Ok(())
        };
        put().map_err(|source| SplitError::unwritable(&self.path, source))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.as_mut().map_or(Ok(()), |to| to.flush())
    }

    /// Removes what was written early and does not belong there.
    fn take_back(&mut self) -> Result<(), SplitError> {
        if self.written > self.bytes {
            self.early.clear();
            let length = self.bytes;
            (self.written, self.synced) = (length, self.synced.min(length));
            let flushed = self.flush();
            let taken_back = flushed.and_then(|()| self.plain().map_or(Ok(()), |file| file.go_back(length)));
            taken_back.map_err(|source| SplitError::unwritable(&self.path, source))?;
        }
        Ok(())
    }

    /// Whether the next byte is the first one of a line.
    pub const fn is_at_line_start(&self) -> bool {
        matches!(self.last, None | Some(b'\n' | b'\r'))
    }

    /// Ends compression. Only the move to its place is left. `None` if nothing is written.
    pub fn complete(mut self) -> Result<Option<Complete>, SplitError> {
        self.take_back()?;
        let Target { path, to, replaces, synced, .. } = self;
        let Some(to) = to else { return Ok(None) };
        let unwritable = |source| SplitError::unwritable(&path, source);
        let packer = to.into_inner().map_err(|error| unwritable(error.into_error()))?;
        let file = packer.finish().map_err(unwritable)?;
        file.begin_sync(synced);
        Ok(Some(Complete { file, path, replaces }))
    }
}

/// A file with all its bytes, which is not at its place yet.
#[derive(Debug)]
pub(crate) struct Complete {
    pub file: OutputFile,
    pub path: PathBuf,
    pub replaces: bool,
}

impl Complete {
    pub fn flush_to_disk(&self) -> Result<(), SplitError> {
        self.file.flush_to_disk().map_err(|source| SplitError::unwritable(&self.path, source))
    }

    /// Moves the file, which is on the disk, to its place.
    pub fn finish(self) -> Result<(), SplitError> {
        let Complete { file, path, replaces } = self;
        file.place(replaces).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => SplitError::Foreign(OwnFile::Records.foreign(&path)),
            _ => SplitError::unwritable(&path, error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_early_and_is_right_is_not_written_again() -> Result<(), Box<dyn std::error::Error>> {
        let home = tempfile::tempdir()?;
        for (copies, is_right) in [
            (&[(0, 0, "aaa"), (0, 3, "bb"), (0, 9, "cc"), (1, 0, "d")][..], true),
            (&[(0, 0, "aaab"), (0, 4, "b"), (0, 9, "cc")], true),
            (&[], true),
            (&[(0, 0, "aaabbx"), (0, 9, "cc"), (1, 0, "d")], false),
            (&[(0, 1, "aabb")], false),
            (&[(0, 0, "aaabb"), (1, 0, "d")], false),
        ] {
            let path = home.path().join("good.pgn");
            let mut target = Target::create(&path, "--good", true, &CheckedFiles::default())?;
            for (place, text) in [((0, 0), "aaa"), ((0, 3), "bb"), ((0, 9), "cc"), ((1, 0), "d")] {
                assert!(target.write_early(place, text.as_bytes())?);
            }
            let written = target.written;
            for (input, at, text) in copies {
                target.copy((*input, *at), text.as_bytes())?;
            }
            assert_eq!(target.written == written, is_right, "{copies:?}");
            let complete = target.complete()?.expect("a file");
            complete.flush_to_disk()?;
            complete.finish()?;
            let expected: String = copies.iter().map(|(_, _, text)| *text).collect();
            assert_eq!(std::fs::read_to_string(&path)?, expected);
        }
        Ok(())
    }
}
