//! Copies a text and replaces the bytes of its repairs.

use std::{
    io::{self, Read, Write},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use xxhash_rust::xxh3::Xxh3;

use super::{FixError, error::Stopped, list::Listed};
use crate::corpus::Input;
use crate::report::repairs::{digest, identity};

/// Receives the progress of [`Fix`](super::Fix). Every method may be called from any thread.
pub trait FixProgress: Sync {
    /// More bytes will be read.
    fn expected(&self, bytes: u64);

    /// More bytes were read.
    fn advanced(&self, bytes: u64);
}

/// Ignores the progress.
impl FixProgress for () {
    fn expected(&self, _: u64) {}

    fn advanced(&self, _: u64) {}
}

/// Shows the progress of a run, and can stop it.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Receives the progress.
    pub progress: &'a dyn FixProgress,
    /// Set to stop the run. The input that is being copied is left as it was.
    pub stop: &'a AtomicBool,
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stop", self.stop).finish_non_exhaustive()
    }
}

/// A text that is read and counted. Reading fails when the run is stopped.
pub(super) struct Counted<'a> {
    text: Box<dyn Read + Send>,
    hasher: Xxh3,
    /// Number of bytes read.
    at: u64,
    control: Control<'a>,
}

impl<'a> Counted<'a> {
    pub fn open(input: &Input, control: Control<'a>) -> io::Result<Counted<'a>> {
        Ok(Counted { text: input.text()?.reader, hasher: Xxh3::new(), at: 0, control })
    }

    /// Fails unless all of the text that is `listed` was read.
    pub fn verify(&self, path: &Path, listed: &Listed) -> Result<(), FixError> {
        if self.at == listed.length && digest(&self.hasher) == listed.digest {
            return Ok(());
        }
        Err(FixError::Changed { path: path.to_owned(), byte: self.at })
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.control.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other(Stopped));
        }
        let count = self.text.read(into)?;
        self.hasher.update(&into[..count]);
        self.at += count as u64;
        self.control.progress.advanced(count as u64);
        Ok(count)
    }
}

/// The length and the digest of the text of an input.
pub(super) fn identity_of(input: &Input, path: &Path, control: Control<'_>) -> Result<(u64, String), FixError> {
    Counted::open(input, control).and_then(identity).map_err(|source| FixError::unreadable(path, source))
}

/// Whether the text of `input`, called `path`, is the listed one with its repairs: without them, it
/// has the listed digest.
pub(super) fn is_repaired(input: &Input, path: &Path, listed: &Listed, control: Control<'_>) -> Result<bool, FixError> {
    let unreadable = |source| FixError::unreadable(path, source);
    let mut text = Counted::open(input, control).map_err(unreadable)?;
    let mut original = Original { hasher: Xxh3::new(), length: 0 };
    for replacement in &listed.replacements {
        let before = replacement.start.saturating_sub(original.length);
        if pass(&mut text, before, &mut original, (&unreadable, &unreadable))? < before {
            return Ok(false);
        }
        let mut new = vec![0; replacement.new.len()];
        match text.read_exact(&mut new) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read.map_err(unreadable)?,
        }
        if *new != *replacement.new {
            return Ok(false);
        }
        original.write_all(&replacement.old).map_err(unreadable)?;
    }
    pass(&mut text, u64::MAX, &mut original, (&unreadable, &unreadable))?;
    let is_original = (original.length, digest(&original.hasher)) == (listed.length, listed.digest.clone());
    Ok(is_original && !listed.replacements.is_empty())
}

/// A text that is not kept.
struct Original {
    hasher: Xxh3,
    length: u64,
}

impl Write for Original {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Copies the text of `input`, called `path`, with its repairs. `destination` names `to` in errors.
pub(super) fn copy(
    input: &Input,
    path: &Path,
    listed: &Listed,
    (to, destination): (&mut dyn Write, &Path),
    control: Control<'_>,
) -> Result<(), FixError> {
    let unreadable = |source| FixError::unreadable(path, source);
    let unwritable = |source| FixError::unwritable(destination, source);
    let changed = |byte| FixError::Changed { path: path.to_owned(), byte };
    let mut text = Counted::open(input, control).map_err(unreadable)?;
    for replacement in &listed.replacements {
        let before = replacement.start.saturating_sub(text.at);
        if pass(&mut text, before, to, (&unreadable, &unwritable))? < before {
            return Err(changed(text.at));
        }
        let mut old = vec![0; replacement.old.len()];
        match text.read_exact(&mut old) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(changed(text.at)),
            read => read.map_err(unreadable)?,
        }
        if *old != *replacement.old || text.at != replacement.end() {
            return Err(changed(replacement.start));
        }
        to.write_all(&replacement.new).map_err(unwritable)?;
    }
    pass(&mut text, u64::MAX, to, (&unreadable, &unwritable))?;
    text.verify(path, listed)
}

/// Copies the text of an input that is not in the list.
pub(super) fn copy_unchanged(
    input: &Input,
    path: &Path,
    (to, destination): (&mut dyn Write, &Path),
    control: Control<'_>,
) -> Result<(), FixError> {
    let unreadable = |source| FixError::unreadable(path, source);
    let mut text = Counted::open(input, control).map_err(unreadable)?;
    pass(&mut text, u64::MAX, to, (&unreadable, &|source| FixError::unwritable(destination, source))).map(drop)
}

/// How errors of reading and writing are named.
type Named<'a> = (&'a dyn Fn(io::Error) -> FixError, &'a dyn Fn(io::Error) -> FixError);

/// Copies at most `length` bytes, and returns how many there were.
fn pass(text: &mut Counted<'_>, length: u64, to: &mut dyn Write, (unreadable, unwritable): Named<'_>) -> Result<u64, FixError> {
    let mut buffer = vec![0; usize::try_from(length).unwrap_or(usize::MAX).min(1 << 16)];
    let mut passed = 0;
    while passed < length {
        let wanted = usize::try_from(length - passed).unwrap_or(usize::MAX).min(buffer.len());
        match text.read(&mut buffer[..wanted]) {
            Ok(0) => break,
            Ok(count) => {
                passed += count as u64;
                to.write_all(&buffer[..count]).map_err(unwritable)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(error)),
        }
    }
    Ok(passed)
}
