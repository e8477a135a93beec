//! The directory of a report, which replaces an earlier report in one step.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use tempfile::TempDir;

use super::{ReportError, TOOL};

/// The file that identifies a report.
pub(super) const RUN_FILE: &str = "run.json";

/// What exists at the destination of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Existing {
    Nothing,
    EmptyDirectory,
    Report,
    Foreign,
}

impl Existing {
    fn of(path: &Path) -> io::Result<Existing> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Existing::Nothing),
            Err(error) => return Err(error),
        };
        if !metadata.is_dir() {
            return Ok(Existing::Foreign);
        }
        if fs::read_dir(path)?.next().is_none() {
            return Ok(Existing::EmptyDirectory);
        }
        Ok(if is_report(path) { Existing::Report } else { Existing::Foreign })
    }
}

/// Whether the `run.json` of a directory names this program.
fn is_report(directory: &Path) -> bool {
    const MAX_BYTES: u64 = 1 << 20;
    #[derive(Deserialize)]
    struct Run {
        tool: String,
    }
    let read = || {
        let mut text = String::new();
        let path = directory.join(RUN_FILE);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        fs::File::open(path)?.take(MAX_BYTES).read_to_string(&mut text)?;
        serde_json::from_str::<Run>(&text).map_err(io::Error::from)
    };
    read().is_ok_and(|run| run.tool == TOOL)
}

/// A report that is being written to a temporary directory next to its destination. It is removed
/// if it is dropped before it is finished.
#[derive(Debug)]
pub(super) struct Unfinished {
    destination: PathBuf,
    parent: PathBuf,
    directory: TempDir,
}

impl Unfinished {
    pub(super) fn create(destination: &Path) -> Result<Unfinished, ReportError> {
        let unwritable = |source| ReportError::Unwritable { path: destination.to_owned(), source };
        // A link to a report stays: its target is replaced. A broken link is foreign.
        let target = fs::canonicalize(destination).unwrap_or_else(|_| destination.to_owned());
        let parent = match target.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => return Err(ReportError::Foreign { path: destination.to_owned() }),
        };
        if !parent.exists() {
            return Err(ReportError::NoParent { path: parent });
        }
        if target.file_name().is_none() || Existing::of(&target).map_err(unwritable)? == Existing::Foreign {
            return Err(ReportError::Foreign { path: destination.to_owned() });
        }
        let directory = temporary_directory(&parent, "part").map_err(unwritable)?;
        Ok(Unfinished { destination: target, parent, directory })
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Moves the report to its destination. An earlier report or an empty directory is replaced.
    pub(super) fn finish(self) -> Result<(), ReportError> {
        let Unfinished { destination, parent, directory } = self;
        let failed = |source| ReportError::Swap { path: destination.clone(), source };
        match Existing::of(&destination).map_err(failed)? {
            Existing::Foreign => return Err(ReportError::Foreign { path: destination }),
            Existing::Nothing => fs::rename(directory.path(), &destination).map_err(failed)?,
            Existing::EmptyDirectory => {
                fs::remove_dir(&destination).map_err(failed)?;
                fs::rename(directory.path(), &destination).map_err(failed)?;
            }
            Existing::Report => {
                let backup = temporary_directory(&parent, "old").map_err(failed)?;
                let name = destination.file_name().unwrap_or(OsStr::new("report"));
                let old = backup.path().join(name);
                fs::rename(&destination, &old).map_err(failed)?;
                if let Err(source) = fs::rename(directory.path(), &destination) {
                    if fs::rename(&old, &destination).is_ok() {
                        return Err(failed(source));
                    }
                    let backup = backup.keep().join(name);
                    return Err(ReportError::BackupLeft { path: destination, backup, source });
                }
                // The new report is in place, so errors while removing the old one do not matter.
                drop(backup);
            }
        }
        // The directory has been renamed, so there is nothing to remove.
        let _ = directory.keep();
        Ok(())
    }
}

/// Creates a temporary directory in `parent`, with the permissions that the umask allows.
fn temporary_directory(parent: &Path, purpose: &str) -> io::Result<TempDir> {
    let prefix = format!(".{TOOL}-{purpose}-");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempdir_in(parent)
}
