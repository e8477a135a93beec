//! Why inputs are not divided.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::report::ForeignFile;

/// The reason why good and bad records were not written.
#[derive(Debug, thiserror::Error)]
pub enum SplitError {
    /// A file exists and would be overwritten.
    #[error(transparent)]
    Foreign(#[from] ForeignFile),
    /// A file is a named pipe or a socket.
    #[error("`{}` is not a file; choose a file with {option}", path.display())]
    Pipe {
        /// The file.
        path: PathBuf,
        /// The option that names it.
        option: &'static str,
    },
    /// Inputs of different kinds cannot be in one file.
    #[error("`{one}` contains {one_kind}, but `{other}` contains {other_kind}; a file can have records of one kind only")]
    Kinds {
        /// The first input.
        one: String,
        /// What the first input contains.
        one_kind: &'static str,
        /// An input of another kind.
        other: String,
        /// What the other input contains.
        other_kind: &'static str,
    },
    /// Tables with different headers cannot be in one file.
    #[error("`{one}` and `{other}` are tables with different headers, which cannot be in one file")]
    Headers {
        /// The first table.
        one: String,
        /// A table with another header.
        other: String,
    },
    /// Only games can contain comments.
    #[error("`{input}` contains {kind}, which cannot contain comments; omit --annotate")]
    NoComments {
        /// The input.
        input: String,
        /// What the input contains.
        kind: &'static str,
    },
    /// Games inside other text cannot be copied without it.
    #[error("`{input}` contains games inside other text, which cannot be copied; extract the games first")]
    Enclosed {
        /// The input.
        input: String,
    },
    /// An input cannot be read again.
    #[error("cannot read `{input}` again: {source}")]
    Unreadable {
        /// The input.
        input: String,
        /// The reason.
        source: io::Error,
    },
    /// An input changed after it was read.
    #[error("`{input}` changed after it was read; try again after the program that writes it has ended")]
    Changed {
        /// The input.
        input: String,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
    /// A temporary file failed.
    #[error(transparent)]
    Temporary(io::Error),
}

impl SplitError {
    pub(crate) fn unwritable(path: &Path, source: io::Error) -> SplitError {
        SplitError::Unwritable { path: path.to_owned(), source }
    }
}
