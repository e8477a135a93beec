//! The directory of a report, which replaces an earlier report in one step.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    ReportError,
    own_directory::{OwnDirectory, is_own, remove_own},
    run_files::CheckedFiles,
    temporary::Workspace,
};

/// Maximum number of reports that are kept next to a destination.
const MAX_KEPT: usize = 99;

/// Maximum number of times that other runs may replace a destination while one run looks at it or
/// replaces it.
const MAX_RACES: usize = 1000;

/// What exists at the destination of a report.
#[derive(Debug, PartialEq, Eq)]
enum Existing {
    Nothing,
    EmptyDirectory,
    /// An earlier report and nothing else.
    Report,
    /// An earlier report, and these files or directories that are not part of one.
    ReportAmong(Vec<OsString>),
    Foreign,
}

impl Existing {
    /// What exists at `path`. If another run replaces it meanwhile, it is looked at again.
    fn of(path: &Path, wanted: OwnDirectory) -> io::Result<Existing> {
        for _ in 0..MAX_RACES {
            let before = identity(path);
            let existing = Existing::seen(path, wanted);
            let is_gone = existing.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            if !is_gone && identity(path) == before {
                return existing;
            }
        }
        Existing::seen(path, wanted)
    }

    fn seen(path: &Path, wanted: OwnDirectory) -> io::Result<Existing> {
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
        if !wanted.is_one(path) {
            return Ok(Existing::Foreign);
        }
        let others = wanted.others(path)?;
        Ok(if others.is_empty() { Existing::Report } else { Existing::ReportAmong(others) })
    }

    /// Whether a report can replace what exists at `path`.
    fn replaceable(self, path: &Path) -> Result<Existing, ReportError> {
        match self {
            Existing::Foreign => Err(ReportError::Foreign { path: path.to_owned() }),
            Existing::ReportAmong(others) => Err(ReportError::OtherFiles { path: path.to_owned(), others }),
            existing => Ok(existing),
        }
    }
}

/// A report that is being written to a temporary directory next to its destination. It is removed
/// if it is dropped before it is finished.
#[derive(Debug)]
pub(crate) struct Unfinished {
    destination: PathBuf,
    kind: OwnDirectory,
    workspace: Workspace,
    path: PathBuf,
    /// Files that are not replaced.
    read: CheckedFiles,
}

impl Unfinished {
    /// Begins a directory of this kind.
    pub(crate) fn create(destination: &Path, kind: OwnDirectory) -> Result<Unfinished, ReportError> {
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
        if target.file_name().is_none() {
            return Err(ReportError::Foreign { path: destination.to_owned() });
        }
        if Existing::of(&target, kind).map_err(unwritable)?.replaceable(destination)? == Existing::Report {
            kind.check_unedited(&target, destination)?;
        }
        let workspace = Workspace::create(&parent).map_err(unwritable)?;
        let path = match kind {
            OwnDirectory::Report => workspace.new_report(),
            OwnDirectory::CleanCorpus { .. } => workspace.new_corpus().map_err(unwritable)?,
        };
        Ok(Unfinished { destination: target, kind, workspace, path, read: CheckedFiles::default() })
    }

    /// The same, but no file of the earlier report that is read is replaced.
    pub(crate) fn apart_from(self, read: &CheckedFiles) -> Unfinished {
        Unfinished { read: read.clone(), ..self }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where files are kept while a clean corpus is made.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.workspace.scratch()
    }

    /// Moves the report to its destination. An earlier report or an empty directory is replaced,
    /// and so is a report that another run has moved there meanwhile.
    pub(crate) fn finish(self) -> Result<(), ReportError> {
        for _ in 1..MAX_RACES {
            match self.replace() {
                Err(ReportError::Swap { source, .. }) if is_race(&source) => {}
                replaced => return replaced,
            }
        }
        self.replace()
    }

    fn replace(&self) -> Result<(), ReportError> {
        let failed = |source| ReportError::Swap { path: self.destination.clone(), source };
        // A signal that arrives now waits until the report is in place.
        let held = self.workspace.hold();
        let existing = Existing::of(&self.destination, self.kind).map_err(failed)?;
        self.read.check_report(&self.destination).map_err(failed)?;
        if let Existing::ReportAmong(others) = existing {
            return Err(self.keep_beside(others));
        }
        if existing == Existing::Report {
            self.kind.check_unedited(&self.destination, &self.destination)?;
        }
        match existing.replaceable(&self.destination)? {
            Existing::Nothing => self.place().map_err(failed)?,
            Existing::EmptyDirectory => {
                fs::remove_dir(&self.destination).map_err(failed)?;
                self.place().map_err(failed)?;
            }
            _ => {
                if !exchange(&self.path, &self.destination).map_err(failed)? {
                    self.set_aside().map_err(failed)?;
                    self.place_or_restore()?;
                }
            }
        }
        drop(held);
        // The earlier report is removed with the workspace.
        Ok(())
    }

    /// Moves the new report next to its destination, to which somebody added files during the
    /// audit.
    fn keep_beside(&self, others: Vec<OsString>) -> ReportError {
        let path = self.destination.clone();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let free = |path: &PathBuf| path.symlink_metadata().is_err();
        let kept = (1..=MAX_KEPT).map(|number| path.with_file_name(format!("{name}-{number}"))).find(free);
        let Some(kept) = kept else { return ReportError::OtherFiles { path, others } };
        match fs::rename(&self.path, &kept) {
            Ok(()) => ReportError::Kept { path, others, kept },
            Err(source) => ReportError::Swap { path, source },
        }
    }

    /// Moves the earlier report away. If the process is killed before [`Unfinished::place`], the
    /// next run moves it back.
    fn set_aside(&self) -> io::Result<()> {
        fs::rename(&self.destination, self.workspace.old_report(&self.destination))
    }

    /// Moves the new report to its destination.
    fn place(&self) -> io::Result<()> {
        fs::rename(&self.path, &self.destination)
    }

    /// Moves the new report to its destination, or else the earlier report back. If another run has
    /// moved a report there meanwhile, the earlier one is not needed any more.
    fn place_or_restore(&self) -> Result<(), ReportError> {
        let Err(source) = self.place() else { return Ok(()) };
        let path = self.destination.clone();
        if !is_race(&source) || !is_own(&path) {
            return Err(self.restore(source));
        }
        let backup = self.workspace.old_report(&path);
        match remove_own(&backup) {
            Ok(()) => Err(ReportError::Swap { path, source }),
            Err(source) => Err(ReportError::BackupLeft { path, backup, source }),
        }
    }

    /// Moves the earlier report back after the error `source`.
    fn restore(&self, source: io::Error) -> ReportError {
        let backup = self.workspace.old_report(&self.destination);
        let path = self.destination.clone();
        match fs::rename(&backup, &self.destination) {
            Ok(()) => ReportError::Swap { path, source },
            Err(_) => ReportError::BackupLeft { path, backup, source },
        }
    }
}

/// Whether moving a report failed because another run has just moved or removed the destination.
fn is_race(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound)
}

/// What tells a directory from another one at the same path; `None` if there is none.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::symlink_metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<std::time::SystemTime> {
    fs::symlink_metadata(path).and_then(|metadata| metadata.created()).ok()
}

/// Exchanges two directories in one step. Returns false if the system cannot do that.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<bool> {
    use rustix::{
        fs::{CWD, RenameFlags, renameat_with},
        io::Errno,
    };
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        // The file system or the kernel does not support it.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{TOOL, files::RUN_FILE};

    fn unfinished(destination: &Path, name: &str) -> Result<Unfinished, ReportError> {
        let unfinished = Unfinished::create(destination, OwnDirectory::Report)?;
        let write = |source| ReportError::Write { file: RUN_FILE.into(), source };
        fs::write(unfinished.path().join(RUN_FILE), format!("{{\"tool\": \"{TOOL}\"}}")).map_err(write)?;
        fs::write(unfinished.path().join(name), name).map_err(write)?;
        Ok(unfinished)
    }

    fn names(directory: &Path) -> io::Result<Vec<std::ffi::OsString>> {
        let mut names = fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

    /// A directory, the place of a report in it, and a second report that is replacing the first
    /// one: the first one has been moved away.
    fn between_the_steps() -> Outcome<(tempfile::TempDir, PathBuf, Unfinished)> {
        let home = tempfile::tempdir()?;
        let place = home.path().join("report");
        unfinished(&place, "moves.csv")?.finish()?;
        let second = unfinished(&place, "tags.csv")?;
        second.set_aside()?;
        Ok((home, place, second))
    }

    #[test]
    fn the_next_run_restores_a_report_that_a_killed_run_moved_away() -> Outcome {
        let (home, place, second) = between_the_steps()?;
        assert!(!place.exists());
        // What a kill leaves.
        second.workspace.keep();
        drop(unfinished(&place, "epd.csv")?);
        assert_eq!(names(&place)?, ["moves.csv", RUN_FILE]);
        assert_eq!(names(home.path())?, ["report"]);
        Ok(())
    }

    #[test]
    fn a_run_that_waits_between_the_two_steps_keeps_its_reports() -> Outcome {
        let (home, place, second) = between_the_steps()?;
        drop(unfinished(&home.path().join("other"), "epd.csv")?);
        assert!(!place.exists());
        second.place()?;
        drop(second);
        assert_eq!(names(&place)?, [RUN_FILE, "tags.csv"]);
        assert_eq!(names(home.path())?, ["report"]);
        Ok(())
    }

    #[test]
    fn an_earlier_report_is_moved_back_if_the_new_one_cannot_be_placed() -> Outcome {
        let (home, place, second) = between_the_steps()?;
        let error = second.restore(io::ErrorKind::Other.into());
        assert!(matches!(error, ReportError::Swap { .. }), "{error}");
        assert_eq!(names(&place)?, ["moves.csv", RUN_FILE]);
        // A run that ends between the two steps, for example by a panic, moves it back too.
        second.set_aside()?;
        drop(second);
        assert_eq!(names(&place)?, ["moves.csv", RUN_FILE]);
        assert_eq!(names(home.path())?, ["report"]);
        Ok(())
    }

    #[test]
    fn a_report_that_another_run_has_moved_there_meanwhile_is_replaced() -> Outcome {
        let (home, place, second) = between_the_steps()?;
        unfinished(&place, "epd.csv")?.finish()?;
        let error = second.place_or_restore().expect_err("there is a report");
        assert!(matches!(&error, ReportError::Swap { source, .. } if is_race(source)), "{error}");
        assert_eq!(names(&place)?, ["epd.csv", RUN_FILE]);
        second.finish()?;
        assert_eq!(names(&place)?, [RUN_FILE, "tags.csv"]);
        assert_eq!(names(home.path())?, ["report"]);
        Ok(())
    }

    #[test]
    fn an_old_report_is_never_removed_for_something_else() -> Outcome {
        let (home, place, second) = between_the_steps()?;
        fs::write(&place, "mine")?;
        let error = second.restore(io::ErrorKind::Other.into());
        let ReportError::BackupLeft { backup, .. } = &error else { return Err(error.into()) };
        drop(second);
        drop(unfinished(&home.path().join("other"), "epd.csv")?);
        assert_eq!(names(backup)?, ["moves.csv", RUN_FILE]);
        assert_eq!(fs::read_to_string(&place)?, "mine");
        // When the place is free again, the next run moves the report back.
        fs::remove_file(&place)?;
        drop(unfinished(&home.path().join("other"), "epd.csv")?);
        assert_eq!(names(&place)?, ["moves.csv", RUN_FILE]);
        assert_eq!(names(home.path())?, ["report"]);
        Ok(())
    }

    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    #[test]
    fn directories_are_exchanged_in_one_step() -> Outcome {
        let home = tempfile::tempdir()?;
        let (one, other) = (home.path().join("one"), home.path().join("other"));
        fs::create_dir(&one)?;
        fs::create_dir(&other)?;
        fs::write(one.join("a"), "")?;
        if !exchange(&one, &other)? {
            println!("not run: the file system of {} cannot exchange directories", home.path().display());
            return Ok(());
        }
        assert!(other.join("a").exists() && !one.join("a").exists());
        assert!(exchange(&one, &home.path().join("none")).is_err());
        Ok(())
    }
}
