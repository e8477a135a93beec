//! The games of a run, as far as they are needed to find copies.

use std::io;

use super::CardBatch;
use crate::spill::Sorter;

/// Maximum number of keys in memory.
const MAX_KEYS: usize = 1 << 20;

/// The cards of all games, and what they are found by.
#[derive(Debug)]
pub struct Games {
    cards: Cards,
    /// Each key, with where its card is.
    keys: Sorter<2>,
}

impl Default for Games {
    fn default() -> Games {
        Games { cards: Cards::default(), keys: Sorter::with_limit(MAX_KEYS) }
    }
}

impl Games {
    /// Adds games.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn add(&mut self, mut batch: CardBatch) -> io::Result<()> {
        let keys = std::mem::take(&mut batch.keys);
        let mut keys = keys.into_iter().peekable();
        let mut at = 0;
        for card in batch.cards() {
            let place = self.cards.push(card.bytes())?;
            while let Some((key, _)) = keys.next_if(|(_, of)| *of == at) {
                self.keys.push([key, place])?;
            }
            at += card.bytes().len();
        }
        Ok(())
    }
}
