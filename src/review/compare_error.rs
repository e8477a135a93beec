//! Errors when comparing reports.

use std::{io, path::PathBuf};

use super::reader::ReadError;

/// Two reports cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A report cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A temporary file cannot be written.
    #[error(transparent)]
    Temporary(io::Error),
    /// The comparison cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}
