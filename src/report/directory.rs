//! The place of a report: what stands there, and how a finished report gets there in one step.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use tempfile::TempDir;

use super::{ReportError, TOOL};

/// The file by which a report is known.
pub(super) const RUN_FILE: &str = "run.json";

/// What stands where a report is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Nothing,
    EmptyDirectory,
    Report,
    Foreign,
}

impl Standing {
    fn of(path: &Path) -> io::Result<Standing> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Standing::Nothing),
            Err(error) => return Err(error),
        };
        if !metadata.is_dir() {
            return Ok(Standing::Foreign);
        }
        if fs::read_dir(path)?.next().is_none() {
            return Ok(Standing::EmptyDirectory);
        }
        Ok(if is_report(path) { Standing::Report } else { Standing::Foreign })
    }
}

/// Whether a directory was written by this program: its `run.json` says so.
fn is_report(directory: &Path) -> bool {
    const MAX_BYTES: u64 = 1 << 20;
    #[derive(Deserialize)]
    struct Signed {
        tool: String,
    }
    let read = || {
        let mut text = String::new();
        let path = directory.join(RUN_FILE);
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        fs::File::open(path)?.take(MAX_BYTES).read_to_string(&mut text)?;
        serde_json::from_str::<Signed>(&text).map_err(io::Error::from)
    };
    read().is_ok_and(|signed| signed.tool == TOOL)
}

/// A directory that is being filled beside the place that it will be moved to. Dropped before that, it goes away.
#[derive(Debug)]
pub(super) struct Unfinished {
    destination: PathBuf,
    parent: PathBuf,
    directory: TempDir,
}

impl Unfinished {
    pub(super) fn create(destination: &Path) -> Result<Unfinished, ReportError> {
        let unwritable = |source| ReportError::Unwritable { path: destination.to_owned(), source };
        // A link to a report stays a link to a report: what it leads to is replaced. (One that leads nowhere is foreign.)
        let place = fs::canonicalize(destination).unwrap_or_else(|_| destination.to_owned());
        let parent = match place.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => return Err(ReportError::Foreign { path: destination.to_owned() }),
        };
        if !parent.exists() {
            return Err(ReportError::NoParent { path: parent });
        }
        if place.file_name().is_none() || Standing::of(&place).map_err(unwritable)? == Standing::Foreign {
            return Err(ReportError::Foreign { path: destination.to_owned() });
        }
        let directory = beside(&parent, "part").map_err(unwritable)?;
        Ok(Unfinished { destination: place, parent, directory })
    }

    pub(super) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Moves the directory to its place. What was there is replaced if it is still a report of ours or empty.
    pub(super) fn finish(self) -> Result<(), ReportError> {
        let Unfinished { destination, parent, directory } = self;
        let failed = |source| ReportError::Swap { path: destination.clone(), source };
        match Standing::of(&destination).map_err(failed)? {
            Standing::Foreign => return Err(ReportError::Foreign { path: destination }),
            Standing::Nothing => fs::rename(directory.path(), &destination).map_err(failed)?,
            Standing::EmptyDirectory => {
                fs::remove_dir(&destination).map_err(failed)?;
                fs::rename(directory.path(), &destination).map_err(failed)?;
            }
            Standing::Report => {
                let aside = beside(&parent, "old").map_err(failed)?;
                let name = destination.file_name().unwrap_or(OsStr::new("report"));
                let old = aside.path().join(name);
                fs::rename(&destination, &old).map_err(failed)?;
                if let Err(source) = fs::rename(directory.path(), &destination) {
                    if fs::rename(&old, &destination).is_ok() {
                        return Err(failed(source));
                    }
                    let aside = aside.keep().join(name);
                    return Err(ReportError::Aside { path: destination, aside, source });
                }
                // The new report is in its place; remains of the old one do no harm.
                drop(aside);
            }
        }
        // It bears another name now: nothing is left to be removed.
        let _ = directory.keep();
        Ok(())
    }
}

/// A new directory in `parent`, for everybody whom the umask lets in.
fn beside(parent: &Path, what: &str) -> io::Result<TempDir> {
    let prefix = format!(".{TOOL}-{what}-");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    builder.tempdir_in(parent)
}
