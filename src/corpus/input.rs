//! An input: a name, and where its bytes are.

use std::{path::PathBuf, sync::Arc};

use super::Member;
use crate::text::Format;

/// Where the bytes of an input are.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file: mapped if that is possible, read otherwise.
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
    /// As it stands in reports.
    pub name: String,
    /// Where its bytes are.
    pub source: Source,
    /// What to read it as; `None`: decided by looking inside.
    pub format: Option<Format>,
}
