//! The cards of all games and positions of a run, for reading.

use std::{borrow::Cow, io};

use crate::spill::WrittenLog;

/// The cards of all games and positions, and the inputs that they are in.
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

    /// Shows the place and the bytes of all cards, in the order in which they were added.
    pub fn for_each(&self, take: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        self.log.for_each(take)
    }

    /// The rank of each input by its name; `None` for those that do not count.
    pub fn ranks(&self) -> Vec<Option<u64>> {
        let mut names: Vec<&String> = self.inputs.iter().flatten().collect();
        names.sort();
        let rank = |name: &String| names.partition_point(|other| *other < name) as u64;
        self.inputs.iter().map(|name| name.as_ref().map(rank)).collect()
    }

    /// The name of an input; `None` if it does not count.
    pub fn input(&self, number: u64) -> Option<&str> {
        self.inputs.get(usize::try_from(number).ok()?)?.as_deref()
    }
}
