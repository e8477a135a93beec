//! Temporary files and directories next to their destination. Each is locked while it is in use, so
//! that a later run can tell it from the leftovers of a run that was killed.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

#[cfg(target_os = "linux")]
use rustix::fs::{Advice, fadvise};
use tempfile::{NamedTempFile, TempDir};

use super::{
    TOOL,
    own_directory::{is_own, remove_own},
};

/// The temporary files and directories of this process.
static IN_USE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The locked file in a [`Workspace`].
const LOCK_FILE: &str = "lock";

/// How the name of a temporary file of a shard begins.
const SHARED_PREFIX: &str = ".shard-";

/// The new report in a [`Workspace`].
const NEW: &str = "report";

/// The new clean corpus in a [`Workspace`], and what is kept while it is made. Only this program
/// puts files there, until it is exchanged with an earlier corpus.
const CORPUS: &str = "corpus";
const SCRATCH: &str = "scratch";

/// The directory of the earlier report in a [`Workspace`]. It is empty unless a report is being
/// replaced in two steps.
const OLD: &str = "old";

/// Maximum number of attempts to create a temporary file that another run does not take for a
/// leftover before it is locked.
const MAX_ATTEMPTS: usize = 8;

fn in_use() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn prefix() -> String {
    format!(".{TOOL}-part-")
}

/// Removes all unfinished reports and files of this process. Reports and files that existed before
/// stay. For programs that end on a signal.
///
/// The process must exit next: other threads that create, finish or drop a report or file after
/// this call wait forever.
pub fn remove_temporary_files() {
    // Another thread may be removing the same directory, so one attempt may fail halfway.
    const MAX_TRIES: usize = 100;
    let paths = in_use();
    // What is in a directory comes before it.
    for path in paths.iter().rev() {
        for _ in 0..MAX_TRIES {
            let removed = match (path.is_dir(), has_temporary_name(path)) {
                (true, true) => discard(path),
                (true, false) => {
                    // One of [`NewDirectories`], which may not be empty.
                    let _ = fs::remove_dir(path);
                    break;
                }
                (false, _) => fs::remove_file(path),
            };
            if removed.is_ok() || path.symlink_metadata().is_err() {
                break;
            }
        }
    }
    std::mem::forget(paths);
}

fn has_temporary_name(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(&prefix()))
}

/// Removes the registration of a temporary file or directory that no longer exists.
#[derive(Debug)]
struct Registration(PathBuf);

impl Registration {
    /// Creates something with `create` and registers it. Nothing can come between the two.
    fn of<T>(create: impl FnOnce() -> io::Result<T>, path: impl Fn(&T) -> &Path) -> io::Result<(T, Registration)> {
        let mut paths = in_use();
        let created = create().map_err(without_path)?;
        // Absolute, because the working directory may change.
        let path = std::path::absolute(path(&created))?;
        paths.insert(path.clone());
        Ok((created, Registration(path)))
    }
}

/// An error without the temporary path, which says nothing to people:
/// `permission denied at path "/srv/.chess-audit-part-x"`.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        in_use().remove(&self.0);
    }
}

/// Locks a new file. Returns false if another run takes it for a leftover and removes it.
fn lock(file: &File, path: &Path) -> bool {
    // Where locks are not supported, no run can lock the file, so none removes it.
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) && path.symlink_metadata().is_ok()
}

/// A temporary file that can replace its destination in one step. It is removed if it is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    // Dropped before the registration.
    file: NamedTempFile,
    _registration: Registration,
}

impl TemporaryFile {
    /// Creates a file in `parent`, with the permissions that the umask allows.
    pub fn create(parent: &Path) -> io::Result<TemporaryFile> {
        let prefix = prefix();
        for _ in 0..MAX_ATTEMPTS {
            let mut builder = tempfile::Builder::new();
            builder.prefix(&prefix);
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let (file, registration) = Registration::of(|| builder.tempfile_in(parent), |file| file.path())?;
            if lock(file.as_file(), file.path()) {
                remove_leftovers(parent, file.path());
                return Ok(TemporaryFile { file, _registration: registration });
            }
        }
        Err(io::Error::other("another process removes temporary files"))
    }

    /// Creates a file in `parent`, into which many machines write at the same time. Not all file
    /// systems that they share know locks, so no run takes it for a leftover.
    pub fn create_shared(parent: &Path) -> io::Result<TemporaryFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(SHARED_PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let (file, registration) = Registration::of(|| builder.tempfile_in(parent), |file| file.path())?;
        Ok(TemporaryFile { file, _registration: registration })
    }

    /// The file.
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Removes all bytes after the first `length`.
    pub fn go_back(&mut self, length: u64) -> io::Result<()> {
        self.as_file().set_len(length)?;
        self.as_file().seek(SeekFrom::Start(length)).map(drop)
    }

    /// Asks the system to begin to write what comes after the first `start` bytes to the disk.
    pub fn begin_sync(&self, start: u64) {
        // What was not written to the disk yet is written, and stays in memory. Only a hint, so
        // errors do not matter.
        #[cfg(target_os = "linux")]
        let _ = fadvise(self.as_file(), start, None, Advice::DontNeed);
        // Other systems begin by themselves.
        #[cfg(not(target_os = "linux"))]
        let _ = start;
    }

    /// Writes the file to the disk, and moves it to `destination`. An existing file is replaced if
    /// `replace` is set.
    pub fn finish(self, destination: &Path, replace: bool) -> io::Result<()> {
        self.as_file().sync_all()?;
        self.place(destination, replace)
    }

    /// Moves the file, which is on the disk, to `destination`. An existing file is replaced if
    /// `replace` is set.
    pub fn place(self, destination: &Path, replace: bool) -> io::Result<()> {
        let TemporaryFile { file, _registration } = self;
        let moved = if replace { file.persist(destination) } else { file.persist_noclobber(destination) };
        moved.map(drop).map_err(|error| error.error)
    }
}

/// Errors do not name the file, because people know it by another name.
impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.as_file().flush()
    }
}

/// A temporary directory for a new report, and for the earlier report while it is replaced.
///
/// It is removed if it is dropped. An earlier report that is still in it is first moved back.
#[derive(Debug)]
pub(super) struct Workspace {
    directory: Option<TempDir>,
    lock: Option<File>,
    _registration: Registration,
}

impl Workspace {
    /// Creates a workspace in `parent`. Workspaces that killed runs left there are removed, and
    /// reports that they had moved away are moved back.
    pub fn create(parent: &Path) -> io::Result<Workspace> {
        let prefix = prefix();
        for _ in 0..MAX_ATTEMPTS {
            let builder = || tempfile::Builder::new().prefix(&prefix).tempdir_in(parent);
            let (directory, registration) = Registration::of(builder, |directory| directory.path())?;
            let path = directory.path().join(LOCK_FILE);
            let file = match File::create_new(&path) {
                Ok(file) => file,
                // Another run took the empty directory for a leftover.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if lock(&file, &path) {
                fs::create_dir(directory.path().join(NEW))?;
                fs::create_dir(directory.path().join(OLD))?;
                remove_leftovers(parent, directory.path());
                return Ok(Workspace { directory: Some(directory), lock: Some(file), _registration: registration });
            }
        }
        Err(io::Error::other("another process removes temporary directories"))
    }

    fn path(&self) -> &Path {
        self.directory.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// The directory of the new report.
    pub fn new_report(&self) -> PathBuf {
        self.path().join(NEW)
    }

    /// The directory of the new clean corpus, next to one for what is kept while it is made.
    pub fn new_corpus(&self) -> io::Result<PathBuf> {
        fs::create_dir(self.path().join(SCRATCH))?;
        let path = self.path().join(CORPUS);
        fs::create_dir(&path).map(|()| path)
    }

    /// Where files are kept while a clean corpus is made.
    pub fn scratch(&self) -> PathBuf {
        self.path().join(SCRATCH)
    }

    /// Where the earlier report of this name is while it is replaced.
    pub fn old_report(&self, destination: &Path) -> PathBuf {
        self.path().join(OLD).join(destination.file_name().unwrap_or_default())
    }

    /// Leaves the directory as it is, as a killed run would.
    #[cfg(test)]
    pub fn keep(mut self) -> PathBuf {
        self.directory.take().map(TempDir::keep).unwrap_or_default()
    }

    /// Waits until nobody removes temporary files, and prevents it until the guard is dropped.
    pub fn hold(&self) -> impl Drop {
        in_use()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // Some systems do not remove open files.
        drop(self.lock.take());
        if let Some(directory) = self.directory.take() {
            let path = directory.keep();
            // The report is complete or given up, so errors while cleaning up do not matter.
            let _ = discard(&path);
        }
    }
}

/// Directories that a command has created for its files. Those that are empty are removed when this
/// is dropped, so that a command that fails leaves none.
#[derive(Debug, Default)]
pub struct NewDirectories(Vec<Registration>);

impl NewDirectories {
    /// Creates a directory and its parents, unless they exist.
    pub fn create(&mut self, path: &Path) -> io::Result<()> {
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && path.symlink_metadata().is_err();
        let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
        for directory in missing.into_iter().rev() {
            match Registration::of(|| fs::create_dir(directory).map(|()| directory), |directory| directory) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                created => self.0.push(created?.1),
            }
        }
        if path.as_os_str().is_empty() || path.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }
}

impl Drop for NewDirectories {
    fn drop(&mut self) {
        while let Some(Registration(path)) = self.0.last() {
            // Those with files stay.
            let _ = fs::remove_dir(path);
            self.0.pop();
        }
    }
}

/// Removes a workspace. An earlier report in it is first moved back, or else the workspace stays.
/// It also stays if somebody put other files into a report while it was replaced.
fn discard(workspace: &Path) -> io::Result<()> {
    for entry in fs::read_dir(workspace.join(OLD)).into_iter().flatten() {
        let entry = entry?;
        let destination = workspace.parent().unwrap_or(Path::new(".")).join(entry.file_name());
        if destination.symlink_metadata().is_err() {
            fs::rename(entry.path(), destination)?;
        } else if is_own(&destination) {
            remove_own(&entry.path())?;
        } else {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
    }
    let removed = |result: io::Result<()>| match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    removed(remove_own(&workspace.join(NEW)))?;
    removed(fs::remove_dir_all(workspace.join(SCRATCH)))?;
    let corpus = workspace.join(CORPUS);
    // One that is complete may be an earlier one.
    removed(if is_own(&corpus) { remove_own(&corpus) } else { fs::remove_dir_all(&corpus) })?;
    removed(fs::remove_dir(workspace.join(OLD)))?;
    // Without its lock, a workspace that is removed only in part would stay forever.
    removed(fs::remove_file(workspace.join(LOCK_FILE)))?;
    fs::remove_dir(workspace)
}

/// Removes the temporary files that killed runs of the same user left in `parent`. `own` is a
/// temporary file of this process. Errors do not matter: the next run tries again.
fn remove_leftovers(parent: &Path, own: &Path) {
    for path in fs::read_dir(parent).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if !has_temporary_name(&path) {
            continue;
        }
        if is_of_same_user(&path, own) && !in_use().contains(&std::path::absolute(&path).unwrap_or_default()) {
            let _ = remove_leftover(&path);
        }
    }
}

fn remove_leftover(path: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    let open = |path: &Path| OpenOptions::new().read(true).write(true).open(path);
    if metadata.is_file() {
        let file = open(path)?;
        if file.try_lock().is_ok() {
            fs::remove_file(path)?;
        }
    } else if metadata.is_dir() {
        let lock = path.join(LOCK_FILE);
        if !lock.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            // A run that was killed before it created the lock, or one that is about to. Only an
            // empty directory is removed.
            return fs::remove_dir(path);
        }
        let file = open(&lock)?;
        if file.try_lock().is_ok() {
            discard(path)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn is_of_same_user(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let user = |path: &Path| fs::symlink_metadata(path).map(|metadata| metadata.uid()).ok();
    user(one).is_some_and(|one| user(other) == Some(one))
}

#[cfg(not(unix))]
fn is_of_same_user(_: &Path, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn names(directory: &Path) -> io::Result<Vec<OsString>> {
        let mut names = fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    #[test]
    fn leftovers_of_killed_runs_are_removed() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let killed = Workspace::create(home.path())?.keep();
        fs::write(killed.join(NEW).join("moves.csv"), "rule\n")?;
        fs::write(home.path().join(".chess-audit-part-file"), "half")?;
        fs::create_dir(home.path().join(".chess-audit-part-empty"))?;
        drop(TemporaryFile::create(home.path())?);
        assert_eq!(names(home.path())?, [""; 0]);
        Ok(())
    }

    #[test]
    fn nothing_that_is_in_use_is_removed() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        // As another process sees them: not registered, but locked.
        let (workspace, file) = (Workspace::create(home.path())?, TemporaryFile::create(home.path())?);
        let foreign = home.path().join(".chess-audit-part-mine");
        fs::create_dir(&foreign)?;
        fs::write(foreign.join("precious"), "mine")?;
        let before = names(home.path())?;
        assert_eq!(before.len(), 3);
        for path in [workspace.path(), file.file.path(), &foreign] {
            let _ = remove_leftover(path);
        }
        assert_eq!(names(home.path())?, before);
        assert!(workspace.new_report().is_dir() && foreign.join("precious").is_file());
        Ok(())
    }
}
