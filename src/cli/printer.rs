//! Standard output for findings and files.

use std::{
    io::{self, BufWriter, Stdout, Write},
    path::Path,
    sync::{Arc, OnceLock},
};

/// The beginning of the message if it cannot be written to.
pub const STDOUT_FAILED: &str = "cannot write to standard output";

/// Whether a path on the command line means standard output.
pub fn is_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].into_iter().any(|name| path == Path::new(name))
}

/// Standard output, for results that are printed while a command runs.
#[derive(Debug)]
pub struct Printer {
    to: BufWriter<Stdout>,
    failure: Option<Failure>,
}

/// The first error of a [`Printer`].
#[derive(Clone, Debug, Default)]
pub struct Failure(Arc<OnceLock<io::Error>>);

impl Failure {
    /// The error, unless the reader has seen enough.
    pub fn check(self) -> io::Result<()> {
        match Arc::into_inner(self.0).and_then(OnceLock::into_inner) {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

impl Printer {
    /// Standard output. With `failure`, the first error is kept there and ends the printing, and
    /// the command goes on. Otherwise an error is returned.
    pub fn new(failure: Option<&Failure>) -> Printer {
        Printer { to: BufWriter::new(io::stdout()), failure: failure.cloned() }
    }

    /// Writes with `write`, and returns `skipped` if nothing is printed any more.
    fn print<T>(&mut self, skipped: T, write: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<T>) -> io::Result<T> {
        if self.failure.as_ref().is_some_and(|failure| failure.0.get().is_some()) {
            return Ok(skipped);
        }
        write(&mut self.to).or_else(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return Err(error);
            }
            let error = io::Error::new(error.kind(), format!("{STDOUT_FAILED}: {error}"));
            match &self.failure {
                Some(failure) => {
                    // The first error is kept.
                    let _ = failure.0.set(error);
                    Ok(skipped)
                }
                None => Err(error),
            }
        })
    }
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.print(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.print((), Write::flush)
    }
}
