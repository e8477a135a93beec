//! The files of the good and of the bad records while they are written.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::SplitError;
use crate::{
    corpus::Packer,
    report::{OutputFile, OwnFile, repairs::Kind},
};

/// Number of bytes that are written at once, if they are not a long stretch of an input.
const BUFFER: usize = 1 << 18;

/// A file that is written, compressed as its name says.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    to: BufWriter<Packer<OutputFile>>,
    /// Whether an existing file is replaced.
    replaces: bool,
    /// The last byte that was written.
    pub last: Option<u8>,
    /// Number of bytes written, before compression.
    pub bytes: u64,
}

impl Target {
    pub fn create(path: &Path, option: &'static str, force: bool) -> Result<Target, SplitError> {
        if Kind::of(path) == Kind::Pipe || path == Path::new("-") {
            return Err(SplitError::Pipe { path: path.to_owned(), option });
        }
        if !force {
            OwnFile::Records.check(path)?;
        }
        let unwritable = |source| SplitError::unwritable(path, source);
        let replaces = force || path.exists();
        let file = OutputFile::create(path).map_err(unwritable)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let packer = Packer::new(&name, file).map_err(unwritable)?;
        let to = BufWriter::with_capacity(BUFFER, packer);
        Ok(Target { path: path.to_owned(), to, replaces, last: None, bytes: 0 })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), SplitError> {
        if let Some(last) = bytes.last() {
            self.to.write_all(bytes).map_err(|source| SplitError::unwritable(&self.path, source))?;
            self.last = Some(*last);
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    /// Whether the next byte is the first one of a line.
    pub const fn is_at_line_start(&self) -> bool {
        matches!(self.last, None | Some(b'\n' | b'\r'))
    }

    /// Ends compression. Only the move to its place is left.
    pub fn complete(self) -> Result<Complete, SplitError> {
        let Target { path, to, replaces, .. } = self;
        let unwritable = |source| SplitError::unwritable(&path, source);
        let packer = to.into_inner().map_err(|error| unwritable(error.into_error()))?;
        let file = packer.finish().map_err(unwritable)?;
        Ok(Complete { file, path, replaces })
    }
}

/// A file with all its bytes, which is not at its place yet.
#[derive(Debug)]
pub(super) struct Complete {
    pub file: OutputFile,
    pub path: PathBuf,
    pub replaces: bool,
}

impl Complete {
    pub fn finish(self) -> Result<(), SplitError> {
        let Complete { file, path, replaces } = self;
        let finished = if replaces { file.finish() } else { file.finish_new() };
        finished.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => SplitError::Foreign(OwnFile::Records.foreign(&path)),
            _ => SplitError::unwritable(&path, error),
        })
    }
}
