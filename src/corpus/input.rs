//! An input: its name and source.

use std::path::PathBuf;

use super::{Bytes, Member};
use crate::text::Format;

/// The source of an input.
#[derive(Clone, Debug)]
pub enum Source {
    /// A regular file. Anything else that has its path when it is opened is an error.
    File(PathBuf),
    /// A named pipe or a device that the user has named. It is read once, as a stream.
    Special(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in memory or in a temporary file, for example those of a pipe.
    Bytes(Bytes),
    /// A member of a zip archive.
    Member(Member),
}

/// Something to audit.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name in reports.
    pub name: String,
    /// The source.
    pub source: Source,
    /// The format; `None` to detect it from the content.
    pub format: Option<Format>,
    /// Whether it was found by searching a directory or an archive, or by a glob. Otherwise the
    /// user has named it.
    pub scanned: bool,
}
