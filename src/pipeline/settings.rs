//! The settings of a run.

use std::sync::Arc;

use super::{Exception, Expectations, Known, SplitOn};
use crate::{
    chess::{Variant, retro::Effort},
    corpus::Globs,
    identity::Spellings,
    oracle::Oracles,
    pgn::{EcoBook, Limits},
    record::MAX_RECORD,
    rules::{HouseRules, Need, Selection},
    table::Columns,
};

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which findings are shown.
    pub selection: Selection,
    /// Worker threads; 0 means one for each processor.
    pub threads: usize,
    /// Nominal size of a chunk in bytes; at least 1. It does not change results.
    pub chunk_bytes: usize,
    /// Maximum number of rows per rule and input; counts stay exact.
    pub max_rows: Option<u64>,
    /// Number of examples of each rule, severity and input; 0 for none.
    pub examples: u64,
    /// Whether the sink lists repairs. Then it receives those of all places, also of findings that
    /// are reported once per input.
    pub repairs: bool,
    /// Whether games and positions are compared with all others, to find copies.
    pub duplicates: bool,
    /// Maximum number of nodes of the search for a game that leads to each position line. `None` if
    /// positions are not certified. A search uses up to 256 MiB of memory in its thread.
    pub certify: Option<u64>,
    /// Names that are those of one player, for the search for copies.
    pub spellings: Option<Arc<Spellings>>,
    /// Whether the sink receives all games.
    pub games: bool,
    /// Whether games are counted by year, rating and other properties.
    pub portrait: bool,
    /// What makes a record bad, if the sink is shown which records are.
    pub split: Option<SplitOn>,
    /// Known findings.
    pub known: Known,
    /// Rules that are excepted for some inputs.
    pub exceptions: Vec<Exception>,
    /// What the run and its inputs are expected to contain.
    pub expectations: Arc<Expectations>,
    /// House rules. Games are read on the thorough path if there are any.
    pub house: Arc<HouseRules>,
    /// Members of archives that are skipped.
    pub exclude: Globs,
    /// The variant of all records without a Variant tag. [`Variant::Chess960`] overrides the tags
    /// and includes double Chess960.
    pub variant: Option<Variant>,
    /// Maximum length of a record in bytes. A longer one is a failure, and is not checked.
    pub max_record_bytes: usize,
    /// Whether files are mapped into memory.
    pub map: bool,
    /// Whether every position that a game reaches is checked, not only its first one.
    pub exhaustive: bool,
    /// How much is searched before it is left open whether a position can be reached.
    pub effort: Effort,
    /// Whether all games take the thorough path. It does not change results.
    pub thorough: bool,
    /// Ratings and dates that count as possible.
    pub limits: Limits,
    /// The columns of tables to read; ignored for inputs whose format is given.
    pub columns: Columns,
    /// The opening book; without one, TAG16 does not run.
    pub eco: Option<Arc<EcoBook>>,
    /// The oracles. Rules that need one do not run without it.
    pub oracles: Arc<Oracles>,
}

impl Settings {
    /// Whether what a rule needs is given.
    pub fn meets(&self, need: Need) -> bool {
        match need {
            Need::Openings => self.eco.is_some(),
            Need::Tables => self.oracles.tables.is_some(),
            Need::EveryPosition => self.exhaustive,
            Need::Engine => self.oracles.engine.is_some(),
            Need::Duplicates => self.duplicates,
            Need::Expectations => !self.expectations.is_empty(),
            Need::HouseRules => !self.house.is_empty(),
        }
    }

    /// Whether a card of each game is kept.
    pub(super) const fn keeps_cards(&self) -> bool {
        self.duplicates || self.games
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            selection: Selection::default(),
            threads: 0,
            chunk_bytes: 1 << 18,
            max_rows: None,
            examples: 0,
            repairs: false,
            duplicates: false,
            certify: None,
            spellings: None,
            games: false,
            portrait: false,
            split: None,
            known: Known::default(),
            exceptions: Vec::new(),
            expectations: Arc::default(),
            house: Arc::default(),
            exclude: Globs::default(),
            variant: None,
            max_record_bytes: MAX_RECORD,
            map: true,
            exhaustive: false,
            effort: Effort::Quick,
            thorough: false,
            limits: Limits::DEFAULT,
            columns: Columns::default(),
            eco: None,
            oracles: Arc::default(),
        }
    }
}
