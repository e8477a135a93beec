//! Directories that this program writes, and replaces as a whole.

use std::{
    collections::{BTreeMap, HashMap},
    ffi::OsString,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::{
    ReportError, TOOL,
    files::{RUN_FILE, is_report, other_files, remove_report},
};
use crate::text::open_regular;

/// Maximum size of the `run.json` of a clean corpus, which lists its files.
const MAX_BYTES: u64 = 1 << 30;

/// What a directory contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnDirectory {
    /// A report.
    Report,
    /// What `clean` writes. A corpus that was edited is replaced only if `force` is set.
    CleanCorpus {
        /// Whether it is replaced even if a file was edited.
        force: bool,
    },
}

/// The `run.json` of a clean corpus.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CleanRun<D> {
    /// The program: `chess-audit`.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// What was done.
    pub clean: D,
    /// The 64-bit XXH3 digest of each file, in hexadecimal, by its path in the directory.
    pub files: BTreeMap<String, String>,
}

impl OwnDirectory {
    /// Whether a directory is one of these.
    pub fn is_one(self, directory: &Path) -> bool {
        match self {
            OwnDirectory::Report => is_report(directory),
            OwnDirectory::CleanCorpus { .. } => files_of(&directory.join(RUN_FILE)).is_ok(),
        }
    }

    /// What it contains besides files of this program.
    pub fn others(self, directory: &Path) -> io::Result<Vec<OsString>> {
        match self {
            OwnDirectory::Report => other_files(directory),
            OwnDirectory::CleanCorpus { .. } => {
                let known = files_of(&directory.join(RUN_FILE))?;
                let others = |path: &String| !known.contains_key(path) && path != RUN_FILE;
                Ok(all_files(directory)?.into_iter().filter(others).map(OsString::from).collect())
            }
        }
    }

    /// Fails if a file of it was edited, unless that does not matter. `shown` is its path for
    /// people.
    pub fn check_unedited(self, directory: &Path, shown: &Path) -> Result<(), ReportError> {
        let OwnDirectory::CleanCorpus { force: false } = self else { return Ok(()) };
        let unreadable = |source| ReportError::Unwritable { path: directory.to_owned(), source };
        let edited = files_of(&directory.join(RUN_FILE)).map_err(unreadable)?.into_iter().find(|(path, digest)| {
            // A file that was removed is not lost by replacing the others.
            let path = directory.join(path);
            path.symlink_metadata().is_ok() && digest_of(&path).ok().as_ref() != Some(digest)
        });
        edited.map_or(Ok(()), |(path, _)| Err(ReportError::Edited { path: shown.join(path) }))
    }
}

/// Files of clean corpora that a search finds.
#[derive(Debug, Default)]
pub(crate) struct OwnFiles {
    /// The files in each directory that was looked at, if it is a clean corpus.
    corpora: HashMap<PathBuf, Option<BTreeMap<String, String>>>,
}

impl OwnFiles {
    /// Whether `file` is one of a clean corpus that is somewhere below the directory `searched`, or
    /// what `clean --into` has written there, and was not edited.
    pub fn contains(&mut self, searched: &Path, file: &Path) -> bool {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let of_games = name.replace(".copies.", ".").replace(".aside.", ".");
        let run = file.with_file_name(format!("{of_games}.{RUN_FILE}"));
        let written = files_of(&run).ok().and_then(|files| files.get(&name).cloned());
        if file.starts_with(searched) && written.is_some_and(|digest| digest_of(file).is_ok_and(|found| found == digest)) {
            return true;
        }
        let is_below = |directory: &&Path| *directory != searched && directory.starts_with(searched);
        let directories = file.ancestors().skip(1).take_while(is_below);
        directories.into_iter().any(|directory| {
            let corpus = self.corpora.entry(directory.to_owned()).or_insert_with(|| files_of(&directory.join(RUN_FILE)).ok());
            let (Some(corpus), Ok(path)) = (corpus, file.strip_prefix(directory)) else { return false };
            let path = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
            corpus.get(&path).is_some_and(|digest| digest_of(file).is_ok_and(|found| found == *digest))
        })
    }
}

/// The files of a clean corpus, and their digests, from its `run.json`. Fails if this is not one.
pub(crate) fn files_of(run: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut text = String::new();
    open_regular(run)?.take(MAX_BYTES).read_to_string(&mut text)?;
    let run: CleanRun<serde::de::IgnoredAny> = serde_json::from_str(&text)?;
    if run.tool == TOOL { Ok(run.files) } else { Err(io::ErrorKind::InvalidData.into()) }
}

/// The paths of all files in a directory, relative to it and with `/`, in order.
pub(crate) fn all_files(directory: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    let mut directories: Vec<PathBuf> = vec![PathBuf::new()];
    while let Some(below) = directories.pop() {
        for entry in fs::read_dir(directory.join(&below))? {
            let entry = entry?;
            let path = below.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                directories.push(path);
            } else {
                files.push(path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The digest of a file.
pub(crate) fn digest_of(path: &Path) -> io::Result<String> {
    let mut file = open_regular(path)?;
    let (mut hasher, mut buffer) = (Xxh3::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(format!("{:016x}", hasher.digest())),
            count => hasher.update(&buffer[..count]),
        }
    }
}

/// Whether a directory was written by this program.
pub(super) fn is_own(directory: &Path) -> bool {
    is_report(directory) || files_of(&directory.join(RUN_FILE)).is_ok()
}

/// Removes a directory that was written by this program, complete or not. Nothing else is removed.
pub(super) fn remove_own(directory: &Path) -> io::Result<()> {
    let Ok(files) = files_of(&directory.join(RUN_FILE)) else { return remove_report(directory) };
    for path in files.keys().map(String::as_str).chain([RUN_FILE]) {
        match fs::remove_file(directory.join(path)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    remove_empty(directory)
}

/// Removes a directory if there is no file in it, however deep.
fn remove_empty(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            remove_empty(&entry.path())?;
        }
    }
    fs::remove_dir(directory)
}
