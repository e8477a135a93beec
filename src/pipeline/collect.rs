//! What a run hands over: chunks and other facts, in the order of the inputs and of their bytes.

use std::io;

use super::{chunk::Chunk, emit::OpenInput};
use crate::corpus::Skipped;

/// Receives what a run reads. One machine reports it at once. A shard keeps it for the report that
/// is merged from all shards.
pub(super) trait Collector {
    /// Takes the next chunk of `input`. `text` begins at byte `base` of the input.
    ///
    /// # Errors
    /// If it cannot be written.
    fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()>;

    /// Takes a failure of the auditor on `input`. If the input changed, that is the reason.
    ///
    /// # Errors
    /// If it cannot be written.
    fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()>;

    /// Counts files that were skipped on purpose.
    fn skipped(&mut self, skipped: Skipped);

    /// Takes an input without chess. A file that the user has named should contain chess, so that
    /// is a failure with this `message`. For a file that was found by a search, it is a finding.
    ///
    /// # Errors
    /// If it cannot be written.
    fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()>;

    /// Takes an input that is not text that can be read: UTF-16 without a mark, or an archive.
    ///
    /// # Errors
    /// If it cannot be written.
    fn foreign(&mut self, input: &mut OpenInput, kind: &str) -> io::Result<()>;

    /// Closes an input: what was known only at its end can be reported, and the summary.
    ///
    /// # Errors
    /// If it cannot be written.
    fn close(&mut self, input: Box<OpenInput>) -> io::Result<()>;
}
