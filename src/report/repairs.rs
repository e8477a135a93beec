//! The patch list: which bytes of which input have to be replaced by which, one repair to a row.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufWriter, Read},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::Xxh3;

use super::{TOOL, harmless};
use crate::{corpus::text_of, rules::Finding};

/// The first cell of a patch list, by which it is known.
const FIRST_COLUMN: &str = "input,input_bytes,input_digest,";

/// A row of a patch list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairRow {
    /// The input, as reports call it.
    pub input: String,
    /// Its length in bytes, unpacked.
    pub input_bytes: u64,
    /// Its XXH3 digest (64 bits), in hexadecimal.
    pub input_digest: String,
    /// The first byte that is replaced, from 0.
    pub byte: u64,
    /// One past the last byte that is replaced.
    pub end_byte: u64,
    /// What stands there, escaped as in a Rust byte string.
    pub old: String,
    /// What is to stand there, escaped likewise.
    pub new: String,
    /// `certain` or `likely`.
    pub repair: String,
    /// The rule that is broken.
    pub rule: String,
    /// Ordinal of the record in its input, from 1.
    pub game: u64,
    /// The ply at which the damage shows, from 1.
    pub ply: Option<u32>,
    /// Empty in the main line.
    pub variation: String,
    /// Identity of the finding.
    pub fingerprint: String,
}

/// A patch list cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RepairListError {
    /// Something else stands where the list is to go.
    #[error("`{}` exists and is no list of repairs; it was left alone: choose another file with --repairs", path.display())]
    Foreign {
        /// The place of the list.
        path: PathBuf,
    },
    /// The list cannot be written.
    #[error("cannot write the repairs to `{}`: {source}", path.display())]
    Unwritable {
        /// The place of the list.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// A patch list that is being written beside its place. Dropped before it is finished, it goes away.
#[derive(Debug)]
pub struct RepairList {
    path: PathBuf,
    rows: csv::Writer<BufWriter<NamedTempFile>>,
    /// The files behind the names of inputs.
    files: HashMap<String, PathBuf>,
    /// The input that has had the last row: its name, length and digest.
    current: Option<(String, Option<(u64, String)>)>,
}

impl RepairList {
    /// Begins a list at `path`; `files` are the inputs that are files, by the names that reports give them.
    ///
    /// # Errors
    /// When something that is no list of repairs stands there, or nothing can be written beside it.
    pub fn create(path: &Path, files: HashMap<String, PathBuf>) -> Result<RepairList, RepairListError> {
        let unwritable = |source| RepairListError::Unwritable { path: path.to_owned(), source };
        if path.symlink_metadata().is_ok() && !is_list(path) {
            return Err(RepairListError::Foreign { path: path.to_owned() });
        }
        let file = beside(path).map_err(unwritable)?;
        let mut rows = csv::WriterBuilder::new().has_headers(false).from_writer(BufWriter::new(file));
        let header = [
            "input",
            "input_bytes",
            "input_digest",
            "byte",
            "end_byte",
            "old",
            "new",
            "repair",
            "rule",
            "game",
            "ply",
            "variation",
            "fingerprint",
        ];
        rows.write_record(header).map_err(|error| unwritable(error.into()))?;
        Ok(RepairList { path: path.to_owned(), rows, files, current: None })
    }

    /// Adds the repair of a finding, if it has one that can be written down byte by byte.
    ///
    /// # Errors
    /// When the row cannot be written, or the input cannot be read.
    pub fn finding(&mut self, input: &str, finding: &Finding) -> io::Result<()> {
        let Some((patch, repair)) = finding.patch.as_deref().zip(finding.repair) else { return Ok(()) };
        if self.current.as_ref().is_none_or(|(name, _)| name != input) {
            // Standard input cannot be read again: nothing could be mended by such rows.
            let file = self.files.get(input);
            let identity = file.map(|file| text_of(file).and_then(identity)).transpose()?;
            self.current = Some((input.to_owned(), identity));
        }
        let Some((_, Some((length, digest)))) = &self.current else { return Ok(()) };
        self.rows
            .serialize(RepairRow {
                input: harmless(input).into_owned(),
                input_bytes: *length,
                input_digest: digest.clone(),
                byte: patch.place.start as u64,
                end_byte: patch.place.end as u64,
                old: escaped(&patch.old),
                new: escaped(&patch.new),
                repair: repair.as_str().to_owned(),
                rule: finding.rule.code.to_string(),
                game: finding.game,
                ply: finding.ply,
                variation: finding.variation.clone(),
                fingerprint: format!("{:016x}", finding.fingerprint),
            })
            .map_err(io::Error::from)
    }

    /// Moves the list to its place.
    ///
    /// # Errors
    /// When it cannot be written to its end, or not be moved.
    pub fn finish(self) -> Result<(), RepairListError> {
        let RepairList { path, rows, .. } = self;
        let unwritable = |source| RepairListError::Unwritable { path: path.clone(), source };
        let file = rows.into_inner().map_err(|error| unwritable(io::Error::other(error.to_string())))?;
        let file = file.into_inner().map_err(|error| unwritable(error.into_error()))?;
        file.persist(&path).map_err(|error| unwritable(error.error))?;
        Ok(())
    }
}

/// Whether what stands at `path` is a patch list, or empty.
fn is_list(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FIRST_COLUMN.len() as u64).read_to_end(&mut head));
    read.is_ok() && (head.is_empty() || head == FIRST_COLUMN.as_bytes())
}

/// A new file in the directory of `path`, for everybody whom the umask lets in; to be moved to its place when it is complete.
///
/// # Errors
/// When there is no such directory, or nothing can be written into it.
pub fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = format!(".{TOOL}-part-");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(parent)
}

/// Length and digest of what `file` holds.
pub(super) fn identity(mut file: impl Read) -> io::Result<(u64, String)> {
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

/// A digest as it stands in a list.
pub(super) fn digest(hasher: &Xxh3) -> String {
    format!("{:016x}", hasher.digest())
}

/// Bytes as printable ASCII that a spreadsheet does not run.
fn escaped(bytes: &[u8]) -> String {
    let text = bytes.escape_ascii().to_string();
    match text.as_bytes().first() {
        Some(first @ (b'=' | b'+' | b'-' | b'@' | b' ')) => format!("\\x{first:02x}{}", &text[1..]),
        _ => text,
    }
}

/// What [`escaped`] was given; `None` where the text is nothing that it returns.
pub(super) fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, behind @ ..] = rest {
        rest = behind;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let (kind, behind) = rest.split_first()?;
        rest = behind;
        bytes.push(match kind {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'x' => {
                let (digits, behind) = rest.split_at_checked(2)?;
                rest = behind;
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
    fn bytes_come_back_as_they_were() {
        let every: Vec<u8> = (0..=255).collect();
        for bytes in [&b"Nf3"[..], b" Nf3", b"=1+1", b"--", b"", b"a\\x41", &every] {
            let text = escaped(bytes);
            assert!(text.is_ascii() && harmless(&text) == text, "{text}");
            assert_eq!(unescaped(&text).as_deref(), Some(bytes), "{text}");
        }
        assert!(["\\", "\\q", "\\x4", "\\xzz"].into_iter().all(|text| unescaped(text).is_none()));
    }
}
