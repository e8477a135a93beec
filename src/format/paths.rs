//! Where files are, and which are the same, whatever names and links lead to them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Maximum number of links that are followed to a file that does not exist yet.
const MAX_LINKS: usize = 40;

/// What tells a file from all others, whatever its name is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FileId {
    /// The device and the number of the file there.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Its path without links.
    #[cfg(not(unix))]
    Path(PathBuf),
}

impl FileId {
    /// The identity of the regular file that `path` refers to; `None` if there is none. Nothing is
    /// lost in pipes and devices.
    pub fn of(path: &Path) -> Option<FileId> {
        let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(FileId::Inode(metadata.dev(), metadata.ino()))
        }
        #[cfg(not(unix))]
        {
            drop(metadata);
            path.canonicalize().ok().map(FileId::Path)
        }
    }
}

/// The directory of a file.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path that a link to a missing file refers to. Other paths are returned as they are.
pub(super) fn link_target(path: &Path) -> io::Result<PathBuf> {
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

/// A path without links. The last parts of the path may not exist.
pub(super) fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let path = link_target(path).unwrap_or_else(|_| path.to_owned());
    match path.file_name() {
        Some(name) if parent(&path) != path => resolved(parent(&path)).join(name),
        _ => path,
    }
}
