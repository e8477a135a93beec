//! Errors of nights.

use std::{io, path::PathBuf};

use crate::report::{compare_error::CompareError, reader::ReadError};

/// A night cannot be compared or kept.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The directory cannot be read or created.
    #[error("cannot use `{}` as a store: {source}", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The directory has other files and no reports.
    #[error("`{}` is not empty and not a store of chess-audit; choose another directory with --store", path.display())]
    Foreign {
        /// The directory.
        path: PathBuf,
    },
    /// Another night has not ended yet.
    #[error("another audit of `{}` is still running; wait until it has ended", path.display())]
    InUse {
        /// The store.
        path: PathBuf,
    },
    /// The store cannot be locked, so two nights at once would not be noticed.
    #[error("cannot lock `{}`: {source}; choose a store on another file system with --store", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The history is another file.
    #[error("`{}` is not a history of nights: its columns are different; move it elsewhere", path.display())]
    ForeignHistory {
        /// The file.
        path: PathBuf,
    },
    /// The history cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A report cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The reports cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// A file or report cannot be written or moved to its place.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
