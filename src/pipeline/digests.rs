//! SHA-256 digests of files whose digest is expected.

use std::{
    collections::BTreeSet,
    fmt::Write,
    io::{self, Read},
    sync::atomic::{AtomicBool, Ordering},
};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{Expectations, ExpectedOfRun};
use crate::{
    corpus::{Input, Source},
    text::open_regular,
};

/// The digests of inputs, in hexadecimal, each after the name of its file without directories.
pub(super) type Digests = Vec<(String, String)>;

/// The digests of those inputs for whose files one is expected. What cannot be read has none: the
/// audit reports it. Setting `stop` ends this early.
pub(super) fn digests(inputs: &[Input], expectations: &Expectations, stop: &AtomicBool) -> Digests {
    let expected = expectations.of_run.iter().filter_map(|(_, expected)| match expected {
        ExpectedOfRun::Digest { file, .. } => Some(file.as_str()),
        _ => None,
    });
    let expected: BTreeSet<&str> = expected.collect();
    if expected.is_empty() {
        return Vec::new();
    }
    let digest = |input: &Input| {
        let file = input.name.rsplit('/').next().filter(|file| expected.contains(file))?;
        Some((file.to_owned(), digest(&input.source, stop).ok()?))
    };
    inputs.par_iter().filter_map(digest).collect()
}

fn digest(source: &Source, stop: &AtomicBool) -> io::Result<String> {
    /// Number of bytes that are read at once.
    const AT_ONCE: usize = 1 << 18;
    let mut hasher = Sha256::new();
    match source {
        Source::File(path) => {
            let mut file = open_regular(path)?;
            let mut buffer = vec![0; AT_ONCE];
            loop {
                match file.read(&mut buffer)? {
                    0 => break,
                    _ if stop.load(Ordering::Relaxed) => return Err(io::ErrorKind::Interrupted.into()),
                    read => hasher.update(&buffer[..read]),
                }
            }
        }
        Source::Bytes(bytes) => hasher.update(bytes),
        // These are no files that somebody publishes.
        _ => return Err(io::ErrorKind::Unsupported.into()),
    }
    let mut text = String::new();
    for byte in hasher.finalize() {
        write!(text, "{byte:02x}").map_err(io::Error::other)?;
    }
    Ok(text)
}
