//! What a run and its inputs are expected to contain.

use std::{collections::BTreeMap, fmt};

use crate::{
    corpus::Globs,
    record::Counts,
    rules::{Bounds, Ceiling, CodeSet, Quantity},
};

/// What a run and its inputs are expected to contain.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Of the run.
    pub of_run: Vec<(SetAt, ExpectedOfRun)>,
    /// Of inputs that match a glob. At least one has to.
    pub of_inputs: Vec<(SetAt, ExpectedInputs)>,
    /// By the name of a file, or the end of its path: where its number of games is published, and
    /// this number. Files may be missing.
    pub published: BTreeMap<String, (String, u64)>,
}

/// The line that sets an expectation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetAt {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The first byte of the line.
    pub byte: usize,
}

impl fmt::Display for SetAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// What is expected of a run.
#[derive(Clone, Debug)]
pub enum ExpectedOfRun {
    /// Bounds of what is in all inputs.
    Count(Quantity, Bounds),
    /// Maximum number of findings of the rules with this name.
    Findings(String, CodeSet, Ceiling),
    /// The SHA-256 digest of files with this name, in hexadecimal and lower case. They may be
    /// missing.
    Digest {
        /// The name, without directories.
        file: String,
        /// The digest.
        sha256: String,
    },
}

/// What is expected of each of some inputs.
#[derive(Clone, Debug)]
pub struct ExpectedInputs {
    /// The glob as it is written.
    pub glob: String,
    /// The same to match names.
    pub names: Globs,
    /// Bounds of what is in each input.
    pub counts: Vec<(Quantity, Bounds)>,
}

impl Expectations {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.of_run.is_empty() && self.of_inputs.is_empty() && self.published.is_empty()
    }

    /// The bounds for the input `name`, each with the line that sets it.
    pub(super) fn of_input<'e>(&'e self, name: &'e str) -> impl Iterator<Item = (&'e dyn fmt::Display, Quantity, Bounds)> {
        // The longest name first: `2024/a.pgn` is another file than `a.pgn` in other directories.
        let mut ends = std::iter::once(name).chain(name.match_indices('/').map(|(at, _)| &name[at + 1..]));
        let published = ends.find_map(|end| self.published.get(end));
        let published = published.map(|(set_at, games)| (set_at as &dyn fmt::Display, Quantity::Games, Bounds::exactly(*games)));
        let matching = self.of_inputs.iter().filter(|(_, expected)| expected.names.is_match(name));
        let set = |(set_at, expected): &'e (SetAt, ExpectedInputs)| {
            expected.counts.iter().map(move |(quantity, bounds)| (set_at as &dyn fmt::Display, *quantity, *bounds))
        };
        matching.flat_map(set).chain(published)
    }
}

/// How many of `quantity` there are in this many inputs.
pub(super) const fn number_of(quantity: Quantity, inputs: u64, counts: &Counts) -> u64 {
    match quantity {
        Quantity::Inputs => inputs,
        Quantity::Games => counts.games,
        Quantity::Positions => counts.positions,
        Quantity::Plies => counts.plies,
        Quantity::Bytes => counts.bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_by_the_end_of_a_path() {
        let published = [("a.pgn", 1), ("2024/a.pgn", 2)];
        let published = published.map(|(name, games)| (name.to_owned(), ("counts.txt:1".to_owned(), games)));
        let expectations = Expectations { published: published.into_iter().collect(), ..Expectations::default() };
        let games = |name| expectations.of_input(name).map(|(_, _, bounds)| bounds).next();
        for (name, expected) in [
            ("a.pgn", Some(1)),
            ("2023/a.pgn", Some(1)),
            ("2024/a.pgn", Some(2)),
            ("club/2024/a.pgn", Some(2)),
            ("12024/a.pgn", Some(1)),
            ("ba.pgn", None),
        ] {
            assert_eq!(games(name), expected.map(Bounds::exactly), "{name}");
        }
    }
}
