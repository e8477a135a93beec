//! Applies a list of repairs: copies an input and replaces only the bytes of the repairs.

use std::{
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::Xxh3;

use super::{
    OutputFile, csv_error,
    own_file::is_same_file,
    reader::MAX_ROW_BYTES,
    repairs::{Kind, RepairRow, digest, identity, unescaped},
};
use crate::{
    corpus::text_of,
    rules::Certainty,
    text::{Bounded, open_once, wording::thousands},
};

/// Maximum number of repairs of an input. All of them are in memory, to sort them.
const MAX_REPAIRS: usize = 10_000_000;

/// The repairs to apply.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The input, a regular file. A compressed input is decompressed.
    pub input: PathBuf,
    /// The list of repairs, a regular file or the pipe of a process substitution.
    pub repairs: PathBuf,
    /// The path of the copy.
    pub output: PathBuf,
    /// Whether likely repairs are applied too.
    pub likely: bool,
    /// Whether an existing file at `output` is replaced. An empty one always is.
    pub force: bool,
}

/// The numbers of applied and skipped repairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Applied repairs.
    pub applied: u64,
    /// Repairs skipped because they are only likely.
    pub likely: u64,
    /// Repairs skipped because another one changes the same bytes.
    pub overlapping: u64,
}

/// The reason why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum FixError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The copy cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The copy would overwrite the input or the list of repairs.
    #[error("`{}` is an input and cannot be overwritten; choose another file with --output", path.display())]
    OwnSource {
        /// The file.
        path: PathBuf,
    },
    /// The output exists.
    #[error("`{}` exists; choose another file with --output, or use --force to overwrite it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The list of repairs is invalid.
    #[error("`{}` is not a list of repairs: line {line}: {what}; correct the line, or write the list again with `chess-audit check --repairs`", path.display())]
    NotAList {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The list has no repairs for this input.
    #[error("`{}` does not match the list of repairs: no input in it has {length} bytes and digest {digest}; if the file has changed since the audit, audit it again with --repairs", path.display())]
    OtherInput {
        /// The input.
        path: PathBuf,
        /// Its length.
        length: u64,
        /// Its digest.
        digest: String,
    },
    /// The input has other bytes at a place than the list.
    #[error("byte {byte} of `{}` does not match the list of repairs; nothing was written; audit the input again with --repairs", path.display())]
    Changed {
        /// The input.
        path: PathBuf,
        /// The place.
        byte: u64,
    },
}

/// A repair to apply.
#[derive(Debug)]
struct Replacement {
    start: u64,
    end: u64,
    certain: bool,
    old: Box<[u8]>,
    new: Box<[u8]>,
}

impl Fix {
    /// Writes the copy to a temporary file and moves it to the output when it is complete. The
    /// input is streamed, never held in memory. A link stays, and the file that it refers to is
    /// replaced. Pipes and devices are written to directly.
    ///
    /// # Errors
    /// If a file cannot be read or written, the input does not match the list, or the output
    /// exists. A regular file is unchanged then.
    pub fn run(&self) -> Result<Fixed, FixError> {
        self.check_output()?;
        self.write(|| OutputFile::create(&self.output))
    }

    /// Writes the copy to `to`, for example to standard output. Errors name it
    /// [`output`](Fix::output).
    ///
    /// # Errors
    /// If a file cannot be read or written, or the input does not match the list.
    pub fn run_to(&self, to: impl Write + Send + 'static) -> Result<Fixed, FixError> {
        self.write(|| Ok(OutputFile::direct(to)))
    }

    fn write(&self, create: impl FnOnce() -> io::Result<OutputFile>) -> Result<Fixed, FixError> {
        let unreadable = |source| FixError::Unreadable { path: self.input.clone(), source };
        let (length, hash) = text_of(&self.input).and_then(identity).map_err(unreadable)?;
        let (replacements, fixed) = self.replacements(length, &hash)?;

        let unwritable = |source| FixError::Unwritable { path: self.output.clone(), source };
        let input = text_of(&self.input).map_err(unreadable)?;
        let mut copy = Copy { input, hasher: Xxh3::new(), at: 0 };
        let mut output = BufWriter::with_capacity(1 << 18, create().map_err(unwritable)?);
        let changed = |byte| FixError::Changed { path: self.input.clone(), byte };
        for replacement in &replacements {
            copy.copy(Some(replacement.start), &mut output, self)?;
            let mut old = vec![0; replacement.old.len()];
            copy.read(&mut old).map_err(unreadable)?;
            if *old != *replacement.old || copy.at != replacement.end {
                return Err(changed(replacement.start));
            }
            output.write_all(&replacement.new).map_err(unwritable)?;
        }
        copy.copy(None, &mut output, self)?;
        if copy.at != length || digest(&copy.hasher) != hash {
            return Err(changed(copy.at));
        }
        let file = output.into_inner().map_err(|error| unwritable(error.into_error()))?;
        let finished = if self.force || is_empty_file(&self.output) { file.finish() } else { file.finish_new() };
        finished.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => FixError::Exists { path: self.output.clone() },
            _ => unwritable(error),
        })?;
        Ok(fixed)
    }

    fn check_output(&self) -> Result<(), FixError> {
        if self.output.symlink_metadata().is_err() {
            return Ok(());
        }
        for source in [&self.input, &self.repairs] {
            if is_same_file(source, &self.output) {
                return Err(FixError::OwnSource { path: self.output.clone() });
            }
        }
        // Nothing that is written to a pipe or a terminal is overwritten.
        if Kind::of(&self.output) != Kind::Other {
            return Ok(());
        }
        let may_replace = is_empty_file(&self.output) || (self.force && !self.output.is_dir());
        if may_replace { Ok(()) } else { Err(FixError::Exists { path: self.output.clone() }) }
    }

    /// The repairs to apply, in order, and the numbers of applied and skipped ones.
    fn replacements(&self, length: u64, hash: &str) -> Result<(Vec<Replacement>, Fixed), FixError> {
        let not_a_list = |line, what: String| FixError::NotAList { path: self.repairs.clone(), line, what };
        // The list is read once, so it may come from a process substitution. The input is read twice.
        let file = open_once(&self.repairs);
        let file = file.map_err(|source| FixError::Unreadable { path: self.repairs.clone(), source })?;
        let mut rows = csv::Reader::from_reader(Bounded::new(file, "a row", MAX_ROW_BYTES));
        let headers = rows.headers().map_err(|error| not_a_list(1, csv_error::reason(&error, None)))?.clone();
        let mut record = csv::StringRecord::new();
        let mut list = Vec::new();
        let mut fixed = Fixed::default();
        let mut is_empty = true;
        let mut has_input = false;
        for line in 2.. {
            rows.get_mut().renew();
            let read = rows
                .read_record(&mut record)
                .and_then(|is_row| if is_row { record.deserialize::<RepairRow>(Some(&headers)).map(Some) } else { Ok(None) });
            let Some(row) = read.map_err(|error| not_a_list(line, csv_error::reason(&error, Some(&headers))))? else { break };
            is_empty = false;
            if (row.input_bytes, row.input_digest.as_str()) != (length, hash) {
                continue;
            }
            has_input = true;
            let certain = row.repair == Certainty::Certain.as_str();
            let both = unescaped(&row.old).zip(unescaped(&row.new));
            let whole =
                both.filter(|(old, _)| row.byte.checked_add(old.len() as u64) == Some(row.end_byte) && row.end_byte <= length);
            let Some((old, new)) = whole else {
                return Err(not_a_list(line, "the old bytes do not fit the byte range".to_owned()));
            };
            if !certain && row.repair != Certainty::Likely.as_str() {
                return Err(not_a_list(line, format!("`{}` is neither certain nor likely", row.repair)));
            }
            if !certain && !self.likely {
                fixed.likely += 1;
                continue;
            }
            if list.len() == MAX_REPAIRS {
                return Err(not_a_list(line, format!("more than {} repairs of one input", thousands(MAX_REPAIRS as u64))));
            }
            list.push(Replacement { start: row.byte, end: row.end_byte, certain, old: old.into(), new: new.into() });
        }
        if !is_empty && !has_input {
            return Err(FixError::OtherInput { path: self.input.clone(), length, digest: hash.to_owned() });
        }
        // A certain repair takes precedence over a likely one; otherwise the first one wins.
        list.sort_by_key(|replacement| (replacement.start, replacement.end, !replacement.certain));
        let mut kept: Vec<Replacement> = Vec::new();
        for replacement in list {
            let overlaps = |last: &&mut Replacement| {
                replacement.start < last.end || (replacement.start == last.start && replacement.end == last.end)
            };
            match kept.last_mut().filter(overlaps) {
                Some(last) if (last.start, last.end) == (replacement.start, replacement.end) && last.new == replacement.new => {}
                Some(last) => {
                    fixed.overlapping += 1;
                    if replacement.certain && !last.certain {
                        *last = replacement;
                    }
                }
                None => kept.push(replacement),
            }
        }
        fixed.applied = kept.len() as u64;
        Ok((kept, fixed))
    }
}

/// An input during copying.
struct Copy<R> {
    input: R,
    hasher: Xxh3,
    at: u64,
}

impl<R: Read> Copy<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.input.read_exact(bytes)?;
        self.hasher.update(bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Copies up to the byte `to`, or to the end.
    fn copy(&mut self, to: Option<u64>, output: &mut impl Write, fix: &Fix) -> Result<(), FixError> {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let remaining = to.map_or(u64::MAX, |to| to.saturating_sub(self.at));
            let length = usize::try_from(remaining).unwrap_or(usize::MAX).min(buffer.len());
            if length == 0 {
                return Ok(());
            }
            let count = match self.input.read(&mut buffer[..length]) {
                Ok(0) if to.is_some() => return Err(FixError::Changed { path: fix.input.clone(), byte: self.at }),
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(FixError::Unreadable { path: fix.input.clone(), source }),
            };
            self.hasher.update(&buffer[..count]);
            self.at += count as u64;
            let written = output.write_all(&buffer[..count]);
            written.map_err(|source| FixError::Unwritable { path: fix.output.clone(), source })?;
        }
    }
}

/// Whether this is a file without content, for example one that `mktemp` has made.
fn is_empty_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0)
}
