//! Errors of nights.

use std::{io, path::PathBuf};

use crate::review::{compare_error::CompareError, reader::ReadError};

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
    /// The store or the history cannot be locked, so two nights at once would not be noticed.
    #[error("cannot lock `{}`: {source}; choose a place on another file system", path.display())]
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
    /// The history, or mail that was not printed yet, cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A row of the history has more or fewer cells than columns.
    #[error("`{}`: line {line} has {found} of {expected} columns; correct it or move it", path.display())]
    HistoryRow {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The number of its cells.
        found: usize,
        /// The number of columns.
        expected: usize,
    },
    /// There is no number for another night.
    #[error("`{}` has the highest number that a night can have; move it elsewhere", path.display())]
    LastNumber {
        /// The report or the history.
        path: PathBuf,
    },
    /// A file that was needed once cannot be removed.
    #[error("cannot remove `{}`: {source}", path.display())]
    Remove {
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
