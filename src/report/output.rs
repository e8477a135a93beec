//! Files that a command writes.

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use super::temporary::TemporaryFile;
use crate::text::open_regular;

/// Maximum number of links that are followed to a file that does not exist yet.
const MAX_LINKS: usize = 40;

/// A file that is being written. A regular file is replaced when it is complete, or never. Pipes,
/// terminals and devices are written to directly.
pub struct OutputFile(Target);

enum Target {
    /// A temporary file, and the path that it gets when it is complete.
    Replace(TemporaryFile, PathBuf),
    Direct(Box<dyn Write + Send>),
}

impl fmt::Debug for OutputFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Target::Replace(_, destination) => write!(f, "OutputFile({})", destination.display()),
            Target::Direct(_) => f.write_str("OutputFile"),
        }
    }
}

impl OutputFile {
    /// Starts to write `path`. A link stays: the file that it refers to is replaced or created.
    /// Opening a named pipe waits for its reader.
    ///
    /// # Errors
    /// If the directory does not exist or is not writable, or `path` is a directory.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let destination = match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if metadata.is_file() => fs::canonicalize(path)?,
            Ok(_) => return Ok(OutputFile::direct(OpenOptions::new().write(true).open(path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => link_target(path)?,
            Err(error) => return Err(error),
        };
        let file = TemporaryFile::create(parent(&destination))?;
        Ok(OutputFile(Target::Replace(file, destination)))
    }

    /// Writes to `to`, for example to standard output.
    pub fn direct(to: impl Write + Send + 'static) -> OutputFile {
        OutputFile(Target::Direct(Box::new(to)))
    }

    /// Whether what was written can be taken back: it is a regular file.
    pub(in crate::report) const fn can_go_back(&self) -> bool {
        matches!(self.0, Target::Replace(..))
    }

    /// Removes all bytes after the first `length`.
    pub(in crate::report) fn go_back(&mut self, length: u64) -> io::Result<()> {
        match &mut self.0 {
            Target::Replace(file, _) => file.go_back(length),
            Target::Direct(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    /// Asks the system to begin to write what comes after the first `start` bytes to the disk, so
    /// that a later flush waits less.
    pub(in crate::report) fn begin_sync(&self, start: u64) {
        if let Target::Replace(file, _) = &self.0 {
            file.begin_sync(start);
        }
    }

    /// Completes the file. A regular file is written to disk and replaces an earlier one.
    ///
    /// # Errors
    /// If the file cannot be written or moved. An earlier file is then unchanged.
    pub fn finish(self) -> io::Result<()> {
        self.flush_to_disk()?;
        self.place(true)
    }

    /// As [`OutputFile::finish`], but an existing file is not replaced.
    ///
    /// # Errors
    /// If the file cannot be written or moved, or a file exists.
    pub fn finish_new(self) -> io::Result<()> {
        self.flush_to_disk()?;
        self.place(false)
    }

    /// Waits until a regular file is on the disk.
    pub(in crate::report) fn flush_to_disk(&self) -> io::Result<()> {
        match &self.0 {
            Target::Replace(file, _) => file.as_file().sync_all(),
            Target::Direct(_) => Ok(()),
        }
    }

    /// Moves a regular file that is on the disk to its place. An existing file is replaced if
    /// `replace` is set.
    pub(in crate::report) fn place(self, replace: bool) -> io::Result<()> {
        match self.0 {
            Target::Replace(file, destination) => file.place(&destination, replace),
            Target::Direct(mut to) => to.flush(),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Target::Replace(file, _) => file.write(bytes),
            Target::Direct(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Target::Replace(file, _) => file.flush(),
            Target::Direct(to) => to.flush(),
        }
    }
}

/// Whether the file is empty or starts with `start`: then it may be replaced by a file that does.
pub(in crate::report) fn is_empty_or_starts_with(path: &Path, start: &str) -> bool {
    let mut head = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(start.len() as u64).read_to_end(&mut head));
    read.is_ok() && (head.is_empty() || head == start.as_bytes())
}

/// The directory of a file.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path that a link to a missing file refers to. Other paths are returned as they are.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !path.is_symlink() {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = parent(&path).join(target);
    }
    Err(io::Error::other("too many links"))
}
