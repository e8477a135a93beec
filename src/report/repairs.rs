//! The list of repairs: a CSV file with one row per repair, the bytes to replace and their
//! replacement.

use std::{
    collections::HashMap,
    io::{self, BufWriter, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::{ForeignFile, OwnFile};
use crate::format::{OutputFile, REPAIR_COLUMNS, hash_cell::key, run_files::CheckedFiles, spreadsheet_safe};
use crate::{corpus::Finder, rules::Finding, text::wording::printable_name};

/// A row of a list of repairs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairRow {
    /// The name of the input.
    pub input: String,
    /// The length of the decompressed input in bytes.
    pub input_bytes: u64,
    /// The 64-bit XXH3 digest of the decompressed input, in hexadecimal.
    pub input_digest: String,
    /// The first byte that is replaced, from 0.
    pub byte: u64,
    /// One past the last byte that is replaced.
    pub end_byte: u64,
    /// The bytes to replace, escaped as in a Rust byte string.
    pub old: String,
    /// Their replacement, escaped in the same way.
    pub new: String,
    /// `certain` or `likely`.
    pub repair: String,
    /// The code of the rule.
    pub rule: String,
    /// The number of the record in its input, from 1.
    pub game: u64,
    /// The ply of the finding, from 1.
    pub ply: Option<u32>,
    /// The path of the variation, see [`Finding::variation_path`]; empty in the main line.
    pub variation: String,
    /// The fingerprint of the finding.
    pub fingerprint: String,
}

/// A list of repairs cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RepairListError {
    /// The file exists and is not a list of repairs.
    #[error(transparent)]
    Foreign(#[from] ForeignFile),
    /// The file is a named pipe or a socket.
    #[error("`{}` is a pipe; choose a file with --repairs, or `-` for standard output", path.display())]
    Pipe {
        /// The file.
        path: PathBuf,
    },
    /// The list cannot be written.
    #[error("cannot write the repairs to `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A list of repairs that is being written. A file is left as it was if the list is dropped before
/// it is finished.
#[derive(Debug)]
pub struct RepairList {
    path: PathBuf,
    rows: csv::Writer<BufWriter<OutputFile>>,
    /// The paths of inputs by name.
    files: HashMap<String, PathBuf>,
    finder: Finder,
    /// The input of the last row: its name, and its length and digest if it can be read again.
    current: Option<(String, Option<(u64, String)>)>,
}

impl RepairList {
    /// Starts a list in the file `path`, which replaces none of those that are `read`. `files` has
    /// the paths of inputs by name. Only these inputs, and members of those that are archives, have
    /// repairs. A link stays, and the file that it refers to is replaced. A terminal or another
    /// character device is written to directly.
    pub fn create(
        path: &Path,
        force: bool,
        files: HashMap<String, PathBuf>,
        read: &CheckedFiles,
    ) -> Result<RepairList, RepairListError> {
        if PathKind::of(path) == PathKind::Pipe {
            return Err(RepairListError::Pipe { path: path.to_owned() });
        }
        if !force {
            OwnFile::Repairs.check(path)?;
        }
        let output = OutputFile::create(path);
        let output = output.map_err(|source| RepairListError::Unwritable { path: path.to_owned(), source })?;
        RepairList::write_to(output.apart_from(read), path, files)
    }

    /// Starts a list in `output`. Errors name it `path`.
    pub fn write_to(output: OutputFile, path: &Path, files: HashMap<String, PathBuf>) -> Result<RepairList, RepairListError> {
        let unwritable = |source| RepairListError::Unwritable { path: path.to_owned(), source };
        let mut rows = csv::WriterBuilder::new().has_headers(false).from_writer(BufWriter::new(output));
        rows.write_record(REPAIR_COLUMNS).map_err(|error| unwritable(error.into()))?;
        Ok(RepairList { path: path.to_owned(), rows, files, finder: Finder::default(), current: None })
    }

    /// Adds the repairs of a finding if it has any, one row for each place. Inputs that cannot be
    /// read to their end have none.
    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let Some(certainty) = finding.certainty() else { return Ok(()) };
        if self.current.as_ref().is_none_or(|(name, _)| name != input) {
            // Other inputs cannot be read again, so their repairs could not be applied. Nor can
            // those of a damaged archive, which is a failure of the audit.
            let found = self.finder.find(input, |name| self.files.get(name).cloned()).ok().flatten();
            let identity = found.and_then(|found| identity(found.text().ok()?.reader).ok());
            self.current = Some((input.to_owned(), identity));
        }
        let Some((_, Some((length, digest)))) = &self.current else { return Ok(()) };
        for patch in finding.patches() {
            let row = RepairRow {
                input: spreadsheet_safe(&printable_name(input)).into_owned(),
                input_bytes: *length,
                input_digest: digest.clone(),
                byte: patch.place.start as u64,
                end_byte: patch.place.end as u64,
                old: escaped(&patch.old),
                new: escaped(&patch.new),
                repair: certainty.as_str().to_owned(),
                rule: finding.rule.code.to_string(),
                game: finding.game,
                ply: finding.ply,
                variation: finding.variation_path(),
                fingerprint: key(finding.fingerprint),
            };
            self.rows.serialize(row).map_err(|error| unwritable(&self.path, error.into()))?;
        }
        Ok(())
    }

    /// Completes the list. A file is written to disk and replaces an earlier one.
    pub fn finish(self) -> Result<(), RepairListError> {
        let RepairList { path, rows, .. } = self;
        let unwritable = |source| RepairListError::Unwritable { path: path.clone(), source };
        let file = rows.into_inner().map_err(|error| unwritable(io::Error::other(error.to_string())))?;
        let file = file.into_inner().map_err(|error| unwritable(error.into_error()))?;
        file.finish().map_err(unwritable)
    }
}

/// The error when a row cannot be written, for a sink. It keeps the kind of `source`.
fn unwritable(path: &Path, source: io::Error) -> io::Error {
    io::Error::new(source.kind(), RepairListError::Unwritable { path: path.to_owned(), source })
}

/// What a path refers to, as far as it matters for writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathKind {
    /// A named pipe or a socket.
    Pipe,
    /// A terminal or another character device, which does not store anything.
    #[cfg(unix)]
    CharacterDevice,
    /// Anything else, or nothing.
    Other,
}

impl PathKind {
    pub fn of(path: &Path) -> PathKind {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            match path.metadata().map(|metadata| metadata.file_type()) {
                Ok(kind) if kind.is_fifo() || kind.is_socket() => PathKind::Pipe,
                Ok(kind) if kind.is_char_device() => PathKind::CharacterDevice,
                _ => PathKind::Other,
            }
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            PathKind::Other
        }
    }
}

/// The length and the digest of a file.
pub(crate) fn identity(mut file: impl Read) -> io::Result<(u64, String)> {
    let mut hasher = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    let mut length = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((length, digest(&hasher))),
            Ok(count) => {
                hasher.update(&buffer[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The digest in hexadecimal.
pub(crate) fn digest(hasher: &Xxh3) -> String {
    format!("{:016x}", hasher.digest())
}

/// Escapes bytes as printable ASCII that spreadsheets do not run as formulas.
pub(crate) fn escaped(bytes: &[u8]) -> String {
    let text = bytes.escape_ascii().to_string();
    match text.as_bytes().first() {
        Some(first @ (b'=' | b'+' | b'-' | b'@' | b' ')) => format!("\\x{first:02x}{}", &text[1..]),
        _ => text,
    }
}

/// Reverses [`escaped`]. Returns `None` if the text is malformed.
pub fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let (kind, after) = rest.split_first()?;
        rest = after;
        bytes.push(match kind {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'x' => {
                let (digits, after) = rest.split_at_checked(2)?;
                rest = after;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            b'\\' | b'\'' | b'"' => *kind,
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_is_reversible() {
        let every: Vec<u8> = (0..=255).collect();
        for bytes in [&b"Nf3"[..], b" Nf3", b"=1+1", b"--", b"", b"a\\x41", &every] {
            let text = escaped(bytes);
            assert!(text.is_ascii() && spreadsheet_safe(&text) == text, "{text}");
            assert_eq!(unescaped(&text).as_deref(), Some(bytes), "{text}");
        }
        assert!(["\\", "\\q", "\\x4", "\\xzz"].into_iter().all(|text| unescaped(text).is_none()));
    }
}
