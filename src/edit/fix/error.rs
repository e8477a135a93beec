//! Why repairs are not applied.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::{corpus::InputsError, text::wording::quantity};
use crate::{format::FileConflict, review::BaselineError};

/// The reason why nothing was written, or why not all inputs were repaired.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    /// The inputs cannot be found.
    #[error(transparent)]
    Inputs(#[from] InputsError),
    /// The list of findings cannot be read.
    #[error(transparent)]
    Findings(#[from] BaselineError),
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file would be written that is read, or written twice.
    #[error(transparent)]
    Conflict(#[from] FileConflict),
    /// The output exists.
    #[error("`{}` exists; choose another file with --output, or use --force to overwrite it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Copies of several inputs need a directory.
    #[error("`{}` is not a directory; choose a directory with --output, or give a single file as PATH", path.display())]
    NotADirectory {
        /// The file.
        path: PathBuf,
    },
    /// Two copies would have the same name.
    #[error(
        "the copies of `{}` and `{}` would both be `{}`; repair one input at a time",
        one.display(),
        other.display(),
        path.display()
    )]
    SameOutput {
        /// An input.
        one: PathBuf,
        /// Another input.
        other: PathBuf,
        /// The copy.
        path: PathBuf,
    },
    /// Only copies of this input can be repaired.
    #[error("`{}` is compressed and cannot be changed in place; use --output to write a copy", path.display())]
    Packed {
        /// The input.
        path: PathBuf,
    },
    /// The file must not be changed.
    #[error("`{}` is read-only; change its permissions, or use --output to write a copy", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// A backup of another text exists.
    #[error("the backup `{}` exists; choose another ending with --backup, or remove it", path.display())]
    BackupExists {
        /// The backup.
        path: PathBuf,
    },
    /// The list of repairs is invalid.
    #[error("`{}` is not a list of repairs: line {line}: {what}; correct the line, or write the list again with `chess-audit check --repairs`", path.display())]
    NotAList {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The list has no repairs for this input.
    #[error("`{}` does not match the list of repairs: no input in it has {length} bytes and digest {digest}; if the file has changed since the audit, audit it again with --repairs", path.display())]
    OtherInput {
        /// The input.
        path: PathBuf,
        /// Its length.
        length: u64,
        /// Its digest.
        digest: String,
    },
    /// The input has other bytes at a place than the list.
    #[error("byte {byte} of `{}` does not match the list of repairs; it was not repaired; audit the input again with --repairs", path.display())]
    Changed {
        /// The input.
        path: PathBuf,
        /// The place.
        byte: u64,
    },
    /// A line is too long for a diff.
    #[error("a line of `{}` is too long for a diff, at byte {byte}; use --output to write a copy", path.display())]
    LongLine {
        /// The input.
        path: PathBuf,
        /// The start of the line.
        byte: u64,
    },
    /// Some inputs were repaired before the error.
    #[error("{source}; {} repaired before", quantity(*done, "input was", "inputs were"))]
    Partly {
        /// The error.
        source: Box<FixError>,
        /// Number of inputs that were repaired.
        done: u64,
    },
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}

/// The run was stopped while a text was read.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(super) struct Stopped;

impl FixError {
    /// The error of reading `path`.
    pub(super) fn unreadable(path: &Path, source: io::Error) -> FixError {
        if source.get_ref().is_some_and(|reason| reason.is::<Stopped>()) {
            return FixError::Interrupted;
        }
        FixError::Unreadable { path: path.to_owned(), source }
    }

    /// The error of writing `path`.
    pub(super) fn unwritable(path: &Path, source: io::Error) -> FixError {
        FixError::Unwritable { path: path.to_owned(), source }
    }
}
