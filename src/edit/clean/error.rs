//! Why a corpus is not cleaned.

use std::{io, path::PathBuf};

use crate::{edit::SplitError, format::ReportError, review::ReadError, text::wording::thousands};

/// The reason why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CleanError {
    /// The result or its report cannot be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A text cannot be read again or written.
    #[error(transparent)]
    Text(#[from] SplitError),
    /// Two texts would have the same file.
    #[error("`{one}` and `{other}` would be one file in `{}`; rename one, or clean them apart", directory.display())]
    SameFile {
        /// A text.
        one: String,
        /// Another one.
        other: String,
        /// The result.
        directory: PathBuf,
    },
    /// The result would be found as an input.
    #[error("`{}` is inside the input `{}`; choose a directory outside", directory.display(), input.display())]
    Inside {
        /// The result.
        directory: PathBuf,
        /// The directory with inputs.
        input: PathBuf,
    },
    /// There is too little space on the disk.
    #[error("too little space: {} needs about {} MB, and {} MB are free", directory.display(), thousands(needed >> 20), thousands(free >> 20))]
    NoSpace {
        /// The directory of the result.
        directory: PathBuf,
        /// Number of bytes that are needed.
        needed: u64,
        /// Number of bytes that are free.
        free: u64,
    },
    /// Decisions cannot be read.
    #[error("cannot read decisions: {0}")]
    Unreadable(#[from] ReadError),
    /// A decision cannot be understood.
    #[error("`{}` is not a file of decisions: {reason}", path.display())]
    Decisions {
        /// The file.
        path: PathBuf,
        /// What is wrong, and with which row.
        reason: String,
    },
    /// Names cannot be read.
    #[error("`{}` is not a file of names: {reason}", path.display())]
    Names {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The audit failed, or a temporary file.
    #[error("the audit failed: {0}")]
    Audit(#[from] io::Error),
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}
