//! Replaces files with their repaired text.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{
    FixError,
    apply::{self, Control, identity_of},
    list::Listed,
};
use crate::corpus::{Input, Source};
use crate::format::{
    paths::{FileId, parent},
    temporary::TemporaryFile,
};

/// Fails if the file `path` cannot be replaced.
pub(super) fn check(path: &Path, listed: &Listed, backup: Option<&str>, control: Control<'_>) -> Result<(), FixError> {
    let found = fs::canonicalize(path).and_then(|file| Ok((file.metadata()?, file)));
    let (metadata, file) = found.map_err(|source| FixError::unreadable(path, source))?;
    if metadata.permissions().readonly() {
        return Err(FixError::ReadOnly { path: path.to_owned() });
    }
    match backup.map(|ending| backup_of(&file, ending)) {
        Some(backup) if backup.symlink_metadata().is_ok() && !is_original(&backup, listed, control)? => {
            Err(FixError::BackupExists { path: backup })
        }
        _ => Ok(()),
    }
}

/// Whether a backup is the text before the repairs. A run that was killed leaves it there.
fn is_original(backup: &Path, listed: &Listed, control: Control<'_>) -> Result<bool, FixError> {
    if backup.is_symlink() {
        return Ok(false);
    }
    let source = Source::File(backup.to_owned());
    let input = Input { name: String::new(), source, format: None, scanned: false };
    match identity_of(&input, backup, control) {
        Err(FixError::Interrupted) => Err(FixError::Interrupted),
        identity => Ok(identity.is_ok_and(|(length, digest)| (length, &*digest) == (listed.length, &*listed.digest))),
    }
}

/// Replaces the file `path`, which is `input`, in one step. A link stays, and the file that it
/// refers to is replaced. Permissions are kept. Returns whether the owner could be kept, too.
///
/// The original is whole at all times, under its own name.
pub(super) fn replace(
    input: &Input,
    path: &Path,
    listed: &Listed,
    backup: Option<&str>,
    control: Control<'_>,
) -> Result<bool, FixError> {
    let unwritable = |source| FixError::unwritable(path, source);
    let file = fs::canonicalize(path).map_err(|source| FixError::unreadable(path, source))?;
    let before = file.metadata().map_err(|source| FixError::unreadable(path, source))?;
    let state = |metadata: &Metadata| (FileId::of(&file), metadata.len(), metadata.modified().ok());
    let before_state = state(&before);
    let mut copy = BufWriter::with_capacity(1 << 18, TemporaryFile::create(parent(&file)).map_err(unwritable)?);
    apply::copy(input, path, listed, (&mut copy, path), control)?;
    let copy = copy.into_inner().map_err(|error| unwritable(error.into_error()))?;
    let is_owner_kept = take_attributes(copy.as_file(), &before).map_err(unwritable)?;
    // Before the backup is made, so that a signal hardly ever comes between the two names.
    copy.as_file().sync_all().map_err(unwritable)?;
    if !file.metadata().is_ok_and(|now| state(&now) == before_state) {
        return Err(FixError::Changed { path: path.to_owned(), byte: 0 });
    }
    let backup = backup.map(|ending| backup_of(&file, ending));
    let mut is_new_backup = false;
    if let Some(backup) = &backup {
        match keep(&file, backup) {
            Ok(()) => is_new_backup = true,
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(FixError::unwritable(backup, error)),
            Err(_) if is_original(backup, listed, control)? => {}
            Err(_) => return Err(FixError::BackupExists { path: backup.clone() }),
        }
    }
    copy.finish(&file, true).map_err(|error| {
        if let Some(backup) = backup.filter(|_| is_new_backup) {
            // The original still has its own name.
            let _ = fs::remove_file(backup);
        }
        unwritable(error)
    })?;
    Ok(is_owner_kept)
}

fn backup_of(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(ending);
    name.into()
}

/// Gives the file a second name, or copies it where a file can have only one.
fn keep(file: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(file, backup) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            let mut copy = TemporaryFile::create(parent(backup))?;
            io::copy(&mut File::open(file)?, &mut copy)?;
            copy.flush()?;
            take_attributes(copy.as_file(), &file.metadata()?)?;
            copy.finish(backup, false)
        }
        linked => linked,
    }
}

/// Gives a file the permissions and the owner of another one. Returns whether it has the owner.
fn take_attributes(file: &File, from: &Metadata) -> io::Result<bool> {
    let is_owner_kept = take_owner(file, from)?;
    // A new owner can take permissions away, so they are set last.
    file.set_permissions(from.permissions())?;
    Ok(is_owner_kept)
}

#[cfg(unix)]
fn take_owner(file: &File, from: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = |metadata: &Metadata| (metadata.uid(), metadata.gid());
    let (user, group) = owner(from);
    if owner(&file.metadata()?) == (user, group) {
        return Ok(true);
    }
    // Only the administrator can give files away, but the group may be one of the user's own.
    if fchown(file, Some(user), Some(group)).is_ok() {
        return Ok(true);
    }
    let _ = fchown(file, None, Some(group));
    Ok(owner(&file.metadata()?) == (user, group))
}

#[cfg(not(unix))]
fn take_owner(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_has_the_content_and_never_replaces_a_file() -> io::Result<()> {
        let home = tempfile::tempdir()?;
        let (file, backup) = (home.path().join("a"), home.path().join("a.bak"));
        fs::write(&file, "text")?;
        keep(&file, &backup)?;
        assert_eq!(fs::read(&backup)?, b"text");
        assert_eq!(keep(&file, &backup).map_err(|error| error.kind()), Err(io::ErrorKind::AlreadyExists));
        Ok(())
    }
}
