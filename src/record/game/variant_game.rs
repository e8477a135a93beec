//! The state of a variant game.

use shakmaty::{Position, variant::VariantPosition};

use crate::{
    chess::{Variant, VariantEnd, fen_of, laws, variant_start},
    identity::{FirstPosition, MainLine, Ply},
    pgn::{KnownTag, TagSection},
};

/// A line of a variant game.
#[derive(Clone, Debug)]
pub(super) struct VariantLine {
    pub(super) position: VariantPosition,
    /// The position before the last ply of the line.
    pub(super) before: Option<VariantPosition>,
    /// Whether the line can be replayed so far.
    pub(super) live: bool,
    /// Its plies, if it is the main line.
    pub(super) plies: Vec<Ply>,
}

/// The replay of a variant game.
#[derive(Debug)]
pub(super) struct VariantGame {
    pub(super) line: VariantLine,
    /// The lines that wait while a variation is read.
    pub(super) outer: Vec<VariantLine>,
    /// Whether the result of a stalemate is known in this variant.
    pub(super) stalemate_is_known: bool,
    pub(super) first: FirstPosition,
}

impl VariantGame {
    /// The game according to its tags, if it can be replayed.
    pub(super) fn begin(tags: &TagSection<'_>, variant: Variant) -> Option<Box<VariantGame>> {
        let start = variant_start(laws(variant)?, tags.value(KnownTag::Fen))?;
        let first = FirstPosition::of_variant(variant.name(), &fen_of(&start), start.turn());
        let line = VariantLine { position: start, before: None, live: true, plies: Vec::new() };
        Some(Box::new(VariantGame { line, outer: Vec::new(), stalemate_is_known: variant != Variant::Suicide, first }))
    }

    /// The position reached.
    pub(super) fn fen(&self) -> String {
        fen_of(&self.line.position)
    }

    /// Puts the main line into `main_line`. Call this after all variations are closed.
    pub(super) fn main_line_to(&self, main_line: &mut MainLine) {
        main_line.first = self.first.clone();
        main_line.plies.extend_from_slice(&self.line.plies);
    }

    /// How the game ended on the board. Call this after all variations are closed.
    pub(super) fn end(&self) -> Option<(VariantEnd, String)> {
        let position = &self.line.position;
        let end = VariantEnd::of(position).filter(|_| self.line.live)?;
        let by_stalemate = position.variant() == shakmaty::variant::Variant::Antichess && position.us().any();
        (self.stalemate_is_known || !by_stalemate).then(|| (end, fen_of(position)))
    }
}
