//! Notices that an input changes while it is read.

use std::{
    fs::{File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::SystemTime,
};

use super::mmap::Mapping;

/// What happened to a file while it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileChange {
    /// It is shorter.
    #[error("truncated while it was read; the rest was not checked; check it again after the program that writes it has ended")]
    Truncated,
    /// Its length or modification time changed.
    #[error("changed while it was read; the rest was not checked; check it again after the program that writes it has ended")]
    Changed,
    /// A mapped part could not be read.
    #[error("cannot be read from here on; check the disk, or run with `--no-mmap` to see the error")]
    Unreadable,
}

/// A file that is being read, and its state before.
#[derive(Clone, Debug)]
pub struct Watch(Arc<Watched>);

#[derive(Debug)]
struct Watched {
    file: Handle,
    before: State,
    mapping: Option<Arc<Mapping>>,
    change: OnceLock<FileChange>,
}

/// How the state of a file is asked for.
#[derive(Debug)]
enum Handle {
    /// It is open.
    Open(File),
    /// It was read and closed. It has this path, unless it was moved or replaced.
    Closed(PathBuf, Identity),
}

impl Handle {
    /// The metadata of the file. `Ok(None)` if another file, or none, has its path.
    fn metadata(&self) -> io::Result<Option<Metadata>> {
        match self {
            Handle::Open(file) => file.metadata().map(Some),
            Handle::Closed(path, identity) => {
                Ok(path.metadata().ok().filter(|now| now.is_file() && identity_of(now) == *identity))
            }
        }
    }
}

/// What tells a file from others, where the system has something.
type Identity = (u64, u64);

#[cfg(unix)]
fn identity_of(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity_of(_: &Metadata) -> Identity {
    (0, 0)
}

/// What shows that a file changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    length: u64,
    modified: Option<SystemTime>,
}

impl State {
    pub fn of(metadata: &Metadata) -> State {
        State { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// The state of a file when it was opened. Another state shows that it changed since then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(State);

impl Watch {
    /// The state of the file before it was read.
    pub fn stamp(&self) -> Stamp {
        Stamp(self.0.before.clone())
    }

    /// Watches a regular file, whose `metadata` were read before its bytes.
    pub(super) fn new(file: File, metadata: &Metadata, mapping: Option<Arc<Mapping>>) -> Watch {
        Watch::with(Handle::Open(file), metadata, mapping)
    }

    /// Watches a regular file that was read and closed, so that only its path is known.
    pub(super) fn of_path(path: &Path, metadata: &Metadata) -> Watch {
        Watch::with(Handle::Closed(path.to_owned(), identity_of(metadata)), metadata, None)
    }

    fn with(file: Handle, metadata: &Metadata, mapping: Option<Arc<Mapping>>) -> Watch {
        Watch(Arc::new(Watched { file, before: State::of(metadata), mapping, change: OnceLock::new() }))
    }

    /// Watches a file that is read through another descriptor, if it is a regular file.
    pub(super) fn of_copy(file: io::Result<File>) -> Option<Watch> {
        let file = file.ok()?;
        let metadata = file.metadata().ok().filter(Metadata::is_file)?;
        Some(Watch::new(file, &metadata, None))
    }

    /// The length of the file before it was read.
    pub(super) fn length(&self) -> u64 {
        self.0.before.length
    }

    /// The file, if it is open.
    pub(super) fn file(&self) -> Option<&File> {
        match &self.0.file {
            Handle::Open(file) => Some(file),
            Handle::Closed(..) => None,
        }
    }

    /// The change since the file was opened, if there is one. Bytes that were read before the call
    /// are those of the original file if there is none.
    pub fn change(&self) -> Option<FileChange> {
        let Watched { file, before, mapping, change } = &*self.0;
        if let Some(change) = change.get() {
            return Some(*change);
        }
        // A file on a network may be gone, which says as much as another state.
        let now = match file.metadata() {
            Ok(None) => return None,
            Ok(Some(metadata)) => Some(State::of(&metadata)),
            Err(_) => None,
        };
        let found = match now {
            Some(now) if now == *before => mapping.as_ref().filter(|mapping| mapping.is_lost()).map(|_| FileChange::Unreadable),
            Some(now) if now.length < before.length => Some(FileChange::Truncated),
            _ => Some(FileChange::Changed),
        };
        found.map(|found| *change.get_or_init(|| found))
    }
}
