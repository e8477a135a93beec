//! The content of an input: bytes in memory, or a stream.

use std::{
    collections::HashSet,
    fmt,
    fs::File,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    Bytes, Globs, Input, Skipped, Source, Watch, mmap::map, packed, packing::without_packing, preload::preload,
    scan::is_wanted_member, watch::State,
};
use crate::text::{NotRegular, open_at_once, open_regular};

/// The content of an input.
pub enum Content {
    /// All bytes.
    Whole(Bytes),
    /// An unbuffered stream: a pipe, or a file that is not mapped. A file is watched.
    Stream(Box<dyn Read + Send>, Option<Watch>),
}

impl Content {
    /// Shows whether the content changed; `None` if it cannot.
    pub fn watch(&self) -> Option<&Watch> {
        match self {
            Content::Whole(bytes) => bytes.watch(),
            Content::Stream(_, watch) => watch.as_ref(),
        }
    }

    /// The size of the file when it was opened, compressed or not, or of the archive that contains
    /// the input; `None` if it is not known.
    pub fn stored_size(&self) -> Option<u64> {
        match (self.watch(), self) {
            (Some(watch), _) => Some(watch.length()),
            (None, Content::Whole(bytes)) => Some(bytes.len() as u64),
            (None, Content::Stream(..)) => None,
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Whole(bytes) => f.debug_tuple("Whole").field(bytes).finish(),
            Content::Stream(..) => f.write_str("Stream"),
        }
    }
}

/// An input cannot be opened. The name of the input precedes the message: `a.pgn: cannot open:
/// ...`.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The operating system returned an error.
    #[error("cannot open: {source}")]
    Refused {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The member of an archive cannot be decompressed.
    #[error("cannot decompress: {source}")]
    Member {
        /// The reason.
        source: io::Error,
    },
    /// The path is a directory. Either it could not be searched before the audit, at least not
    /// completely, or it replaced a file since then.
    #[error("cannot search this directory completely; check its permissions and the disk")]
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// The path was a regular file when the inputs were found. To open what replaced it may wait
    /// for ever.
    #[error("cannot open: no longer a regular file, but a {}; check it again after the file is back", kind.as_str())]
    NotRegular {
        /// The file.
        path: PathBuf,
        /// What it is now.
        kind: NotRegular,
    },
}

impl OpenError {
    /// The error of opening a file at `path`.
    fn of(path: &Path, source: io::Error) -> OpenError {
        let path = path.to_owned();
        match NotRegular::of_error(&source) {
            Some(NotRegular::Directory) => OpenError::Directory { path },
            Some(kind) => OpenError::NotRegular { path, kind },
            None => OpenError::Refused { path, source },
        }
    }
}

impl Input {
    /// Opens the input. A regular file is mapped if `map_files` is set and the file system supports
    /// it. All other inputs are streams, and so are files of length 0, such as those in `/proc`.
    /// Only
    /// [`Source::Special`] may wait for another program.
    pub fn open(&self, map_files: bool) -> Result<Content, OpenError> {
        let path = match &self.source {
            Source::Bytes(bytes) => return Ok(Content::Whole(bytes.clone())),
            Source::Member(member) => {
                let reader = member.unpack().map_err(|source| OpenError::Member { source })?;
                return Ok(Content::Stream(reader, member.watch().cloned()));
            }
            Source::Stdin => return Ok(Content::Stream(Box::new(io::stdin()), watch_stdin())),
            Source::Special(path) => return open_special(path),
            Source::File(path) => path,
        };
        let refused = |source| OpenError::of(path, source);
        let file = open_regular(path).map_err(refused)?;
        let metadata = file.metadata().map_err(refused)?;
        if map_files && metadata.len() > 0 {
            if metadata.len() <= MAX_COPIED {
                if let Some(text) = read_whole(&file, metadata.len()) {
                    return Ok(Content::Whole(Bytes::copied(Arc::from(text), Some(Watch::of_path(path, &metadata)))));
                }
                (&file).rewind().map_err(refused)?;
            }
            if let Ok(mapped) = map(&file) {
                let mapped = Arc::new(mapped);
                let watch = Watch::new(file, &metadata, Some(Arc::clone(&mapped)));
                return Ok(Content::Whole(Bytes::watched(mapped, watch)));
            }
        }
        let watch = Watch::of_copy(file.try_clone());
        Ok(Content::Stream(Box::new(file), watch))
    }

    /// Opens a file as a stream from byte `from` on.
    pub fn open_at(&self, from: u64) -> Result<Content, OpenError> {
        let Source::File(path) = &self.source else { return self.open(false) };
        let refused = |source| OpenError::of(path, source);
        let mut file = open_regular(path).map_err(refused)?;
        file.seek(io::SeekFrom::Start(from)).map_err(refused)?;
        let watch = Watch::of_copy(file.try_clone());
        Ok(Content::Stream(Box::new(file), watch))
    }

    /// Reads a regular file that is so small that it is read at once instead of mapped, and that
    /// does not change meanwhile. `None` for everything else. A change after that is noticed if it
    /// is `watched`.
    pub fn read_small(&self, watched: bool) -> Option<Content> {
        let Source::File(path) = &self.source else { return None };
        // Whoever writes to a named pipe would notice that it was opened. A search finds none.
        if !self.scanned && !path.metadata().ok()?.is_file() {
            return None;
        }
        let file = open_at_once(path).ok()?;
        let before = file.metadata().ok().filter(|before| before.is_file() && (1..=MAX_COPIED).contains(&before.len()))?;
        let text = read_whole(&file, before.len())?;
        let is_same = State::of(&before) == State::of(&file.metadata().ok()?);
        let watch = watched.then(|| Watch::of_path(path, &before));
        is_same.then(|| Content::Whole(Bytes::copied(Arc::from(text), watch)))
    }

    /// Asks the system to read a file, up to the length of a small one, if it is not in memory.
    /// Returns whether it is not.
    pub fn preload(&self) -> bool {
        let Source::File(path) = &self.source else { return false };
        open_regular(path).is_ok_and(|file| preload(&file, 0..MAX_COPIED))
    }

    /// Reads a member of an archive of at most [`MAX_MEMBER`] bytes at once. `None` for everything
    /// else, and for what cannot be read.
    pub fn read_member(&self) -> Option<Content> {
        let Source::Member(member) = &self.source else { return None };
        let length = usize::try_from(member.size()).ok().filter(|length| (1..=MAX_MEMBER).contains(length))?;
        let mut reader = member.unpack().ok()?;
        let mut text: Arc<[u8]> = std::iter::repeat_n(0, length).collect();
        reader.read_exact(Arc::get_mut(&mut text)?).ok()?;
        // The checksum is verified at the end.
        let is_whole = reader.read(&mut [0]).ok()? == 0;
        is_whole.then(|| Content::Whole(Bytes::copied(text, member.watch().cloned())))
    }

    /// The size of the file in bytes, compressed or not; `None` if it is not a file.
    pub fn size_on_disk(&self) -> Option<u64> {
        let Source::File(path) = &self.source else { return None };
        let metadata = path.metadata().ok()?;
        metadata.is_file().then_some(metadata.len())
    }

    /// The number of bytes of text, or `None` if it is not known without reading the input. It is
    /// not known for compressed files.
    pub fn size(&self) -> Option<u64> {
        match &self.source {
            Source::Bytes(bytes) => Some(bytes.len() as u64),
            Source::Member(member) => Some(member.size()),
            Source::Stdin | Source::Special(_) => None,
            Source::File(path) => {
                let name = path.to_string_lossy();
                if without_packing(&name) != name {
                    return None;
                }
                let metadata = path.metadata().ok()?;
                metadata.is_file().then_some(metadata.len())
            }
        }
    }
}

/// Opens a pipe or a device that the user has named. A stream of games makes sense, so this waits
/// for whoever writes it.
fn open_special(path: &Path) -> Result<Content, OpenError> {
    let refused = |source| OpenError::of(path, source);
    let file = File::open(path).map_err(refused)?;
    if file.metadata().map_err(refused)?.is_dir() {
        return Err(OpenError::Directory { path: path.to_owned() });
    }
    let watch = Watch::of_copy(file.try_clone());
    Ok(Content::Stream(Box::new(file), watch))
}

/// Up to this size in bytes, reading a file costs less than mapping it.
pub const MAX_COPIED: u64 = 1 << 16;

/// Maximum length of the text of a member of an archive that is read at once, in bytes.
pub const MAX_MEMBER: usize = 1 << 24;

/// The bytes of a file of this length; `None` if it is shorter or cannot be read.
fn read_whole(mut file: &File, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// Watches standard input if it is a file.
fn watch_stdin() -> Option<Watch> {
    #[cfg(unix)]
    return Watch::of_copy(std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned().map(File::from));
    #[cfg(not(unix))]
    None
}

/// What a zip archive contains.
#[derive(Debug)]
pub struct Members {
    /// The inputs, in the order of the archive.
    pub inputs: Vec<Input>,
    /// Members that are not inputs.
    pub skipped: Skipped,
    /// Why other members could not be found.
    pub failure: Option<io::Error>,
}

/// The inputs in the zip archive `archive`, named `name`. Members are chosen like the files of a
/// directory. A name that occurs again gets a number, as in `a.zip/games.pgn (2)`.
pub fn members(archive: &Bytes, name: &str, exclude: &Globs) -> Members {
    let (found, failure) = packed::members(archive);
    let mut members = Members { inputs: Vec::new(), skipped: Skipped::default(), failure };
    let mut names = HashSet::new();
    for (inner, member) in found {
        let inner = inner.trim_start_matches("./");
        let plain = format!("{name}/{inner}");
        if is_wanted_member(inner, &plain, exclude, &mut members.skipped) {
            let numbered = (2_u64..).map(|number| format!("{plain} ({number})"));
            let unused = [plain.clone()].into_iter().chain(numbered).find(|name| names.insert(name.clone()));
            let name = unused.unwrap_or(plain);
            members.inputs.push(Input { name, source: Source::Member(member), format: None, scanned: true });
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use std::{error::Error, io::Write};

    use super::*;

    type Outcome = Result<(), Box<dyn Error>>;

    fn file(path: &std::path::Path) -> Input {
        Input { name: "x".into(), source: Source::File(path.to_owned()), format: None, scanned: false }
    }

    fn read(content: Content) -> io::Result<Vec<u8>> {
        match content {
            Content::Whole(bytes) => Ok(bytes.to_vec()),
            Content::Stream(mut stream, _) => {
                let mut bytes = Vec::new();
                stream.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    #[test]
    fn a_file_is_mapped_or_read_and_holds_the_same() -> Outcome {
        let mut temporary = tempfile::NamedTempFile::new()?;
        temporary.write_all(b"1. e4 *\n")?;
        let input = file(temporary.path());
        assert_eq!(input.size(), Some(8));
        let mapped = input.open(true)?;
        assert!(matches!(mapped, Content::Whole(_)));
        assert_eq!(read(mapped)?, b"1. e4 *\n");
        let streamed = input.open(false)?;
        assert!(matches!(streamed, Content::Stream(..)));
        assert_eq!(read(streamed)?, b"1. e4 *\n");
        Ok(())
    }

    #[test]
    fn only_small_regular_files_are_read_at_once() -> Outcome {
        let mut temporary = tempfile::NamedTempFile::new()?;
        let input = file(temporary.path());
        assert!(input.read_small(false).is_none(), "empty");
        temporary.write_all(b"1. e4 *\n")?;
        assert_eq!(read(input.read_small(false).ok_or("not read")?)?, b"1. e4 *\n");
        temporary.as_file().set_len(MAX_COPIED)?;
        assert!(input.read_small(false).is_some());
        temporary.as_file().set_len(MAX_COPIED + 1)?;
        assert!(input.read_small(false).is_none(), "large");
        let directory = tempfile::tempdir()?;
        assert!(file(directory.path()).read_small(false).is_none(), "a directory");
        #[cfg(unix)]
        {
            let pipe = directory.path().join("pipe.pgn");
            rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
            assert!(file(&pipe).read_small(false).is_none(), "a pipe that nobody writes to");
            let own = pipe.clone();
            let writer = std::thread::spawn(move || std::fs::write(own, "1. e4 *\n"));
            // The writer waits until the pipe is opened.
            assert!((0..10_000).all(|_| file(&pipe).read_small(false).is_none()));
            assert!(!writer.is_finished(), "the pipe was opened");
            assert!((0..100).all(|_| matches!(file(&pipe).open(true), Err(OpenError::NotRegular { .. }))));
            assert!((0..100).all(|_| matches!(file(&pipe).open_at(0), Err(OpenError::NotRegular { .. }))));
            assert!(!writer.is_finished(), "the pipe was opened");
            let special = Input { source: Source::Special(pipe.clone()), ..file(&pipe) };
            assert_eq!((special.size(), special.size_on_disk(), special.cuts(1)), (None, None, None));
            assert_eq!(read(special.open(true)?)?, b"1. e4 *\n");
            assert!(writer.join().is_ok_and(|written| written.is_ok()));
        }
        Ok(())
    }

    #[test]
    fn an_empty_file_is_no_error() -> Outcome {
        let temporary = tempfile::NamedTempFile::new()?;
        assert_eq!(read(file(temporary.path()).open(true)?)?, b"");
        Ok(())
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_claims_to_be_empty_is_read() -> Outcome {
        let bytes = read(file(std::path::Path::new("/proc/self/status")).open(true)?)?;
        assert!(bytes.starts_with(b"Name:"));
        Ok(())
    }

    #[test]
    fn a_directory_and_a_missing_file_are_errors() -> Outcome {
        let directory = tempfile::tempdir()?;
        assert!(file(directory.path()).open(true).is_err());
        let missing = file(&directory.path().join("none.pgn")).open(true);
        assert!(matches!(missing, Err(OpenError::Refused { .. })));
        Ok(())
    }
}
