//! The settings of a run.

use std::{collections::HashMap, sync::Arc};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Exception, Expectations, Known, SplitOn};
use crate::{
    chess::Variant,
    corpus::{Globs, InputOrder},
    identity::{CardUse, Lists, RatingList, Spellings},
    oracle::Oracles,
    pgn::{EcoBook, Limits},
    record::MAX_RECORD,
    rules::{HouseRules, Need, Selection},
    table::Columns,
};

/// Number of nodes to certify a position if `--certify` is given without a number.
#[cfg(feature = "cli")]
pub const CERTIFY_NODES: &str = "2000000";

/// Options that the report repeats as they are given. They are declared, checked and explained here
/// for the command line and the settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Options {
    /// Write at most N rows per rule and input
    ///
    /// Totals stay exact. Without this option, all findings are written.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help_heading = "Report", hide_short_help = true))]
    pub max_rows: Option<u64>,

    /// Check every position of every game
    ///
    /// All position rules run on every position that the moves reach, variations included. This
    /// takes several times as long. Legal moves reach legal positions, so this finds faulty rules
    /// and the effects of a faulty starting position.
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Rules"))]
    pub exhaustive: bool,

    /// Search long for captures that lead to a position
    ///
    /// Rule POS20 gives up after 20 million combinations of captures instead of 20,000. This takes
    /// seconds for a position that is left open. `run.json` counts them: `positions_left_open`.
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Rules", hide_short_help = true))]
    pub deep: bool,

    /// Compare all games with each other, and all positions
    ///
    /// Games that are there twice, other versions of a game, and games under wrong names are found
    /// in all inputs together. The report then contains duplicates.csv, and players.csv with all
    /// names of players. Of two equally good copies, the one that is named first on the command
    /// line is kept. `--select DUP` and `--split-on DUP` include this.
    #[cfg_attr(feature = "cli", arg(long, help_heading = "Rules"))]
    pub duplicates: bool,

    /// Certify each position line, with up to NODES nodes
    ///
    /// The report then contains certificates.csv, with a verdict for each line of EPD and FEN
    /// files. A position is legal if a game was found that leads to it. These games are in
    /// proof_games.pgn. A position is illegal if a rule proves it, and otherwise open. Nodes are
    /// moves that are taken back: a million take about half a second. `--certify` alone means 2
    /// million. A number follows an equals sign: `--certify=500000`. Each thread then uses up to
    /// 256 MiB of memory more.
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            value_name = "NODES",
            num_args = 0..=1,
            require_equals = true,
            default_missing_value = CERTIFY_NODES,
            value_parser = clap::value_parser!(u64).range(1..),
            help_heading = "Rules",
            hide_short_help = true
        )
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certify: Option<u64>,
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Options that need no file.
    pub options: Options,
    /// Which findings are shown.
    pub selection: Selection,
    /// Worker threads; 0 means one for each processor.
    pub threads: usize,
    /// Nominal size of a chunk in bytes; at least 1. It does not change results.
    pub chunk_bytes: usize,
    /// Number of examples of each rule, severity and input; 0 for none.
    pub examples: u64,
    /// Whether the sink lists repairs. Then it receives those of all places, also of findings that
    /// are reported once per input.
    pub repairs: bool,
    /// Names that are those of one player, for the search for copies.
    pub spellings: Option<Arc<Spellings>>,
    /// FIDE's rating list.
    pub players: Option<Arc<RatingList>>,
    /// What the sink receives all games for. `None` if it does not.
    pub games: Option<CardUse>,
    /// Whether games are counted by year, rating and other properties.
    pub portrait: bool,
    /// What makes a record bad, if the sink is shown which records are.
    pub split: Option<SplitOn>,
    /// Whether a version of a better game makes its record bad, as a copy that need not be kept
    /// does.
    pub versions: bool,
    /// Whether names are those of one player only if a list says so; see [`Settings::spellings`].
    pub only_listed_names: bool,
    /// The order in which inputs were named: it decides between equally good copies.
    pub order: InputOrder,
    /// Known findings.
    pub known: Known,
    /// Rules that are excepted for some inputs.
    pub exceptions: Vec<Exception>,
    /// Other names of inputs, under which exceptions and the order of inputs know them.
    pub known_as: HashMap<String, String>,
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
    /// Lists about players.
    pub fn lists(&self) -> Lists<'_> {
        Lists { spellings: self.spellings.as_deref(), players: self.players.as_ref() }
    }

    /// Whether what a rule needs is given.
    pub fn meets(&self, need: Need) -> bool {
        match need {
            Need::Openings => self.eco.is_some(),
            Need::Tables => self.oracles.tables.is_some(),
            Need::EveryPosition => self.options.exhaustive,
            Need::Engine => self.oracles.engine.is_some(),
            Need::Duplicates => self.options.duplicates,
            Need::Expectations => !self.expectations.is_empty(),
            Need::HouseRules => !self.house.is_empty(),
            Need::RatingList => self.players.is_some(),
        }
    }

    /// The name under which exceptions and the order of inputs know an input.
    pub(super) fn known_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.known_as.get(name).map_or(name, String::as_str)
    }

    /// What a card of each game is kept for.
    pub(super) const fn cards(&self) -> Option<CardUse> {
        if self.options.duplicates { Some(CardUse::Copies) } else { self.games }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            options: Options::default(),
            selection: Selection::default(),
            threads: 0,
            chunk_bytes: 1 << 18,
            examples: 0,
            repairs: false,
            spellings: None,
            players: None,
            games: None,
            portrait: false,
            split: None,
            versions: false,
            only_listed_names: false,
            order: InputOrder::default(),
            known: Known::default(),
            exceptions: Vec::new(),
            known_as: HashMap::new(),
            expectations: Arc::default(),
            house: Arc::default(),
            exclude: Globs::default(),
            variant: None,
            max_record_bytes: MAX_RECORD,
            map: true,
            thorough: false,
            limits: Limits::DEFAULT,
            columns: Columns::default(),
            eco: None,
            oracles: Arc::default(),
        }
    }
}
