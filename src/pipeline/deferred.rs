//! Findings that depend on the whole input, and wait until it was read.
//!
//! Findings pass through until one has to wait. All findings of the input after that one wait, too,
//! so that the order is kept. Many of them are stored in a temporary file.

use std::io;

use crate::{
    record::{Evidence, Excerpt},
    rules::Finding,
    spill::Queue,
};

/// Maximum number of findings that wait in memory.
const MAX_IN_MEMORY: usize = 4096;

/// A finding and, if it may become an example, the text around it.
pub(super) type Waiting = (Finding, Option<Box<Excerpt>>);

/// The findings of one input that wait.
#[derive(Debug)]
pub(super) struct Deferred {
    queue: Queue<Waiting>,
    holds_all: bool,
}

impl Default for Deferred {
    fn default() -> Deferred {
        Deferred { queue: Queue::with_limit(MAX_IN_MEMORY), holds_all: false }
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
    pub fn take(&mut self, finding: Waiting) -> io::Result<Option<Waiting>> {
        let depends = finding.0.scope.depends_on_count() || !finding.0.conditions.is_empty();
        if !self.holds_all && self.queue.is_empty() && !depends {
            return Ok(Some(finding));
        }
        self.queue.push(finding).map(|()| None)
    }

    /// Passes on the findings whose conditions hold, in their order, after the whole input was
    /// read.
    pub fn release(self, evidence: &Evidence, mut take: impl FnMut(Waiting) -> io::Result<()>) -> io::Result<()> {
        self.queue.drain(|waiting| if evidence.notes.hold_all(waiting.0.conditions) { take(waiting) } else { Ok(()) })
    }
}
