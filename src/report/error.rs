//! What can go wrong with a report.

use std::{io, path::PathBuf};

/// A report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Something else stands where the report is to go.
    #[error("`{}` exists and is no report of chess-audit; it was left alone: choose another directory with --output", path.display())]
    Foreign {
        /// The place of the report.
        path: PathBuf,
    },
    /// The directory above the report does not exist.
    #[error("cannot put a report into `{}`: no such directory; create it first", path.display())]
    NoParent {
        /// The missing directory.
        path: PathBuf,
    },
    /// Nothing can be written beside the place of the report.
    #[error("cannot write a report to `{}`: {source}", path.display())]
    Unwritable {
        /// The place of the report.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file of the report cannot be written to its end.
    #[error("cannot write `{file}` of the report: {source}")]
    Write {
        /// The file.
        file: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The report is complete, but cannot be put into its place.
    #[error("cannot put the report into its place at `{}`: {source}; what was there before is still there", path.display())]
    Swap {
        /// The place of the report.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The previous report was moved aside and could not be moved back.
    #[error("cannot put the report into its place at `{}`: {source}; the previous report is in `{}`", path.display(), aside.display())]
    Aside {
        /// The place of the report.
        path: PathBuf,
        /// Where the previous report is now.
        aside: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A run that was stopped leaves no report.
    #[error("the audit was stopped before its end; no report was written")]
    Interrupted,
}
