//! The cards of all games of a run, for reading.

use std::{borrow::Cow, io};

use crate::spill::WrittenLog;

/// The cards of all games, and the inputs that they are in.
#[derive(Debug)]
pub(super) struct Cards {
    log: WrittenLog,
    inputs: Vec<Option<String>>,
}

impl Cards {
    pub const fn new(log: WrittenLog, inputs: Vec<Option<String>>) -> Cards {
        Cards { log, inputs }
    }

    /// The bytes of the card at this place.
    pub fn bytes(&self, at: u64) -> io::Result<Cow<'_, [u8]>> {
        self.log.get(at)
    }

    /// The name of an input; `None` if its games do not count.
    pub fn input(&self, number: u64) -> Option<&str> {
        self.inputs.get(usize::try_from(number).ok()?)?.as_deref()
    }
}
