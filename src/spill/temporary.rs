//! Temporary files without a name.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
};

use memmap2::Mmap;

use super::mapped::map;

/// Where temporary files go, once that is chosen.
static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();

/// Chooses where the temporary files of this process go: what does not fit in memory. Without this,
/// it is `/tmp` on Unix, and what the system names on Windows. Only the first choice counts.
pub fn use_temporary_directory(directory: impl Into<PathBuf>) {
    let _ = DIRECTORY.set(directory.into());
}

fn directory() -> &'static Path {
    DIRECTORY.get_or_init(|| if cfg!(unix) { PathBuf::from("/tmp") } else { system_directory() })
}

#[allow(clippy::disallowed_methods, reason = "only the system knows it on Windows")]
fn system_directory() -> PathBuf {
    std::env::temp_dir()
}

/// An error with a temporary file, which has no name of its own. It says where the file is.
#[derive(Debug, thiserror::Error)]
#[error("a temporary file in `{directory}` failed: {reason}; make room there, or choose another directory with TMPDIR")]
struct TemporaryFailed {
    directory: String,
    reason: io::Error,
}

/// The error with a temporary file for `reason`.
pub fn temporary_failed(reason: io::Error) -> io::Error {
    let directory = directory().display().to_string();
    io::Error::new(reason.kind(), TemporaryFailed { directory, reason })
}

/// Whether a temporary file failed, rather than what was read.
pub fn is_temporary_failure(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|error| error.is::<TemporaryFailed>())
}

/// A new temporary file without a name.
pub fn temporary_file() -> io::Result<File> {
    tempfile::tempfile_in(directory()).map_err(temporary_failed)
}

/// Writes to a temporary file. Errors name its directory.
#[derive(Debug)]
pub struct TemporaryWriter<'a>(pub &'a mut File);

impl Write for TemporaryWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(temporary_failed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(temporary_failed)
    }
}

/// A temporary file that is written at its end and read anywhere. It is created when it is first
/// needed.
#[derive(Debug, Default)]
pub(super) struct Appended {
    file: Option<File>,
    length: u64,
}

impl Appended {
    pub const fn new() -> Appended {
        Appended { file: None, length: 0 }
    }

    /// Number of bytes.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Adds bytes. There is no buffer, so they should be many.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(temporary_file()?),
        };
        // A failed write may have written a part.
        let written = file.seek(SeekFrom::Start(self.length)).and_then(|_| file.write_all(bytes));
        written.map_err(temporary_failed)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Adds the bytes of another file. Returns where they begin.
    pub fn append_file(&mut self, other: Appended) -> io::Result<u64> {
        let start = self.length;
        match (&mut self.file, other.file) {
            (None, file) => self.file = file,
            (Some(_), None) => {}
            (Some(own), Some(mut file)) => {
                let ready = file.rewind().and_then(|()| own.seek(SeekFrom::Start(start)));
                let copied = ready.and_then(|_| io::copy(&mut file.take(other.length), own)).map_err(temporary_failed)?;
                if copied < other.length {
                    return Err(temporary_failed(io::ErrorKind::UnexpectedEof.into()));
                }
            }
        }
        self.length += other.length;
        Ok(start)
    }

    /// The bytes in memory, if there is a file and it can be mapped. Nothing may be added any more.
    pub fn mapped(&self) -> Option<Mmap> {
        self.file.as_ref().and_then(|file| map(file).ok())
    }

    /// Reads bytes from `at` until `bytes` is full, or the file ends. Returns their number.
    pub fn read(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let mut read = 0;
        while let Some(file) = &self.file
            && read < bytes.len()
        {
            match read_at(file, &mut bytes[read..], at + read as u64) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(temporary_failed(error)),
            }
        }
        Ok(read)
    }

    /// Fills `bytes` with the bytes from `at`.
    pub fn read_exact(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        if self.read(bytes, at)? == bytes.len() { Ok(()) } else { Err(temporary_failed(io::ErrorKind::UnexpectedEof.into())) }
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, at)
}
