//! An input: its name and source.

use std::{path::PathBuf, sync::Arc};

use super::Member;
use crate::text::Format;

/// The source of an input.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
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
