//! Events in two spellings.

use std::io;

use super::oddity::{MAX_IN_MEMORY, Oddities, Oddity};
use crate::spill::Sorter;

/// A spelling is that of the event if so many times more games have it.
const MAIN_TIMES: u64 = 3;

/// Maximum number of spellings of one event that are compared.
const MAX_SPELLINGS: usize = 64;

/// The events of all games: what spellings share, the spelling, the rank of the input, and the
/// place of the card.
pub(super) struct EventNames(Sorter<4>);

impl Default for EventNames {
    fn default() -> EventNames {
        EventNames(Sorter::with_limit(MAX_IN_MEMORY))
    }
}

/// A spelling of an event: its number of games, and the place of the first card.
struct Spelling {
    text: u64,
    games: u64,
    first: u64,
}

impl EventNames {
    /// Adds a game: the keys of what spellings of its event share, and of its own one, and the rank
    /// of its input with the place of its card.
    pub fn add(&mut self, [folded, event]: [u64; 2], (rank, at): (u64, u64)) -> io::Result<()> {
        self.0.push([folded, event, rank, at])
    }

    /// Finds the spellings that few games have.
    pub fn find(self, found: &mut Oddities<'_>) -> io::Result<()> {
        let (mut event, mut spellings): (u64, Vec<Spelling>) = (0, Vec::new());
        for entry in self.0.sorted()? {
            let [of, text, _, at] = entry?;
            if of != event {
                end(&mut spellings, found)?;
                event = of;
            }
            match spellings.last_mut() {
                Some(last) if last.text == text => last.games += 1,
                _ => spellings.push(Spelling { text, games: 1, first: at }),
            }
            spellings.truncate(MAX_SPELLINGS);
        }
        end(&mut spellings, found)
    }
}

/// Notes the rare spellings of an event.
fn end(spellings: &mut Vec<Spelling>, found: &mut Oddities<'_>) -> io::Result<()> {
    let spellings = std::mem::take(spellings);
    let Some(main) = spellings.iter().max_by_key(|spelling| (spelling.games, spelling.text)) else { return Ok(()) };
    for Spelling { games, first, .. } in &spellings {
        if games * MAIN_TIMES <= main.games {
            let oddity = Oddity::EventSpelling { main: main.first, main_games: main.games, games: *games };
            found.push(*first, oddity)?;
        }
    }
    Ok(())
}
