//! Files that a command writes.

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use super::{
    paths::{link_target, parent},
    run_files::CheckedFiles,
    temporary::TemporaryFile,
};
use crate::text::open_regular;

/// A file that is being written. A regular file is replaced when it is complete, or never. Pipes,
/// terminals and devices are written to directly.
pub struct OutputFile(Target);

enum Target {
    /// A temporary file, the path that it gets when it is complete, and what it does not replace.
    Replace(TemporaryFile, PathBuf, CheckedFiles),
    Direct(Box<dyn Write + Send>),
}

impl fmt::Debug for OutputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Target::Replace(_, destination, _) => write!(f, "OutputFile({})", destination.display()),
            Target::Direct(_) => f.write_str("OutputFile"),
        }
    }
}

impl OutputFile {
    /// Starts to write `path`. A link stays: the file that it refers to is replaced or created.
    /// Opening a named pipe waits for its reader.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let destination = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if metadata.is_file() => fs::canonicalize(path)?,
            Ok(_) => return Ok(OutputFile::direct(OpenOptions::new().write(true).open(path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => link_target(path)?,
            Err(error) => return Err(error),
        };
        let file = TemporaryFile::create(parent(&destination))?;
        Ok(OutputFile(Target::Replace(file, destination, CheckedFiles::default())))
    }

    /// The same file, which replaces none that is read, whatever is renamed meanwhile.
    #[must_use]
    pub fn apart_from(mut self, files: &CheckedFiles) -> OutputFile {
        if let Target::Replace(_, _, read) = &mut self.0 {
            *read = files.clone();
        }
        self
    }

    /// Writes to `to`, for example to standard output.
    pub fn direct(to: impl Write + Send + 'static) -> OutputFile {
        OutputFile(Target::Direct(Box::new(to)))
    }

    /// Whether what was written can be taken back: it is a regular file.
    pub(crate) const fn can_go_back(&self) -> bool {
        matches!(self.0, Target::Replace(..))
    }

    /// Removes all bytes after the first `length`.
    pub(crate) fn go_back(&mut self, length: u64) -> io::Result<()> {
        match &mut self.0 {
            Target::Replace(file, ..) => file.go_back(length),
            Target::Direct(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    /// Asks the system to begin to write what comes after the first `start` bytes to the disk, so
    /// that a later flush waits less.
    pub(crate) fn begin_sync(&self, start: u64) {
        if let Target::Replace(file, ..) = &self.0 {
            file.begin_sync(start);
        }
    }

    /// Completes the file. A regular file is written to disk and replaces an earlier one.
    pub fn finish(self) -> io::Result<()> {
        self.flush_to_disk()?;
        self.place(true)
    }

    /// As [`OutputFile::finish`], but an existing file is not replaced.
    pub fn finish_new(self) -> io::Result<()> {
        self.flush_to_disk()?;
        self.place(false)
    }

    /// Waits until a regular file is on the disk.
    pub(crate) fn flush_to_disk(&self) -> io::Result<()> {
        match &self.0 {
            Target::Replace(file, ..) => file.as_file().sync_all(),
            Target::Direct(_) => Ok(()),
        }
    }

    /// Moves a regular file that is on the disk to its place. An existing file is replaced if
    /// `replace` is set.
    pub(crate) fn place(self, replace: bool) -> io::Result<()> {
        match self.0 {
            Target::Replace(file, destination, read) => {
                read.check(&destination)?;
                file.place(&destination, replace)
            }
            Target::Direct(mut to) => to.flush(),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Replace(file, ..) => file.write(bytes),
            Target::Direct(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Replace(file, ..) => file.flush(),
            Target::Direct(to) => to.flush(),
        }
    }
}

/// Whether the file is empty or starts with `start`: then it may be replaced by a file that does.
pub(crate) fn is_empty_or_starts_with(path: &Path, start: &str) -> bool {
    let mut head = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(start.len() as u64).read_to_end(&mut head));
    read.is_ok() && (head.is_empty() || head == start.as_bytes())
}
