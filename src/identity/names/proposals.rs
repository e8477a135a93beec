//! Names that may be those of one player, although no games say so.

use std::io;

use rustc_hash::FxHashMap;

use crate::identity::PlayerName;
use crate::spill::{Log, Sorter};

/// Maximum number of surnames in memory.
const MAX_IN_MEMORY: usize = 1 << 15;

/// Maximum number of bytes of names in memory.
const MAX_BYTES: usize = 1 << 20;

/// Maximum number of names with one surname that are compared.
const MAX_OF_SURNAME: usize = 64;

/// Maximum number of names that are proposed.
const MAX_PROPOSED: usize = 1 << 16;

/// Compares names with the same surname.
#[derive(Debug)]
pub(super) struct Proposals {
    /// The most frequent spelling of each name.
    names: Log,
    /// A surname, the group of the name, and where the name is.
    surnames: Sorter<3>,
}

impl Default for Proposals {
    fn default() -> Proposals {
        Proposals { names: Log::with_limit(MAX_BYTES), surnames: Sorter::with_limit(MAX_IN_MEMORY) }
    }
}

impl Proposals {
    /// Adds a name of this group, by its most frequent spelling.
    pub fn add(&mut self, group: u64, spelling: &str) -> io::Result<()> {
        let at = self.names.push([spelling.as_bytes()])?;
        PlayerName::new(spelling).surname_keys().try_for_each(|surname| self.surnames.push([surname, group, at]))
    }

    /// For each group, the folded names that are proposed.
    pub fn find(self) -> io::Result<FxHashMap<u64, Vec<String>>> {
        let names = self.names.written();
        let (mut found, mut proposed): (FxHashMap<u64, Vec<String>>, usize) = (FxHashMap::default(), 0);
        self.surnames.sorted()?.for_each_group(MAX_OF_SURNAME, |entries, number| {
            // Under a frequent surname, an initial says little.
            if number > entries.len() as u64 || proposed >= MAX_PROPOSED {
                return Ok(());
            }
            let read = |[_, group, at]: &[u64; 3]| {
                let text = String::from_utf8_lossy(&names.get(*at)?).into_owned();
                Ok((*group, PlayerName::new(&text), PlayerName::folded(&text)))
            };
            let known: Vec<(u64, PlayerName, String)> = entries.iter().map(read).collect::<io::Result<_>>()?;
            for [one, other] in pairs(&known.iter().map(|(_, name, _)| name).collect::<Vec<_>>()) {
                proposed += 1;
                for (of, other) in [(one, other), (other, one)] {
                    let texts = found.entry(known[of].0).or_default();
                    if !texts.contains(&known[other].2) {
                        texts.push(known[other].2.clone());
                    }
                }
            }
            Ok(())
        })?;
        found.values_mut().for_each(|names| names.sort());
        Ok(found)
    }
}

/// The pairs of these names, by their indices, that may be those of one player. A name that may be
/// that of two players is in none.
fn pairs(names: &[&PlayerName]) -> Vec<[usize; 2]> {
    let others = |at: usize| (0..names.len()).filter(move |other| *other != at && may_be_one(names[at], names[*other]));
    let alike: Vec<Vec<usize>> = (0..names.len()).map(|at| others(at).collect()).collect();
    let is_clear = |at: &usize| !alike[*at].iter().any(|one| alike[*at].iter().any(|other| names[*one].differs(names[*other])));
    let clear = (0..names.len()).filter(is_clear);
    clear
        .flat_map(|at| {
            alike[at].iter().filter(move |other| **other > at).filter(|other| is_clear(other)).map(move |other| [at, *other])
        })
        .collect()
}

/// Whether both may be names of one player: the surname is equal, and a given name is written in
/// full.
fn may_be_one(one: &PlayerName, other: &PlayerName) -> bool {
    one.is_compatible(other) && (one.has_given_name() || other.has_given_name()) && one.may_be_spelling_of(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_and_spellings_are_proposed() -> io::Result<()> {
        let mut proposals = Proposals::default();
        let names = ["Smyslov V", "Smyslov, Vasily", "Smyslov, Vassily", "Polgar, Z", "Polgar, Zsuzsa", "Polgar, Zsofia", "Tal"];
        for name in names {
            proposals.add(PlayerName::new(name).group(), name)?;
        }
        let found = proposals.find()?;
        let of = |name: &str| found.get(&PlayerName::new(name).group()).cloned().unwrap_or_default();
        assert_eq!(of("Smyslov V"), ["smyslov vasily", "smyslov vassily"]);
        assert_eq!(of("Smyslov, Vasily"), ["smyslov v", "smyslov vassily"]);
        for name in ["Polgar, Z", "Polgar, Zsuzsa", "Tal"] {
            assert!(of(name).is_empty(), "{name}");
        }
        Ok(())
    }
}
