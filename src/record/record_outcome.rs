//! What was read of a record, without its findings.

use super::{
    evidence::RecordEvidence,
    game::{GameMemory, GameOutcome},
    portrait::GameProperties,
    record_checks::RecordChecks,
    record_counts::Counts,
    window::Window,
};
use crate::{rules::facts::NamedPosition, table::CellContent, text::Span};

/// The result of reading a record, without its findings.
#[derive(Debug, Default)]
pub(crate) struct RecordOutcome {
    /// Where the next record begins.
    pub next: usize,
    /// End of the record itself; text after it, up to the next record, does not belong to it.
    pub end: usize,
    /// Start of the movetext of a game.
    pub movetext: usize,
    /// Whether more text could change the result.
    pub touched_end: bool,
    /// What was read.
    pub counts: Counts,
    /// What the record shows about its input.
    pub evidence: RecordEvidence,
    /// The properties of its games, if they are counted.
    pub properties: Vec<GameProperties>,
    /// The label of a row of a table.
    pub label: Option<CellContent>,
    /// The position that the record names.
    pub named: Option<NamedPosition>,
    /// The line with the position that the record is about, if it is in an earlier record.
    pub continues: Option<Span>,
    /// Why the record was not checked, if it was not.
    pub too_large: Option<Box<str>>,
    /// Why an oracle could not be asked about the record, if one could not.
    pub oracle_failure: Option<Box<str>>,
    /// Whether the record goes on at `next`: the next record begins somewhere after it.
    pub goes_on: bool,
}

impl RecordOutcome {
    /// Whether the record has to be read again with more text.
    pub fn needs_more(&self, window: &Window<'_>) -> bool {
        !window.complete && (self.touched_end || self.next > window.last_end())
    }

    /// Notes the game at `start` of `text`, which is a part of the record.
    pub(super) fn note_game(
        &mut self,
        text: &[u8],
        start: usize,
        game: &GameOutcome,
        memory: &mut GameMemory,
        checks: &RecordChecks,
    ) {
        self.counts.games += u64::from(game.is_game);
        if checks.games.cards.is_some() && game.is_game {
            memory.write_card(text, start, game.end, false);
        }
        if checks.games.draws_portrait && game.is_game {
            self.properties.push(memory.properties(text, game));
        }
        self.counts.plies += game.plies;
        self.counts.plies_not_examined += game.plies_not_examined;
        self.counts.unsupported.add(game.unsupported());
        self.counts.oracles.add(game.oracles);
        self.evidence.position.get_or_insert_with(|| game.evidence.clone());
    }

    /// The start of a record that may go on in text that cannot be read, if it is this one, which
    /// begins at `start`, or what follows it.
    pub fn cut(&self, window: &Window<'_>, start: usize) -> Option<usize> {
        if !(window.is_cut && self.touched_end && self.next == window.text.len()) {
            return None;
        }
        let after = window.text.get(self.end..).unwrap_or_default();
        match after {
            [] => Some(start),
            _ => (!after.trim_ascii().is_empty()).then_some(self.end),
        }
    }
}
