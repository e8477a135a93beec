//! Opens regular files, and refuses everything else before it is read.
//!
//! Opening a named pipe waits until another program writes to it, and a device may never end.

use std::{
    fs::{File, Metadata},
    io,
    path::Path,
};

/// What is not a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotRegular {
    /// A directory.
    #[error("it is a directory; give a file")]
    Directory,
    /// A pipe, with or without a name.
    #[error("it is a pipe; write its content to a file first")]
    Pipe,
    /// A socket.
    #[error("it is a socket; give a regular file")]
    Socket,
    /// A terminal, a disk or another device.
    #[error("it is a device; give a regular file")]
    Device,
}

impl NotRegular {
    /// What it is, if it is not a regular file.
    fn of(metadata: &Metadata) -> Option<NotRegular> {
        if metadata.is_file() {
            return None;
        }
        if metadata.is_dir() {
            return Some(NotRegular::Directory);
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            if metadata.file_type().is_fifo() {
                return Some(NotRegular::Pipe);
            }
            if metadata.file_type().is_socket() {
                return Some(NotRegular::Socket);
            }
        }
        Some(NotRegular::Device)
    }

    /// The reason of an error of [`open_regular`] or [`open_once`], if it is this one.
    pub fn of_error(error: &io::Error) -> Option<NotRegular> {
        error.get_ref()?.downcast_ref::<NotRegular>().copied()
    }

    /// What it is called.
    pub const fn as_str(self) -> &'static str {
        match self {
            NotRegular::Directory => "directory",
            NotRegular::Pipe => "pipe",
            NotRegular::Socket => "socket",
            NotRegular::Device => "device",
        }
    }
}

impl From<NotRegular> for io::Error {
    fn from(reason: NotRegular) -> io::Error {
        let kind = if reason == NotRegular::Directory { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidInput };
        io::Error::new(kind, reason)
    }
}

/// Opens a regular file for reading. Never waits, whatever the path refers to.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Whoever writes to a named pipe would notice that it was opened, and devices may react.
    check(&path.metadata()?)?;
    let file = open_at_once(path)?;
    // Another file may have replaced it since.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Opens a file that is read once, from its start to its end: a regular file, or the pipe of a
/// process substitution such as `<(zcat known.csv.gz)`. A named pipe is refused, because it may not
/// have a writer. The null device is empty.
pub fn open_once(path: &Path) -> io::Result<File> {
    match open_regular(path) {
        Err(error) if NotRegular::of_error(&error) == Some(NotRegular::Pipe) && is_descriptor(path) => File::open(path),
        Err(error) if NotRegular::of_error(&error) == Some(NotRegular::Device) && path == Path::new("/dev/null") => {
            File::open(path)
        }
        opened => opened,
    }
}

fn check(metadata: &Metadata) -> io::Result<()> {
    NotRegular::of(metadata).map_or(Ok(()), |reason| Err(reason.into()))
}

/// Whether the path names something that this process was given open. To open a pipe in this way
/// never waits.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || ["/dev/fd", "/proc/self/fd"].iter().any(|directory| path.starts_with(directory))
}

/// Opens a file. Does not wait for a writer if it is a named pipe.
pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    return std::os::unix::fs::OpenOptionsExt::custom_flags(File::options().read(true), libc::O_NONBLOCK).open(path);
    #[cfg(not(unix))]
    File::open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::{
        io::{Read, Write},
        os::{fd::AsRawFd, unix::net::UnixListener},
    };

    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn refused(path: &Path) -> Option<NotRegular> {
        let refused = |opened: io::Result<File>| opened.err().and_then(|error| NotRegular::of_error(&error));
        assert_eq!(refused(open_once(path)), refused(open_regular(path)));
        refused(open_regular(path))
    }

    #[test]
    fn only_regular_files_are_opened() -> Outcome {
        let directory = tempfile::tempdir()?;
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("file"), "text")?;
        std::os::unix::fs::symlink("file", path("link"))?;
        for name in ["file", "link"] {
            assert_eq!(io::read_to_string(open_regular(&path(name))?)?, "text");
            assert_eq!(io::read_to_string(open_once(&path(name))?)?, "text");
        }
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
        let _socket = UnixListener::bind(path("socket"))?;
        assert_eq!(refused(&path("pipe")), Some(NotRegular::Pipe));
        assert_eq!(refused(&path("socket")), Some(NotRegular::Socket));
        assert_eq!(refused(directory.path()), Some(NotRegular::Directory));
        assert_eq!(refused(Path::new("/dev/zero")), Some(NotRegular::Device));
        let missing = open_regular(&path("missing")).map(drop).map_err(|error| error.kind());
        assert_eq!(missing, Err(io::ErrorKind::NotFound));
        assert!(open_regular(Path::new("/dev/null")).is_err());
        assert_eq!(open_once(Path::new("/dev/null"))?.read(&mut [0])?, 0);
        Ok(())
    }

    /// The other program may write later, so reading must wait for it.
    #[test]
    fn a_pipe_that_was_given_open_is_waited_for() -> Outcome {
        let (reader, mut writer) = std::io::pipe()?;
        let path = format!("/dev/fd/{}", reader.as_raw_fd());
        let mut opened = open_once(Path::new(&path))?;
        assert!(!rustix::fs::fcntl_getfl(&opened)?.contains(rustix::fs::OFlags::NONBLOCK));
        writer.write_all(b"text")?;
        drop(writer);
        let mut text = String::new();
        opened.read_to_string(&mut text)?;
        assert_eq!(text, "text");
        assert_eq!(open_regular(Path::new(&path)).err().and_then(|error| NotRegular::of_error(&error)), Some(NotRegular::Pipe));
        Ok(())
    }

    #[test]
    fn whoever_writes_to_a_named_pipe_waits_on() -> Outcome {
        let directory = tempfile::tempdir()?;
        let pipe = directory.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
        let own = pipe.clone();
        let writer = std::thread::spawn(move || std::fs::write(own, "text"));
        assert!((0..10_000).all(|_| open_regular(&pipe).is_err() && open_once(&pipe).is_err()));
        assert!(!writer.is_finished(), "the pipe was opened");
        assert_eq!(std::fs::read(&pipe)?, b"text");
        assert!(writer.join().is_ok_and(|written| written.is_ok()));
        Ok(())
    }
}
