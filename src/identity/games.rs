//! The games and positions of a run, as far as they are needed to find copies.

use std::io;

use super::{CardBatch, Copies, Lists, RecordKeys, Shared, cards::Cards, copies::find_copies, judge::MIN_SAME};
use crate::spill::{Log, Sorter};

/// Maximum number of keys in memory.
const MAX_KEYS: usize = 1 << 18;

/// Maximum number of players of games in memory.
const MAX_PLAYERS: usize = 1 << 16;

/// Maximum number of bytes of cards in memory.
const MAX_BYTES: usize = 1 << 23;

/// The cards of all games and positions, and what they are found by.
#[derive(Debug)]
pub struct Games {
    cards: Log,
    /// Each key, with the order of the game or the input of the position among those with this key,
    /// and the place of the card.
    keys: Sorter<3>,
    /// The players of all games.
    players: Sorter<5>,
    /// The inputs in their order: the rank by which they were named, and the name. `None` for those
    /// that do not count.
    inputs: Vec<Option<(usize, String)>>,
    /// Number of games with fewer than [`MIN_SAME`] plies, and of those in the input that is read.
    short_games: u64,
    short_in_input: u64,
}

impl Default for Games {
    fn default() -> Games {
        Games {
            cards: Log::with_limit(MAX_BYTES),
            keys: Sorter::with_limit(MAX_KEYS),
            players: Sorter::with_limit(MAX_PLAYERS),
            inputs: Vec::new(),
            short_games: 0,
            short_in_input: 0,
        }
    }
}

impl Games {
    /// Adds games and positions of the input that comes next.
    pub fn add(&mut self, mut batch: CardBatch) -> io::Result<()> {
        let mut keys = std::mem::take(&mut batch.keys).into_iter().peekable();
        let mut players = std::mem::take(&mut batch.players).into_iter().peekable();
        let mut at = 0;
        for card in batch.cards() {
            let place = self.cards.push([card.bytes()])?;
            self.short_in_input += u64::from(!card.is_position() && card.plies() < MIN_SAME as u64);
            while let Some((key, order, _)) = keys.next_if(|(.., of)| *of == at) {
                let order = if Shared::of(key) == Some(Shared::Position) { card.input() } else { order };
                self.keys.push([key, order, place])?;
            }
            while let Some((player, _)) = players.next_if(|(_, of)| *of == at) {
                self.players.push(player.entry(self.inputs.len() as u64, place))?;
            }
            at += card.bytes().len();
        }
        Ok(())
    }

    /// Ends an input: the rank by which it was named, and its name. Without these, it does not
    /// count.
    pub fn end_input(&mut self, input: Option<(usize, String)>) {
        let short = std::mem::take(&mut self.short_in_input);
        self.short_games += if input.is_some() { short } else { 0 };
        self.inputs.push(input);
    }

    /// Finds copies among all games and positions. `spellings` are those of names of one player,
    /// and
    /// `keys` tell records from others in reports.
    pub fn copies(self, lists: Lists<'_>, keys: RecordKeys) -> io::Result<Copies> {
        let cards = Cards::new(self.cards.written(), self.inputs);
        let mut copies = find_copies(cards, self.keys, self.players, lists, keys)?;
        copies.short_games = self.short_games;
        Ok(copies)
    }
}
