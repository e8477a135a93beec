//! A clean corpus in one file, with what was moved out and the tables next to it.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use super::CleanError;
use crate::format::{
    ReportError,
    own_directory::{all_files, digest_of, files_of},
};

/// Where a clean corpus is written, and the files of an earlier one there.
#[derive(Debug)]
pub(super) struct OneFile {
    directory: PathBuf,
    /// The name of the file.
    pub name: String,
    /// The files of an earlier result, and their digests.
    earlier: BTreeMap<String, String>,
    force: bool,
}

impl OneFile {
    /// The place of a result in `file`.
    pub fn new(file: &Path, force: bool) -> Result<OneFile, CleanError> {
        let directory = match file.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let foreign = || ReportError::Foreign { path: file.to_owned() };
        let name = file.file_name().and_then(|name| name.to_str()).ok_or_else(foreign)?.to_owned();
        let mut result = OneFile { directory, name, earlier: BTreeMap::new(), force };
        result.earlier = files_of(&result.directory.join(result.run_file())).unwrap_or_default();
        result.check(std::slice::from_ref(&result.name))?;
        Ok(result)
    }

    /// The name of the file that says what was done.
    pub fn run_file(&self) -> String {
        format!("{}.run.json", self.name)
    }

    /// A directory next to it, which is never there.
    pub fn beside(&self) -> PathBuf {
        self.directory.join(format!(".{}.clean", self.name))
    }

    /// Refuses to replace files that were edited, or that are not of an earlier result.
    fn check(&self, names: &[String]) -> Result<(), CleanError> {
        for name in names {
            let path = self.directory.join(name);
            let is_empty = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0);
            if path.symlink_metadata().is_err() || is_empty || self.force && path.is_file() {
                continue;
            }
            match self.earlier.get(name) {
                Some(digest) if digest_of(&path).is_ok_and(|now| now == *digest) => {}
                Some(_) => return Err(ReportError::Edited { path }.into()),
                None => return Err(ReportError::Exists { path }.into()),
            }
        }
        Ok(())
    }

    /// Moves the files of `corpus` to their places: what was moved out and the tables first, and
    /// last what says that all is there.
    pub fn place(self, corpus: &Path) -> Result<(), CleanError> {
        let run_file = self.run_file();
        let names: Vec<String> = all_files(corpus)?.into_iter().filter(|name| *name != run_file).collect();
        self.check(&names)?;
        let failed = |path: &Path, source| CleanError::from(ReportError::Swap { path: path.to_owned(), source });
        let removed = |name: &str| match fs::remove_file(self.directory.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&self.directory.join(name), error)),
            _ => Ok(()),
        };
        removed(&run_file)?;
        // The earlier result may have more files.
        let stale: Vec<String> = self.earlier.keys().filter(|name| !names.contains(name)).cloned().collect();
        self.check(&stale)?;
        stale.iter().try_for_each(|name| removed(name))?;
        let (last, others): (Vec<String>, Vec<String>) = names.into_iter().partition(|name| *name == self.name);
        for name in others.into_iter().chain(last).chain([run_file]) {
            let place = self.directory.join(OsString::from(&name));
            fs::rename(corpus.join(&name), &place).map_err(|source| failed(&place, source))?;
        }
        Ok(())
    }
}
