//! Which checks run on games.

use std::sync::Arc;

use super::reached_positions::ReachedChecks;
use crate::{
    chess::{Variant, retro::Effort},
    identity::CardUse,
    oracle::Oracles,
    pgn::{EcoBook, Limits},
    record::LineOracles,
    rules::{ActiveRules, Declared, HouseRules, Selection, Sign, tag},
};

/// Which checks run on games. Work that only rules outside the selection need is skipped.
#[derive(Clone, Debug)]
pub(crate) struct GameChecks {
    pub rules: ActiveRules,
    /// The opening book, if one was given and its rule is selected.
    pub(super) eco: Option<Arc<EcoBook>>,
    /// The oracles.
    pub oracles: Arc<Oracles>,
    /// House rules.
    pub house: Arc<HouseRules>,
    /// Maximum number of pieces in positions that tables may contain; 0 without tables.
    pub max_table_pieces: usize,
    /// The repairs of all places are listed.
    pub repairs: bool,
    /// What a card of each game is kept for. `None` if no cards are kept.
    pub cards: Option<CardUse>,
    /// Games are counted by their properties.
    pub draws_portrait: bool,
    /// Misspelled names of tags that were found before are only counted.
    pub counts_names: bool,
    /// Which positions that the replay reaches are checked.
    pub reached: ReachedChecks,
    /// How much is searched before it is left open whether a position can be reached.
    pub(super) effort: Effort,
    /// The variant of records without a Variant tag.
    pub variant: Option<Variant>,
    /// Ratings and dates that count as possible.
    pub limits: Limits,
}

impl GameChecks {
    /// What the settings declare about every position.
    pub(in crate::record) fn declared(&self) -> Declared {
        Declared { effort: self.effort, ..Declared::by_user(self.variant) }
    }

    /// The checks that `selection` needs. Records without a Variant tag are of the variant
    /// `variant`. `eco` is the opening book.
    pub(crate) fn of(selection: &Selection, variant: Option<Variant>, eco: Option<&Arc<EcoBook>>) -> GameChecks {
        GameChecks {
            repairs: false,
            cards: None,
            draws_portrait: false,
            counts_names: true,
            rules: ActiveRules::of(selection),
            eco: eco.filter(|_| selection.shows_infos(&tag::eco_mismatch::RULE)).cloned(),
            oracles: Arc::default(),
            house: Arc::default(),
            max_table_pieces: 0,
            reached: ReachedChecks::default(),
            effort: Effort::Quick,
            variant,
            limits: Limits::DEFAULT,
        }
    }

    /// The same checks with oracles that can be asked.
    pub(crate) fn asking(self, oracles: &Arc<Oracles>) -> GameChecks {
        GameChecks { oracles: Arc::clone(oracles), max_table_pieces: oracles.max_table_pieces(), ..self }
    }

    /// The same checks, and house rules.
    pub(crate) fn of_house(self, house: &Arc<HouseRules>) -> GameChecks {
        GameChecks { house: Arc::clone(house), ..self }
    }

    /// The same checks, for a list of repairs if `repairs` is set.
    pub(crate) fn listing_repairs(self, repairs: bool) -> GameChecks {
        GameChecks { repairs, ..self }
    }

    /// The same checks, keeping a card of each game for this use.
    pub(crate) fn keeping_cards(self, cards: Option<CardUse>) -> GameChecks {
        GameChecks { cards, ..self }
    }

    /// The same checks, counting games by their properties if `draws_portrait` is set.
    pub(crate) fn drawing_portrait(self, draws_portrait: bool) -> GameChecks {
        GameChecks { draws_portrait, ..self }
    }

    /// The same checks, which find misspelled names of tags in every game unless `counts_names` is
    /// set.
    pub(crate) fn counting_names(self, counts_names: bool) -> GameChecks {
        GameChecks { counts_names, ..self }
    }

    /// Whether rules look for this.
    #[inline(always)]
    pub(in crate::record) const fn look_for(&self, sign: Sign) -> bool {
        self.rules.waking().looks_for(sign)
    }

    /// Whether infos about moves and their numbers are shown.
    pub(super) fn has_spelling_infos(&self) -> bool {
        let signs = [Sign::UnmarkedCheck, Sign::UnmarkedCapture, Sign::Disambiguation, Sign::NumberStyle];
        self.rules.waking().has_moves() || signs.into_iter().any(|sign| self.look_for(sign))
    }

    /// The oracles that can be asked about position lines.
    pub(in crate::record) fn asking_about_lines(&self) -> LineOracles<'_> {
        LineOracles { oracles: &self.oracles, rules: &self.rules }
    }

    /// The same checks, and these of the positions that games reach.
    pub(crate) fn of_reached(self, reached: ReachedChecks) -> GameChecks {
        GameChecks { reached, ..self }
    }

    /// The same checks, with this effort in searches for the past of positions.
    pub(crate) fn searching(self, effort: Effort) -> GameChecks {
        GameChecks { effort, ..self }
    }

    /// The same checks with other limits.
    pub(crate) fn within(self, limits: Limits) -> GameChecks {
        GameChecks { limits, ..self }
    }
}
