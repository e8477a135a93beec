//! The cards of all games and positions of a run, for reading.

use std::{borrow::Cow, io};

use crate::spill::WrittenLog;

/// The cards of all games and positions, and the inputs that they are in.
#[derive(Debug)]
pub(super) struct Cards {
    log: WrittenLog,
    /// The ranks by which inputs were named, and their names.
    inputs: Vec<Option<(usize, String)>>,
}

impl Cards {
    pub const fn new(log: WrittenLog, inputs: Vec<Option<(usize, String)>>) -> Cards {
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
        let mut names: Vec<&String> = self.inputs.iter().flatten().map(|(_, name)| name).collect();
        names.sort();
        let rank = |name: &String| names.partition_point(|other| *other < name) as u64;
        self.inputs.iter().map(|input| input.as_ref().map(|(_, name)| rank(name))).collect()
    }

    /// The rank by which an input was named, and its name.
    pub fn named(&self, number: u64) -> (usize, &str) {
        let input = usize::try_from(number).ok().and_then(|number| self.inputs.get(number)?.as_ref());
        input.map_or((usize::MAX, ""), |(rank, name)| (*rank, name))
    }

    /// The name of an input; `None` if it does not count.
    pub fn input(&self, number: u64) -> Option<&str> {
        self.inputs.get(usize::try_from(number).ok()?)?.as_ref().map(|(_, name)| name.as_str())
    }
}
