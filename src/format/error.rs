//! Errors when writing a report.

use std::{borrow::Cow, ffi::OsString, io, path::PathBuf};

use crate::text::wording::quantity;

/// A report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The destination exists and is not a report.
    #[error("`{}` exists and is not a chess-audit report; choose another directory with --output", path.display())]
    Foreign {
        /// The destination.
        path: PathBuf,
    },
    /// The destination contains an earlier report and other files, which would be lost.
    #[error("`{}` contains a report and other files: {}; move them, or choose another directory with --output", path.display(), list_names(others))]
    OtherFiles {
        /// The destination.
        path: PathBuf,
        /// The names of the other files and directories.
        others: Vec<OsString>,
    },
    /// A file is not of an earlier result.
    #[error("`{}` exists; choose another file, or use --force to replace it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file of an earlier result was edited.
    #[error("`{}` was edited since chess-audit wrote it; move it, choose another directory, or use --force to replace it", path.display())]
    Edited {
        /// The file.
        path: PathBuf,
    },
    /// Somebody added files to the earlier report during the audit. The new one is next to it.
    #[error("other files were added to `{}` during the audit: {}; the new report is in `{}`", path.display(), list_names(others), kept.display())]
    Kept {
        /// The destination.
        path: PathBuf,
        /// The names of the other files and directories.
        others: Vec<OsString>,
        /// Where the new report is.
        kept: PathBuf,
    },
    /// The parent directory of the destination does not exist.
    #[error("cannot write a report to `{}`: no such directory; create it first", path.display())]
    NoParent {
        /// The missing directory.
        path: PathBuf,
    },
    /// The parent directory of the destination is not writable.
    #[error("cannot write a report to `{}`: {source}", path.display())]
    Unwritable {
        /// The destination.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file of the report cannot be written.
    #[error("cannot write `{file}` of the report: {source}")]
    Write {
        /// The file.
        file: Cow<'static, str>,
        /// The reason.
        source: io::Error,
    },
    /// The complete report cannot be moved to its destination.
    #[error("cannot move the report to `{}` (the previous content is unchanged): {source}", path.display())]
    Swap {
        /// The destination.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The previous report was moved away and cannot be moved back.
    #[error("cannot move the report to `{}` (the previous report is now in `{}`): {source}", path.display(), backup.display())]
    BackupLeft {
        /// The destination.
        path: PathBuf,
        /// Where the previous report is now.
        backup: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The run was interrupted, so there is no report.
    #[error("the audit was interrupted; no report was written")]
    Interrupted,
}

/// An error with the same kind, for a sink.
impl From<ReportError> for io::Error {
    fn from(error: ReportError) -> io::Error {
        let kind = match &error {
            ReportError::Unwritable { source, .. }
            | ReportError::Write { source, .. }
            | ReportError::Swap { source, .. }
            | ReportError::BackupLeft { source, .. } => source.kind(),
            ReportError::Foreign { .. }
            | ReportError::OtherFiles { .. }
            | ReportError::Edited { .. }
            | ReportError::Exists { .. }
            | ReportError::Kept { .. }
            | ReportError::NoParent { .. }
            | ReportError::Interrupted => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

/// Maximum number of names in a message.
const MAX_NAMES: usize = 3;

/// The first of these names, and how many more there are.
fn list_names(names: &[OsString]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("`{}`", name.display())).collect();
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {}", shown.join(", "), quantity(more as u64, "more", "more")),
    }
}
