//! What receives the text that a run reads, input by input.

use std::io;

use super::open_input::{InputDescription, OpenInput};
use crate::{
    corpus::Skipped,
    pipeline::{
        chunk::Chunk,
        panics::{guarded, trial},
    },
    record::{Counts, PackedPortrait, Tally},
};

/// Receives what a run reads. One machine reports it at once. A shard keeps it for the report that
/// is merged from all shards.
pub(in crate::pipeline) trait Collector {
    /// Takes the next chunk of `input`. `text` begins at byte `base` of the input.
    fn chunk(&mut self, input: &mut OpenInput, chunk: Chunk, text: &[u8], base: u64) -> io::Result<()>;

    /// Takes a failure of the auditor on `input`. If the input changed, that is the reason.
    fn failure(&mut self, input: &mut OpenInput, stage: &'static str, byte: Option<u64>, message: String) -> io::Result<()>;

    /// Counts files that were skipped on purpose.
    fn skipped(&mut self, skipped: Skipped);

    /// Takes an input without chess. A file that the user has named should contain chess, so that
    /// is a failure with this `message`. For a file that was found by a search, it is a finding.
    fn not_chess(&mut self, input: &mut OpenInput, message: &str) -> io::Result<()>;

    /// Takes an input that is not text that can be read: UTF-32, or an archive.
    fn foreign(&mut self, input: &mut OpenInput, kind: &str) -> io::Result<()>;

    /// Whether it takes all chunks, even those of inputs about which there is nothing to report.
    fn takes_all_chunks(&self) -> bool;

    /// Takes an input about which there is nothing to report, instead of its chunks.
    fn clean(&mut self, input: CleanInput) -> io::Result<()>;

    /// Closes an input: what was known only at its end can be reported, and the summary.
    fn close(&mut self, input: Box<OpenInput>) -> io::Result<()>;
}

/// An input about which there is nothing to report.
#[derive(Debug)]
pub(in crate::pipeline) struct CleanInput {
    pub about: InputDescription,
    pub counts: Counts,
    pub portrait: PackedPortrait,
    /// Whether most of its records are Chess960.
    pub is_chess960: bool,
}

impl CleanInput {
    /// The input, if there is nothing to report about it. `chunk` is all of it.
    pub fn of(input: &OpenInput, chunk: &Chunk) -> Option<CleanInput> {
        let about = &input.about;
        let is_clean = guarded("this input", || {
            trial("close", about.name.as_bytes(), 0);
            chunk.is_clean() && !chunk.aggregates.iter().any(|aggregate| aggregate.may_report_alone())
        });
        is_clean.unwrap_or(false).then(|| {
            let Tally { counts, portrait, evidence, .. } = &chunk.tally;
            let is_chess960 = evidence.is_chess960();
            CleanInput { about: about.clone(), counts: *counts, portrait: portrait.packed(), is_chess960 }
        })
    }
}
