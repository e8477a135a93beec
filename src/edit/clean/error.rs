//! Why a corpus is not cleaned.

use std::{io, path::PathBuf};

use crate::{edit::SplitError, format::ReportError, text::wording::thousands};

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
    /// The audit failed, or a temporary file.
    #[error("the audit failed: {0}")]
    Audit(#[from] io::Error),
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}
