//! Notices that an input changes while it is read.

use std::{
    fs::{File, Metadata},
    io,
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
    file: File,
    before: State,
    mapping: Option<Arc<Mapping>>,
    change: OnceLock<FileChange>,
}

#[derive(Debug, PartialEq, Eq)]
struct State {
    length: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(metadata: &Metadata) -> State {
        State { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Watch {
    /// Watches a regular file, whose `metadata` were read before its bytes.
    pub(super) fn new(file: File, metadata: &Metadata, mapping: Option<Arc<Mapping>>) -> Watch {
        Watch(Arc::new(Watched { file, before: State::of(metadata), mapping, change: OnceLock::new() }))
    }

    /// Watches a file that is read through another descriptor, if it is a regular file.
    pub(super) fn of_copy(file: io::Result<File>) -> Option<Watch> {
        let file = file.ok()?;
        let metadata = file.metadata().ok().filter(Metadata::is_file)?;
        Some(Watch::new(file, &metadata, None))
    }

    /// The change since the file was opened, if there is one. Bytes that were read before the call
    /// are those of the original file if there is none.
    pub fn change(&self) -> Option<FileChange> {
        let Watched { file, before, mapping, change } = &*self.0;
        if let Some(change) = change.get() {
            return Some(*change);
        }
        // A file on a network may be gone, which says as much as another state.
        let now = file.metadata().ok().map(|metadata| State::of(&metadata));
        let found = match now {
            Some(now) if now == *before => mapping.as_ref().filter(|mapping| mapping.is_lost()).map(|_| FileChange::Unreadable),
            Some(now) if now.length < before.length => Some(FileChange::Truncated),
            _ => Some(FileChange::Changed),
        };
        found.map(|found| *change.get_or_init(|| found))
    }
}
