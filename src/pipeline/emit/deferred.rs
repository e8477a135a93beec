//! Findings that depend on the whole input, and wait until it was read.
//!
//! Findings pass through until one has to wait. All findings of the input after that one wait, too,
//! so that the order is kept. Many of them are stored in a temporary file. What is reported once
//! per input is counted.

use std::io;

use rustc_hash::FxHashMap;

use crate::{
    pipeline::{
        audited_part::Around,
        once_per_input::{Key, OncePerInput, key},
    },
    rules::{Finding, MIN_GROUPED},
    spill::Queue,
};

/// Maximum number of findings that wait in memory.
const MAX_IN_MEMORY: usize = 4096;

/// The findings of one input that wait.
#[derive(Debug)]
pub(in crate::pipeline) struct Deferred {
    queue: Queue<(Finding, Around)>,
    holds_all: bool,
    /// Number of findings that wait. The progress counts them already.
    pub waiting: u64,
    /// Findings that are reported once per input, and groups of findings that may be.
    pub repeated: OncePerInput<Around>,
    /// Number of findings with a repair, for each kind of finding that may be grouped.
    patched: FxHashMap<Key, u64>,
    /// Number of excerpts for findings of one key, separately for known ones.
    excerpts: FxHashMap<(Key, bool), u64>,
}

impl Default for Deferred {
    fn default() -> Deferred {
        Deferred {
            queue: Queue::with_limit(MAX_IN_MEMORY),
            holds_all: false,
            waiting: 0,
            repeated: OncePerInput::of_input(),
            patched: FxHashMap::default(),
            excerpts: FxHashMap::default(),
        }
    }
}

impl Deferred {
    /// Makes all findings from now on wait.
    pub const fn hold(&mut self) {
        self.holds_all = true;
    }

    /// Whether the finding does not depend on the rest of the input.
    pub fn may_pass(&self, finding: &Finding) -> bool {
        !self.holds_all && finding.conditions.is_empty()
    }

    /// Takes the finding if it has to wait, or hands it back if it can be reported now.
    pub fn take(&mut self, finding: Finding, around: Around) -> io::Result<Option<(Finding, Around)>> {
        let depends = finding.scope.depends_on_count() || !finding.conditions.is_empty();
        if !self.holds_all && self.queue.is_empty() && !depends {
            return Ok(Some((finding, around)));
        }
        self.queue.push((finding, around)).map(|()| None)
    }

    /// Drops all findings so far.
    pub fn forget(&mut self) {
        (self.queue, self.repeated) = (Queue::with_limit(MAX_IN_MEMORY), OncePerInput::of_input());
    }

    /// The findings that have waited, in their order.
    pub const fn take_waiting(&mut self) -> Queue<(Finding, Around)> {
        std::mem::replace(&mut self.queue, Queue::with_limit(MAX_IN_MEMORY))
    }

    /// Counts a finding with a repair that may be grouped. Returns whether there were so many
    /// before it that nothing but its repair is needed.
    pub fn has_enough_repairs(&mut self, finding: &Finding) -> bool {
        let patched = self.patched.entry(key(finding)).or_default();
        *patched += 1;
        *patched > MIN_GROUPED
    }

    /// Whether the finding may be one of the first `examples` of its rule. Findings with the same
    /// key are reported or dropped together. Known findings are counted separately.
    pub fn may_be_example(&mut self, finding: &Finding, known: bool, examples: u64) -> bool {
        let taken = self.excerpts.entry((key(finding), known)).or_insert(0);
        *taken += 1;
        *taken <= examples
    }
}
